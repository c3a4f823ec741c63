/** Adds imported totals to the engine's counts. */
import type { Breakdown, BreakdownQuestion } from '../../../storage/engine/index.ts'
import {
  changes,
  type Counted,
  figures,
  type MetricName,
  metrics,
  ofMoney,
  type RateBases,
} from '../../../storage/engine/vocabulary/metrics.ts'
import type { Sort, Span } from '../../../storage/engine/vocabulary/scope.ts'
import { type CountedSums, hasRow } from '../../../storage/engine/vocabulary/sums.ts'
import { type ImportedSums, joinedSums } from '../../../storage/imported/read.ts'
import { yieldWhereDue } from '../../../storage/system/event-loop.ts'
import type { Included } from './imported.ts'
import { sortedInTurns } from './sorted-in-turns.ts'

/** Sums of both. Those that imported totals lack are NaN, and so is everything computed from them. */
export interface Joined extends CountedSums {
  readonly isImported?: true
  /** The figures in `ofSome` cover only the days that have them: imported days lack them. */
  readonly isOfSome?: true
}

/** Amounts and conversions, which many imports lack. A report that also has other days covers only the other days. */
const ofSome: readonly MetricName[] = [...ofMoney, 'conversions']

/** Figures of a report; null is unknown. */
export type KnownFigures<M extends MetricName> = Record<M, number | null>

/** Sums of a row or point without visits. */
export const nothing: CountedSums = Object.freeze({
  visitors: 0,
  visits: 0,
  pageviews: 0,
  events: 0,
  revenue: 0,
  purchases: 0,
  bounceBase: 0,
  bounces: 0,
  duration: 0,
  exits: 0,
  engaged: 0,
  people: 0,
  identified: 0,
})

/** Sums of nothing, with the revenue and conversions of the visits that viewed a page. */
const nothingBrought: CountedSums = Object.freeze({ ...nothing, visitRevenue: 0, completions: 0 })

export function joined(counted: CountedSums, more: readonly ImportedSums[]): Joined {
  if (more.length === 0) return counted
  const isCounted = hasRow(counted)
  const own = isCounted ? counted : { ...counted, revenue: Number.NaN, purchases: Number.NaN }
  const { lacksMoney, ...sums } = joinedSums(own, more)
  const { visitRevenue, completions } = counted
  const ofVisits = isCounted ? { visitRevenue, completions } : { visitRevenue: Number.NaN, completions: Number.NaN }
  const isOfSome = !Number.isNaN(sums.revenue) && lacksMoney === true
  return {
    ...sums,
    ...(visitRevenue !== undefined && ofVisits),
    isImported: true,
    ...((isOfSome || (isCounted && visitRevenue !== undefined)) && { isOfSome: true }),
  }
}

/** Names of figures that belong to some of the days only. @param names of the figures of all sums */
export function ofSomeIn(names: readonly MetricName[], all: readonly (Joined | null | undefined)[]): MetricName[] {
  return all.some(sums => sums?.isOfSome) ? names.filter(name => ofSome.includes(name)) : []
}

interface JoinedSide extends Counted {
  readonly sums: Joined
}

/** Like `changes`, but null for figures that belong to some of the days only. */
export function changesOf<M extends MetricName>(now: KnownFigures<M>, before: KnownFigures<M>, sides: readonly JoinedSide[]) {
  const all: Record<M, number | null> = changes(now, before, sides)
  if (sides.some(({ sums }) => sums.isOfSome)) for (const name of ofSome) if (Object.hasOwn(all, name)) all[name as M] = null
  return all
}

/** Like `figures`, but null for unknown ones. Totals of other products need not fit together, so a share is at most its whole. */
export function figuresOf<M extends MetricName>(names: readonly M[], sums: Joined, bases?: RateBases): KnownFigures<M> {
  const all: KnownFigures<M> = figures(names, sums, bases)
  const isUnknown = (value: number | null) => Number.isNaN(value)
  for (const name of names) {
    const value = all[name]
    if (isUnknown(value)) all[name] = null
    else if (sums.isImported && value !== null && value > 100 && metrics[name].unit === 'percent') all[name] = 100
  }
  return all
}

/** Names of figures that are unknown in any of these. */
export const unknownIn = (all: readonly KnownFigures<MetricName>[] | readonly object[]): string[] => [
  ...new Set(all.flatMap(each => Object.entries(each).flatMap(([name, value]) => (value === null ? [name] : [])))),
]

/** Adds imported days to the spans that contain them. @param of the part of the report with the spans */
export async function spansWithImported(
  { history, ...parts }: Included,
  { of, spans, sums }: { of: 'now' | 'before'; spans: readonly Span[]; sums: readonly CountedSums[] },
): Promise<Joined[]> {
  const days = parts[of]
  if (!days) return [...sums]
  const totals = [...(await history.totals(days))].sort(([a], [b]) => a - b)
  const from = (day: number) => firstFrom(totals, day)
  return sums.map((counted, i) => {
    const span = spans[i]
    return joined(counted, span ? totals.slice(from(span.fromDay), from(span.toDay + 1)).map(([, one]) => one) : [])
  })
}

/** The index of the first entry on the day or later. @param sorted by day */
function firstFrom(sorted: readonly (readonly [day: number, of: unknown])[], day: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.[0] ?? 0) < day) low = middle + 1
    else high = middle
  }
  return low
}

/** More rows than any site has for a dimension. */
export const ALL_ROWS = 10_000_000

/** Changes a query to return all rows, which are then sorted together with imported ones. */
export const askedForAll = (asked: BreakdownQuestion): BreakdownQuestion => ({ ...asked, offset: 0, limit: ALL_ROWS })

type Row = Breakdown['rows'][number]

const sizes: Readonly<Partial<Record<Sort, (sums: CountedSums) => number>>> = Object.freeze({
  visitors: sums => sums.visitors,
  visits: sums => sums.visits,
  pageviews: sums => sums.pageviews + (Number.isNaN(sums.events) ? 0 : sums.events),
  revenue: sums => sums.revenue,
  visit_revenue: sums => sums.visitRevenue ?? Number.NaN,
  conversions: sums => sums.completions ?? sums.pageviews + sums.events,
})

/** Rows without a known figure of the sort come last in both orders, and are ranked by the first one that is known. */
const nextRanks = Object.freeze(['visitors', 'visits', 'pageviews', 'events'] as const)
const knownFirst = (a: number, b: number, sign: number): number => {
  const unknown = Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return unknown !== 0 || Number.isNaN(a) ? unknown : sign * (b - a)
}

async function byValue(rows: readonly Row[]): Promise<ReadonlyMap<string, Row>> {
  const found = new Map<string, Row>()
  for (const row of rows) {
    await yieldWhereDue()
    found.set(row.value, row)
  }
  return found
}

/**
 * Joins the rows of a breakdown with imported ones. There may be hundreds of thousands, so it lets the process continue in between.
 * @param found all rows of the engine
 * @param comparedRows rows of the comparison, if there is one: a value may now exist only in imported rows
 */
export async function rowsWithImported(
  { history, now, before }: Included,
  { asked, found, comparedRows }: { asked: BreakdownQuestion; found: Breakdown; comparedRows: Breakdown | null },
): Promise<Breakdown> {
  const { compared: comparing, sort, order = 'desc', offset, limit } = asked
  const none = asked.isBroughtCounted ? nothingBrought : nothing
  const empty = new Map<string, ImportedSums>()
  const [valuesNow, valuesBefore, totalsNow, totalsBefore] = await Promise.all([
    now ? history.values(now) : empty,
    before ? history.values(before) : empty,
    now ? history.totals(now) : new Map<number, ImportedSums>(),
    before ? history.totals(before) : new Map<number, ImportedSums>(),
  ])
  const here = await byValue(found.rows)
  const then = await byValue(comparedRows?.rows ?? [])
  const rowOf = (value: string): Row => {
    const row = here.get(value)
    const [more, earlier] = [valuesNow.get(value), valuesBefore.get(value)]
    const comparedHere = row?.compared ?? then.get(value)?.sums ?? none
    return {
      value,
      sums: joined(row?.sums ?? none, more ? [more] : []),
      compared: comparing && joined(comparedHere, earlier ? [earlier] : []),
      base: row?.base ?? 0,
      comparedBase: row?.comparedBase ?? 0,
    }
  }
  const sign = order === 'desc' ? 1 : -1
  const all = joined(found.all, [...totalsNow.values()])
  const sizeOf = ({ sums, base }: Row) =>
    sizes[sort]?.(sums) ?? figuresOf([sort], sums, { allVisitors: all.visitors, convertible: base })[sort] ?? Number.NaN
  const bySize = (a: Row, b: Row) => {
    const rank = knownFirst(sizeOf(a), sizeOf(b), sign)
    if (rank !== 0 || !Number.isNaN(sizeOf(a))) return rank
    return nextRanks.reduce((ranked, name) => ranked || knownFirst(a.sums[name], b.sums[name], 1), 0)
  }
  const known: Row[] = []
  for (const value of new Set([...here.keys(), ...valuesNow.keys()])) {
    await yieldWhereDue()
    const row = rowOf(value)
    const { visitors, pageviews, events } = row.sums
    if (hasRow(row.sums) || visitors > 0 || pageviews > 0 || events > 0) known.push(row)
  }
  const rows = await sortedInTurns(known, (a, b) => bySize(a, b) || (a.value < b.value ? -1 : a.value > b.value ? 1 : 0))
  return {
    ...found,
    rows: rows.slice(offset, offset + limit),
    total: rows.length,
    all,
    comparedAll: found.comparedAll && joined(found.comparedAll, [...totalsBefore.values()]),
  }
}
