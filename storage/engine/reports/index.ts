/** The table of the engine's reports. */
import type { Scope } from '../vocabulary/scope.ts'
import type { Pass, Report } from './report.ts'
import type { Context } from '../scan/resolve.ts'
import { attributionReport, type Attribution, type AttributionQuestion } from './attribution.ts'
import { breakdownReport, type Breakdown, type BreakdownQuestion } from './breakdown.ts'
import { changesReport, type Changes, type ChangesQuestion } from './changes.ts'
import { erasureReport, type ErasureFound, type ErasureQuestion } from './erasure.ts'
import { dividedReport, type Divided, type DividedQuestion } from './divided.ts'
import { eventReport, type EventQuestion, type EventDetail } from './event.ts'
import { eventsReport, type Events, type EventsQuestion } from './events.ts'
import { experimentReport, type Experiment, type ExperimentQuestion } from './experiment.ts'
import { funnelReport, type Funnel, type FunnelQuestion } from './funnel.ts'
import { journeysReport, type Journeys, type JourneysQuestion } from './journeys.ts'
import { liveReport, type Live, type LiveQuestion } from './live.ts'
import { personReport, type PersonQuestion, type PersonSums } from './person.ts'
import { propertiesReport, type Properties, type PropertiesQuestion } from './properties.ts'
import { clicksReport, type Clicks, type ClicksQuestion } from './clicks.ts'
import { pageReport, type PageQuestion, type PageDetail } from './page.ts'
import type { Retention, RetentionQuestion } from './retention.ts'
import { suggestReport, type Suggest, type SuggestQuestion } from './suggest.ts'
import { tableReport, type Table, type TableQuestion } from './table.ts'
import { totalsReport, type Totals, type TotalsQuestion } from './totals.ts'
import { visitLogReport, type VisitLog, type VisitLogQuestion } from './visit-log.ts'
import { visitsReport, type VisitsFound, type VisitsQuestion } from './visits.ts'
import { vitalsReport, type Vitals, type VitalsQuestion } from './vitals.ts'
import { vitalsByReport, type VitalsBy, type VitalsByQuestion } from './vitals-by.ts'

interface Reports {
  readonly attribution: readonly [AttributionQuestion, Attribution]
  readonly table: readonly [TableQuestion, Table]
  readonly totals: readonly [TotalsQuestion, Totals]
  readonly vitals: readonly [VitalsQuestion, Vitals]
  readonly vitals_by: readonly [VitalsByQuestion, VitalsBy]
  readonly breakdown: readonly [BreakdownQuestion, Breakdown]
  readonly changes: readonly [ChangesQuestion, Changes]
  readonly divided: readonly [DividedQuestion, Divided]
  readonly erasure: readonly [ErasureQuestion, ErasureFound]
  readonly experiment: readonly [ExperimentQuestion, Experiment]
  readonly funnel: readonly [FunnelQuestion, Funnel]
  readonly live: readonly [LiveQuestion, Live]
  readonly journeys: readonly [JourneysQuestion, Journeys]
  readonly event: readonly [EventQuestion, EventDetail]
  readonly events: readonly [EventsQuestion, Events]
  readonly person: readonly [PersonQuestion, PersonSums]
  readonly properties: readonly [PropertiesQuestion, Properties]
  readonly page: readonly [PageQuestion, PageDetail]
  readonly retention: readonly [RetentionQuestion, Retention]
  readonly suggest: readonly [SuggestQuestion, Suggest]
  readonly clicks: readonly [ClicksQuestion, Clicks]
  readonly visit_log: readonly [VisitLogQuestion, VisitLog]
  readonly visits: readonly [VisitsQuestion, VisitsFound]
}
const reports: { readonly [R in ReportName]: Report<AskedOf<R>, FoundBy<R>> } = Object.freeze({
  attribution: attributionReport,
  table: tableReport,
  totals: totalsReport,
  vitals: vitalsReport,
  vitals_by: vitalsByReport,
  breakdown: breakdownReport,
  changes: changesReport,
  divided: dividedReport,
  erasure: erasureReport,
  experiment: experimentReport,
  funnel: funnelReport,
  live: liveReport,
  journeys: journeysReport,
  event: eventReport,
  events: eventsReport,
  person: personReport,
  properties: propertiesReport,
  page: pageReport,
  // No part of a start: it is the largest of them, and rarely the first that is asked.
  retention: async (...given) => (await import('./retention.ts')).retentionReport(...given),
  suggest: suggestReport,
  clicks: clicksReport,
  visit_log: visitLogReport,
  visits: visitsReport,
})

export type ReportName = keyof Reports
export type AskedOf<R extends ReportName> = Reports[R][0]
export type FoundBy<R extends ReportName> = Reports[R][1]
export type AnyQuestion = AskedOf<ReportName>
export type Found = FoundBy<ReportName>

/** @throws Error for an unknown dimension */
export function prepare(scope: Scope, asked: AnyQuestion, context: Context): Promise<Pass<Found>> {
  const report = reports[asked.report] as Report<AnyQuestion, Found> // the report of that name
  return report(scope, asked, context)
}
