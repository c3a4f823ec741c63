/** Sums from which metrics are computed. */

/** Sums of a group. Durations and engagement in ms, revenue in minor units. */
export interface Sums {
  visitors: number
  visits: number
  pageviews: number
  /** Custom events; only when hits are counted one by one. */
  events: number
  revenue: number
  /** Hits with an amount above 0. */
  purchases: number
  /** Visits whose bounces and durations are counted: all of them, or those that entered on the requested page. */
  bounceBase: number
  /** Among the visits in `bounceBase`. */
  bounces: number
  /** Ms, of visits in `bounceBase` that did not bounce. */
  duration: number
  /** Visits that ended on the page. */
  exits: number
  /** Engaged time, ms. */
  engaged: number
}

/** Sums with numbers that only some reports count. */
export interface CountedSums extends Sums {
  /** Pageviews of the whole visits, if a filter counts only some of them. */
  readonly viewsOfVisits?: number
  /** Of a page, if requested: revenue of the visits that viewed it. */
  readonly visitRevenue?: number
  /** If requested: distinct persons, and the visits that belong to one. */
  readonly people?: number
  readonly identified?: number
  /** Of a page, if requested: how often the visits that viewed it completed a goal. */
  readonly completions?: number
}

/** Whether a group has a row: it was visited, or money was booked on it, for example on a page by an event without a view of it. */
export const hasRow = ({ visits, revenue, purchases }: Pick<Sums, 'visits' | 'revenue' | 'purchases'>): boolean =>
  visits > 0 || purchases > 0 || Math.abs(revenue) > 0

export const sumNames = Object.freeze([
  'visitors',
  'visits',
  'pageviews',
  'events',
  'revenue',
  'purchases',
  'bounceBase',
  'bounces',
  'duration',
  'exits',
  'engaged',
] as const satisfies readonly (keyof Sums)[])
