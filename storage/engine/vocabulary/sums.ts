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

/** Sums of visits of which a filter counts only some of the pages and hits. */
export interface CountedSums extends Sums {
  /** Pageviews of the whole visits; left out where those are the pageviews counted. */
  readonly viewsOfVisits?: number
}

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
