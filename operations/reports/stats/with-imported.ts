/** Adds imported totals to the engine's counts. */
import type { Breakdown, BreakdownQuestion } from '../../../storage/engine/index.ts'
import { figures, type MetricName, type RateBases } from '../../../storage/engine/vocabulary/metrics.ts'
import type { Span } from '../../../storage/engine/vocabulary/scope.ts'
import { type CountedSums, type Sums, sumNames } from '../../../storage/engine/vocabulary/sums.ts'
import type { ImportedSums } from '../../../storage/imported/read.ts'
import type { Included } from './imported.ts'

/** Sums of both, and of the engine's counts without imported ones. */
export interface Joined extends CountedSums {
  readonly counted?: CountedSums
  /** Imported visits without known pageviews. */
  readonly unviewed?: number
}

/** Sums of a row or point without visits. */
export const nothing: Sums = Object.freeze({
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
})

export function joined(counted: CountedSums, more: readonly ImportedSums[]): Joined {
  if (more.length === 0) return counted
  const sum = (name: keyof Sums) => more.reduce((all, one) => all + one[name], counted[name])
  const sums = Object.fromEntries(sumNames.map(name => [name, sum(name)])) as unknown as Sums // one entry for each name
  return { ...sums, counted, unviewed: more.reduce((all, one) => all + one.unviewed, 0) }
}

/** Metrics that imported totals lack. They apply to the engine's counts only. */
const countedHere: ReadonlySet<MetricName> = new Set<MetricName>([
  'entries',
  'exits',
  'exit_rate',
  'time_on_page',
  'conversions',
  'conversion_rate',
])

/** Like `figures`, but each metric uses only the counts that contain it. */
export function figuresOf<M extends MetricName>(names: readonly M[], sums: Joined, bases?: RateBases): Record<M, number> {
  const all = figures(names, sums, bases)
  const { counted, unviewed = 0 } = sums
  if (!counted) return all
  const here = names.filter(name => countedHere.has(name))
  const views = names.filter(name => name === 'views_per_visit')
  return { ...all, ...figures(here, counted, bases), ...figures(views, { ...sums, visits: sums.visits - unviewed }) }
}

/** Adds imported days to the spans that contain them. @param of the part of the report with the spans */
export async function spansWithImported(
  { history, ...parts }: Included,
  { of, spans, sums }: { of: 'now' | 'before'; spans: readonly Span[]; sums: readonly CountedSums[] },
): Promise<Joined[]> {
  const days = parts[of]
  if (!days) return [...sums]
  const totals = [...(await history.totals(days))].sort(([a], [b]) => a - b)
  return sums.map((counted, i) => {
    const span = spans[i]
    return joined(counted, span ? totals.flatMap(([day, one]) => (day >= span.fromDay && day <= span.toDay ? [one] : [])) : [])
  })
}

/** More rows than any site has for a dimension. */
export const ALL_ROWS = 10_000_000

/** Changes a query to return all rows, which are then sorted together with imported ones. */
export const askedForAll = (asked: BreakdownQuestion): BreakdownQuestion => ({ ...asked, offset: 0, limit: ALL_ROWS })

type Row = Breakdown['rows'][number]

/**
 * @param found all rows of the engine
 * @param comparedRows rows of the comparison, if there is one: a value may now exist only in imported rows
 */
export async function rowsWithImported(
  { history, now, before }: Included,
  { asked, found, comparedRows }: { asked: BreakdownQuestion; found: Breakdown; comparedRows: Breakdown | null },
): Promise<Breakdown> {
  const { dimension, compared: comparing, sort, order = 'desc', offset, limit } = asked
  const [valuesNow, valuesBefore, totalsNow, totalsBefore] = await Promise.all([
    now ? history.values(dimension, now) : new Map<string, ImportedSums>(),
    before ? history.values(dimension, before) : new Map<string, ImportedSums>(),
    now ? history.totals(now) : new Map<number, ImportedSums>(),
    before ? history.totals(before) : new Map<number, ImportedSums>(),
  ])
  const here = new Map(found.rows.map(row => [row.value, row]))
  const then = new Map((comparedRows?.rows ?? []).map(row => [row.value, row.sums]))
  const rowOf = (value: string): Row => {
    const row = here.get(value)
    const [more, earlier] = [valuesNow.get(value), valuesBefore.get(value)]
    const comparedHere = row?.compared ?? then.get(value) ?? nothing
    return {
      value,
      sums: joined(row?.sums ?? nothing, more ? [more] : []),
      compared: comparing && joined(comparedHere, earlier ? [earlier] : []),
      base: row?.base ?? 0,
      comparedBase: row?.comparedBase ?? 0,
    }
  }
  const sign = order === 'desc' ? 1 : -1
  const sizeOf = ({ sums }: Row) => sums[sort] + (sort === 'pageviews' ? sums.events : 0)
  const rows = [...new Set([...here.keys(), ...valuesNow.keys()])]
    .map(rowOf)
    .filter(({ sums }) => sums.visits > 0 || sums.visitors > 0 || sums.pageviews > 0 || sums.events > 0)
    .sort((a, b) => sign * (sizeOf(b) - sizeOf(a)) || (a.value < b.value ? -1 : a.value > b.value ? 1 : 0))
  return {
    ...found,
    rows: rows.slice(offset, offset + limit),
    total: rows.length,
    all: joined(found.all, [...totalsNow.values()]),
    comparedAll: found.comparedAll && joined(found.comparedAll, [...totalsBefore.values()]),
  }
}
