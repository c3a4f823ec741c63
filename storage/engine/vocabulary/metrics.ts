/**
 * The metrics of a group of visits: one row each. Counts, rates and means of nothing are 0; the description of a share
 * names its base.
 */
import type { CountedSums } from './sums.ts'

/** The bases of rates beyond the group: all visitors, and those who could have converted. */
export interface RateBases {
  readonly allVisitors: number
  readonly convertible: number
}

interface Metric {
  readonly unit: 'count' | 'percent' | 'ratio' | 'ms' | 'money'
  readonly description: string
  of(sums: CountedSums, bases: RateBases): number
  /** The base of a rate or a mean. */
  whole?(sums: CountedSums, bases: RateBases): number
}

const count = (description: string, of: (sums: CountedSums) => number): Metric => ({ unit: 'count', description, of })
const percent = (description: string, part: (sums: CountedSums) => number, whole: Metric['of']): Metric => ({
  unit: 'percent',
  description,
  of: (sums, bases) => percentOf(part(sums), whole(sums, bases)),
  whole,
})

/** A mean: a part for each of the whole. */
const mean = (
  about: Pick<Metric, 'unit' | 'description'>,
  part: (sums: CountedSums) => number,
  whole: (sums: CountedSums) => number,
  shown: (value: number) => number = Math.round,
): Metric => ({ ...about, of: sums => shown(ratio(part(sums), whole(sums))), whole })

export const metrics = {
  visitors: count('Unique visitors a day, added up over the days.', s => s.visitors),
  people: count(
    'Distinct people, of those whom the site identifies itself; a person of several days counts once.',
    s => s.people ?? Number.NaN,
  ),
  visits: count('Visits: hits of one visitor with less than 30 minutes between them, within a day.', s => s.visits),
  pageviews: count('Pages viewed; with a filter on pages, views of those.', s => s.pageviews),
  views_per_visit: mean(
    { unit: 'ratio', description: 'Pageviews of the visits / visits, two decimals; a filter on pages narrows none of it.' },
    s => s.viewsOfVisits ?? s.pageviews,
    s => s.visits,
    value => rounded(value, 2),
  ),
  bounce_rate: percent(
    'Percent of visits with fewer than two pageviews and no interactive event; of a page, of those that entered on it.',
    s => s.bounces,
    s => s.bounceBase,
  ),
  visit_duration: mean(
    { unit: 'ms', description: 'Mean time from first to last activity of a visit, in ms; bounces count as 0.' },
    s => s.duration,
    s => s.bounceBase,
  ),
  revenue: {
    unit: 'money',
    description:
      'Revenue in minor units of the currency of the site; with a filter on events, goals or properties, of the hits that meet it. Of a page, of the hits on it.',
    of: s => s.revenue,
  },
  purchases: count('Hits that brought revenue, of those that revenue is of; refunds are none.', s => s.purchases),
  average_order: mean(
    { unit: 'money', description: 'Revenue / purchases, in minor units.' },
    s => s.revenue,
    s => s.purchases,
  ),
  events: count('Custom events.', s => s.events),
  entries: count('Visits that entered on the page.', s => s.bounceBase),
  exits: count('Visits that ended on the page.', s => s.exits),
  exit_rate: percent(
    'Percent of its pageviews that were the last of a visit.',
    s => s.exits,
    s => s.pageviews,
  ),
  time_on_page: mean(
    { unit: 'ms', description: 'Mean time of attention a visit gave the page, in ms.' },
    s => s.engaged,
    s => s.visits,
  ),
  visit_revenue: {
    unit: 'money',
    description: 'Of a page: revenue of all visits that viewed it, on any page; counted on request.',
    of: s => s.visitRevenue ?? 0,
  },
  conversions: count(
    'How often the goal was completed; of a page, how often visits that viewed it completed a goal, counted on request.',
    s => s.completions ?? s.pageviews + s.events,
  ),
  conversion_rate: percent(
    'Percent of visitors who completed the goal, of all there are with the filters on goals and properties put aside.',
    s => s.visitors,
    (_, bases) => bases.convertible,
  ),
  share: percent(
    'Percent of all visitors of the report.',
    s => s.visitors,
    (_, bases) => bases.allVisitors,
  ),
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof metrics
export type Figures<M extends MetricName = MetricName> = Record<M, number>

/** The metrics of every total and every point of a series; `people` only if the site identifies them. */
export const headline = [
  'visitors',
  'people',
  'visits',
  'pageviews',
  'views_per_visit',
  'bounce_rate',
  'visit_duration',
  'revenue',
  'purchases',
  'average_order',
] as const
/** The metrics of every row of a breakdown. */
export const ofRows = [
  'visitors',
  'visits',
  'pageviews',
  'bounce_rate',
  'visit_duration',
  'revenue',
  'purchases',
  'average_order',
  'share',
] as const
/** Additional metrics of the rows of some dimensions. */
export const ofSomeRows = [
  'people',
  'events',
  'entries',
  'exits',
  'exit_rate',
  'time_on_page',
  'visit_revenue',
  'conversions',
  'conversion_rate',
] as const

/** Amounts, and what they are counted from. */
export const ofMoney: readonly MetricName[] = (Object.keys(metrics) as MetricName[]) // the table's own names
  .filter(name => name === 'purchases' || metrics[name].unit === 'money')

/** Additional metrics of the points of some divided series. */
export const ofSeries = ['events', 'conversions'] as const

const noBases: RateBases = { allVisitors: 0, convertible: 0 }

export function figures<M extends MetricName>(names: readonly M[], sums: CountedSums, bases: RateBases = noBases): Figures<M> {
  const all: Record<MetricName, Metric> = metrics
  return Object.fromEntries(names.map(name => [name, all[name].of(sums, bases)])) as Figures<M> // one entry for each name
}

/** Sums that figures were computed from. */
export interface Counted {
  readonly sums: CountedSums
  readonly bases?: RateBases
}

/** The changes of figures: see `change`. A rate or mean of nothing, for example of 0 visits, has none. @param sides of both periods */
export function changes<M extends MetricName>(
  now: Readonly<Record<M, number | null>>,
  before: Readonly<Record<M, number | null>>,
  sides: readonly Counted[],
): Record<M, number | null> {
  const all: Record<MetricName, Metric> = metrics
  const isOfNothing = (name: M) => sides.some(({ sums, bases = noBases }) => all[name].whole?.(sums, bases) === 0)
  const entries = (Object.keys(now) as M[]).map(name => [name, isOfNothing(name) ? null : change(now[name], before[name], all[name].unit)])
  return Object.fromEntries(entries) as Record<M, number | null> // one entry for each name
}

/** Figures, and the figures of the comparison with the changes. @param then null without a comparison */
export function comparedFigures<M extends MetricName>(names: readonly M[], now: Counted, then: Counted | null) {
  const shown = figures(names, now.sums, now.bases)
  if (!then) return shown
  const before = figures(names, then.sums, then.bases)
  return { ...shown, comparison: { ...before, change: changes(shown, before, [now, then]) } }
}

/**
 * Change of a figure, one decimal. A figure in percent changes by percentage points, any other in percent; null if it was 0,
 * or if one of the two is unknown (null).
 * @param unit of the figure
 */
export function change(to: number | null, from: number | null, unit?: string): number | null {
  if (to === null || from === null) return null
  if (unit === 'percent') return rounded(to - from, 1)
  if (from === 0) return to === 0 ? 0 : null
  return rounded((100 * (to - from)) / Math.abs(from), 1)
}

/** In percent, one decimal; 0 if the whole is 0. */
export function percentOf(part: number, whole: number): number {
  return rounded(100 * ratio(part, whole), 1)
}

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

/** Rounds half up, without binary noise (1.005 becomes 1.01). */
function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals
  return Math.round(value * (1 + Number.EPSILON) * scale) / scale
}
