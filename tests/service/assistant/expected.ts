/** How a question of the list is written down with the queries it should lead to. */

export type Condition = readonly [dimension: string, operator: string, value: string | readonly string[]]

/** One query; a field that is left out may be anything. */
export interface ExpectedQuery {
  readonly tool: string
  /** First and last day, `2026-11-09..2026-11-15`. */
  readonly days?: string
  /** The days compared with; `any`: some; left out: they may be compared or not. */
  readonly against?: string
  readonly filters?: readonly Condition[]
  readonly dimension?: string
  /** The figure of the answer, for the whole or the first rows, which the text contains. */
  readonly metric?: string
  /** Value of the row that the answer is about. */
  readonly value?: string
  readonly rank?: 'gain' | 'loss'
  readonly order?: 'asc'
  readonly limit?: number
  readonly interval?: string
}

/** `null`: it must say that it does not understand. Several lists: any of them is right. */
export interface Question {
  readonly text: string
  readonly right: readonly (readonly ExpectedQuery[])[] | null
}

/** The clock of the questions: Wednesday, 18 November 2026, 14:05 in Berlin. */
export const NOW = Date.parse('2026-11-18T13:05:00Z')
export const ZONE = 'Europe/Berlin'

export const days = {
  today: '2026-11-18..2026-11-18',
  yesterday: '2026-11-17..2026-11-17',
  monday: '2026-11-16..2026-11-16',
  sunday: '2026-11-15..2026-11-15',
  friday: '2026-11-13..2026-11-13',
  thisWeek: '2026-11-16..2026-11-18',
  lastWeek: '2026-11-09..2026-11-15',
  weekBefore: '2026-11-02..2026-11-08',
  weekend: '2026-11-14..2026-11-15',
  seven: '2026-11-12..2026-11-18',
  fourteen: '2026-11-05..2026-11-18',
  thirty: '2026-10-20..2026-11-18',
  ninety: '2026-08-21..2026-11-18',
  thisMonth: '2026-11-01..2026-11-18',
  october: '2026-10-01..2026-10-31',
  september: '2026-09-01..2026-09-30',
  august: '2026-08-01..2026-08-31',
  thisQuarter: '2026-10-01..2026-11-18',
  lastQuarter: '2026-07-01..2026-09-30',
  thisYear: '2026-01-01..2026-11-18',
  lastYear: '2025-01-01..2025-12-31',
  twelveMonths: '2025-12-01..2026-11-18',
  all: '2024-11-19..2026-11-18',
} as const

type More = Partial<ExpectedQuery>

export const total = (metric: string, when: string, filters: readonly Condition[] = [], more: More = {}): ExpectedQuery => ({
  tool: 'stats_aggregate',
  days: when,
  metric,
  filters,
  ...more,
})
export const top = (
  dimension: string,
  metric: string,
  when: string,
  filters: readonly Condition[] = [],
  more: More = {},
): ExpectedQuery => ({ tool: 'stats_breakdown', dimension, metric, days: when, filters, ...more })
/** One row of a breakdown. */
export const row = (
  dimension: string,
  value: string,
  metric: string,
  when: string,
  filters: readonly Condition[] = [],
  more: More = {},
): ExpectedQuery => ({ ...top(dimension, metric, when, filters, more), value })
export const goal = (name: string, metric: string, when: string, filters: readonly Condition[] = [], more: More = {}): ExpectedQuery =>
  row('goal', name, metric, when, filters, more)
export const trend = (
  metric: string,
  when: string,
  interval?: string,
  filters: readonly Condition[] = [],
  more: More = {},
): ExpectedQuery => ({
  tool: 'stats_timeseries',
  days: when,
  metric,
  filters,
  ...(interval !== undefined && { interval }),
  ...more,
})
export const live: ExpectedQuery = { tool: 'live_get' }
export const uptime: ExpectedQuery = { tool: 'site_uptime_checks_list' }
/** The figure of the day and what lost (or gained) most with it. */
export const why = (metric: string, when: string, rank: 'gain' | 'loss' = 'loss', filters: readonly Condition[] = []): ExpectedQuery[] => [
  total(metric, when, filters, { against: 'any' }),
  top('source', metric, when, filters, { against: 'any', rank }),
  top('page', metric, when, filters, { against: 'any', rank }),
  // A country by countries says nothing.
  ...(filters.some(([dimension]) => dimension === 'country') ? [] : [top('country', metric, when, filters, { against: 'any', rank })]),
]

/** A question with one right list of queries. */
export const ask = (text: string, ...queries: ExpectedQuery[]): Question => ({ text, right: [queries] })
/** A question with several that would do. */
export const either = (text: string, ...right: (readonly ExpectedQuery[] | ExpectedQuery)[]): Question => ({
  text,
  right: right.map(each => ('tool' in each ? [each] : each)),
})
/** Questions that the data cannot answer: any figure would be wrong. */
export const unknown = (text: string): Question => ({ text, right: null })
