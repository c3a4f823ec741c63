/**
 * Reports that a link can show, by the names that people select, each with its read operations. The token of a link may
 * call only these operations, so a link shares nothing else.
 */
import { visitDimensions } from '../../../storage/tables/index.ts'

export interface SharedReport {
  readonly operations: readonly string[]
  /** Whether it can be limited to the last days of a link. */
  readonly keepsDays: boolean
  /** Whether it can be restricted to the segment of a link. */
  readonly keepsSegment: boolean
  /** Whether it shows single visits, which only members who may export see, and readers of links that may export. */
  readonly isExport?: true
  /** Whether it includes revenue in fields with other names. */
  readonly tellsRevenue?: true
  /** Dimensions that it always shows. A link that is limited to some dimensions must list them. */
  readonly shows: readonly string[]
}

const whole = { keepsDays: true, keepsSegment: true } as const

export const sharedReports = {
  overview: { ...whole, operations: ['stats_overview', 'values_suggest'], shows: [] },
  aggregate: { ...whole, operations: ['stats_aggregate'], shows: [] },
  timeseries: { ...whole, operations: ['stats_timeseries'], shows: [] },
  breakdown: { ...whole, operations: ['stats_breakdown', 'values_suggest'], shows: [] },
  events: { ...whole, operations: ['events_list', 'events_get'], shows: ['event', 'page', 'source'] },
  pages: { ...whole, operations: ['pages_detail'], shows: ['page', 'source', 'country', 'device', 'event'] },
  journeys: { ...whole, operations: ['journeys_explore'], shows: ['page', 'goal'] },
  funnels: {
    operations: ['funnels_list', 'funnels_get', 'funnels_report'],
    keepsDays: true,
    keepsSegment: false,
    shows: ['page', 'event', 'goal'],
  },
  live: { operations: ['live_get'], keepsDays: true, keepsSegment: false, shows: ['page', 'source', 'country'] },
  experiments: { ...whole, operations: ['experiments_report', 'experiments_choices'], shows: ['goal'] },
  performance: { ...whole, operations: ['performance_get', 'performance_breakdown'], shows: [] },
  campaigns: { ...whole, operations: ['campaigns_report'], tellsRevenue: true, shows: ['utm_campaign', 'goal'] },
  // Its paths begin before the period, with visits outside of any segment.
  attribution: { operations: ['attribution_get'], keepsDays: false, keepsSegment: false, shows: ['goal'] },
  visits: {
    operations: ['visits_list', 'visits_get'],
    keepsDays: false,
    keepsSegment: false,
    isExport: true,
    shows: [...visitDimensions, 'page', 'event', 'goal'],
  },
  insights: {
    operations: ['insights_get', 'insights_feed'],
    keepsDays: false,
    keepsSegment: false,
    tellsRevenue: true,
    shows: ['page', 'source', 'country', 'device', 'utm_campaign', 'event', 'goal'],
  },
  incidents: { operations: ['incidents_feed'], keepsDays: false, keepsSegment: false, shows: [] },
  notes: { operations: ['notes_calendar'], keepsDays: false, keepsSegment: false, shows: [] },
} as const satisfies Readonly<Record<string, SharedReport>>

export type ReportName = keyof typeof sharedReports
export const reportNames = Object.keys(sharedReports) as ReportName[]
export const defaultReports: readonly ReportName[] = ['overview', 'timeseries', 'breakdown']

/** Reports of the one dashboard that a link names. */
const ofDashboard = ['dashboards_get', 'dashboards_card'] as const

export const operationsOf = (names: readonly ReportName[], dashboardId: string | null): ReadonlySet<string> =>
  new Set([...(dashboardId === null ? [] : ofDashboard), ...names.flatMap((name): readonly string[] => sharedReports[name].operations)])
