/** Converts counted paths to the steps of the report. (Every `!` is inside bounds.) */
import type { Path, Paths } from './paths.ts'

const STEPS = [0, 1, 2] as const

export interface StepCount {
  readonly visits: number
  /** Visits that ended there. */
  readonly ended: number
}
export interface StepRow extends StepCount {
  /** Page; null for the sum of the remaining ones. */
  readonly value: string | null
  readonly compared: StepCount | null
}
export interface StepFound extends StepCount {
  readonly rows: readonly StepRow[]
  readonly compared: StepCount | null
}
/** Visits that went from a row of a step (counted from 0) to a row of the next. */
export interface LinkFound {
  readonly step: number
  readonly from: number
  readonly to: number
  readonly visits: number
}
export interface PathFound {
  /** Pages, first step first; null for the sum of the remaining ones. */
  readonly pages: readonly string[] | null
  readonly visits: number
}

export interface StepOptions {
  /** Upper bound of ids in a step. */
  readonly places: number
  readonly nameOf: (step: number, place: number) => string
  readonly limit: number
}
/** The row of each page, by step and id. */
type Shown = readonly Uint32Array[]

/** Counts of one step, by id. */
type Counts = Readonly<Record<keyof StepCount, Float64Array>>

function countsOf(paths: Paths, places: number): Counts[] {
  const counts = STEPS.map(() => ({ visits: new Float64Array(places), ended: new Float64Array(places) }))
  for (const { steps, onward, visits } of paths) {
    for (const step of STEPS) {
      const place = steps[step]
      if (place === 0) break
      counts[step]!.visits[place]! += visits
      if (step === 2) counts[step]!.ended[place]! += visits - onward
      else if (steps[step + 1] === 0) counts[step]!.ended[place]! += visits
    }
  }
  return counts
}

const sumOf = (numbers: Float64Array): number => numbers.reduce((sum, one) => sum + one, 0)

/** The top pages of each step; the rest is one row, so that the rows of a step add up to its visits. */
export function stepsOf(paths: Paths, before: Paths | null, { places, nameOf, limit }: StepOptions): { found: StepFound[]; shown: Shown } {
  const now = countsOf(paths, places)
  const then = before && countsOf(before, places)
  const tops = now.map(({ visits }, step) => {
    const order = (a: number, b: number) => visits[b]! - visits[a]! || (nameOf(step, a) < nameOf(step, b) ? -1 : 1)
    return [...visits.keys()]
      .filter(place => visits[place] !== 0)
      .sort(order)
      .slice(0, limit)
  })
  const found = now.map((counts, step): StepFound => {
    const top = tops[step]!
    const beside = then?.[step] ?? null
    const of = ({ visits, ended }: Counts, place: number) => ({ visits: visits[place]!, ended: ended[place]! })
    const all = ({ visits, ended }: Counts) => ({ visits: sumOf(visits), ended: sumOf(ended) })
    const rest = (one: Counts): StepCount =>
      top.reduce((left, place) => ({ visits: left.visits - one.visits[place]!, ended: left.ended - one.ended[place]! }), all(one))
    const rows: StepRow[] = top.map(place => ({ value: nameOf(step, place), ...of(counts, place), compared: beside && of(beside, place) }))
    const other = { value: null, ...rest(counts), compared: beside && rest(beside) }
    return {
      ...all(counts),
      rows: other.visits > 0 ? [...rows, other] : rows,
      compared: beside && all(beside),
    }
  })
  const shown = tops.map(top => {
    const rows = new Uint32Array(places).fill(top.length)
    for (const [row, place] of top.entries()) rows[place] = row
    return rows
  })
  return { found, shown }
}

/** Most visits first. */
export function linksOf(paths: Paths, shown: Shown): LinkFound[] {
  const links = new Map<string, LinkFound>()
  for (const { steps, visits } of paths) {
    for (const step of [0, 1] as const) {
      if (steps[step + 1] === 0) break
      const [from, to] = [shown[step]![steps[step]]!, shown[step + 1]![steps[step + 1]!]!]
      const key = `${step} ${from} ${to}`
      links.set(key, { step, from, to, visits: (links.get(key)?.visits ?? 0) + visits })
    }
  }
  return [...links.values()].sort((a, b) => a.step - b.step || b.visits - a.visits || a.from - b.from || a.to - b.to)
}

/** The paths with most visits; the rest is one row. */
export function topPaths(paths: Paths, { nameOf, limit }: StepOptions): PathFound[] {
  const pagesOf = ({ steps }: Path) => steps.filter(place => place !== 0).map((place, step) => nameOf(step, place))
  const order = (a: Path, b: Path) => b.visits - a.visits || (pagesOf(a).join('\n') < pagesOf(b).join('\n') ? -1 : 1)
  const top: Path[] = []
  let rest = 0
  for (const path of paths) {
    const last = top[limit - 1]
    rest += path.visits
    if (last && order(last, path) < 0) continue
    top.push(path)
    top.sort(order)
    if (top.length > limit) top.pop()
  }
  for (const { visits } of top) rest -= visits
  const shown = top.map(path => ({ pages: pagesOf(path), visits: path.visits }))
  return rest > 0 ? [...shown, { pages: null, visits: rest }] : shown
}
