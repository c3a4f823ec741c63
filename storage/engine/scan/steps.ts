/** Converts paths to the steps of the report, and the links between them. (Every `!` is inside bounds.) */
import { best } from './best.ts'
import type { Paths, StepCounts } from './paths.ts'

export interface StepCount {
  readonly visits: number
  /** Visits that ended at the step. */
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
export interface StepOptions {
  /** Upper bound of ids in a step. */
  readonly places: number
  readonly nameOf: (step: number, place: number) => string
  readonly limit: number
}
/** The row of each page, by step and id. */
type Shown = readonly Uint32Array[]

function sumOf(numbers: Uint32Array): number {
  let sum = 0
  for (let i = 0; i < numbers.length; i++) sum += numbers[i]!
  return sum
}

/** The top pages of each step; the rest is one row, so that the rows of a step add up to its visits. */
export function stepsOf(paths: Paths, before: Paths | null, { places, nameOf, limit }: StepOptions): { found: StepFound[]; shown: Shown } {
  const tops = paths.steps.map(({ visits }, step) => {
    const order = (a: number, b: number) => visits[b]! - visits[a]! || (nameOf(step, a) < nameOf(step, b) ? -1 : 1)
    const places: number[] = []
    for (let place = 0; place < visits.length; place++) if (visits[place] !== 0) places.push(place)
    return best(places, order, limit)
  })
  const found = paths.steps.map((counts, step): StepFound => {
    const top = tops[step]!
    const comparison = before?.steps[step] ?? null
    const of = ({ visits, ended }: StepCounts, place: number) => ({ visits: visits[place]!, ended: ended[place]! })
    const all = ({ visits, ended }: StepCounts) => ({ visits: sumOf(visits), ended: sumOf(ended) })
    const sums = all(counts)
    const comparedSums = comparison && all(comparison)
    const rest = (one: StepCounts, sums: StepCount): StepCount =>
      top.reduce((left, place) => ({ visits: left.visits - one.visits[place]!, ended: left.ended - one.ended[place]! }), sums)
    const rows: StepRow[] = top.map(place => ({
      value: nameOf(step, place),
      ...of(counts, place),
      compared: comparison && of(comparison, place),
    }))
    const other = { value: null, ...rest(counts, sums), compared: comparison && comparedSums && rest(comparison, comparedSums) }
    return {
      ...sums,
      rows: other.visits > 0 ? [...rows, other] : rows,
      compared: comparedSums,
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
  const rows = shown.map(rowOf => rowOf[0]! + 1) // 0 means no page: its row belongs to the remaining pages, the last one
  const width = Math.max(...rows)
  const links = shown.slice(1).map(() => new Float64Array(width * width))
  paths.each((ids, at, length) => {
    for (let i = 1; i < length; i++) links[i - 1]![shown[i - 1]![ids[at + i - 1]!]! * width + shown[i]![ids[at + i]!]!]!++
  })
  return links
    .flatMap((counts, step) => [...counts].map((visits, at) => ({ step, from: Math.floor(at / width), to: at % width, visits })))
    .filter(({ visits }) => visits > 0)
    .sort((a, b) => a.step - b.step || b.visits - a.visits || a.from - b.from || a.to - b.to)
}
