/** The table of the engine's reports. */
import type { Scope } from '../vocabulary/scope.ts'
import type { Pass, Report } from './report.ts'
import type { Context } from '../scan/resolve.ts'
import { breakdownReport, type Breakdown, type BreakdownAsked } from './breakdown.ts'
import { changesReport, type Changes, type ChangesAsked } from './changes.ts'
import { dividedReport, type Divided, type DividedAsked } from './divided.ts'
import { eventReport, type EventAsked, type EventDetail } from './event.ts'
import { eventsReport, type Events, type EventsAsked } from './events.ts'
import { experimentReport, type Experiment, type ExperimentAsked } from './experiment.ts'
import { funnelReport, type Funnel, type FunnelAsked } from './funnel.ts'
import { journeysReport, type Journeys, type JourneysAsked } from './journeys.ts'
import { liveReport, type Live, type LiveAsked } from './live.ts'
import { propertiesReport, type Properties, type PropertiesAsked } from './properties.ts'
import { clicksReport, type Clicks, type ClicksAsked } from './clicks.ts'
import { pageReport, type PageAsked, type PageDetail } from './page.ts'
import { totalsReport, type Totals, type TotalsAsked } from './totals.ts'
import { vitalsReport, type Vitals, type VitalsAsked } from './vitals.ts'

interface Reports {
  readonly totals: readonly [TotalsAsked, Totals]
  readonly vitals: readonly [VitalsAsked, Vitals]
  readonly breakdown: readonly [BreakdownAsked, Breakdown]
  readonly changes: readonly [ChangesAsked, Changes]
  readonly divided: readonly [DividedAsked, Divided]
  readonly experiment: readonly [ExperimentAsked, Experiment]
  readonly funnel: readonly [FunnelAsked, Funnel]
  readonly live: readonly [LiveAsked, Live]
  readonly journeys: readonly [JourneysAsked, Journeys]
  readonly event: readonly [EventAsked, EventDetail]
  readonly events: readonly [EventsAsked, Events]
  readonly properties: readonly [PropertiesAsked, Properties]
  readonly page: readonly [PageAsked, PageDetail]
  readonly clicks: readonly [ClicksAsked, Clicks]
}
const reports: { readonly [R in ReportName]: Report<AskedOf<R>, FoundBy<R>> } = Object.freeze({
  totals: totalsReport,
  vitals: vitalsReport,
  breakdown: breakdownReport,
  changes: changesReport,
  divided: dividedReport,
  experiment: experimentReport,
  funnel: funnelReport,
  live: liveReport,
  journeys: journeysReport,
  event: eventReport,
  events: eventsReport,
  properties: propertiesReport,
  page: pageReport,
  clicks: clicksReport,
})

export type ReportName = keyof Reports
export type AskedOf<R extends ReportName> = Reports[R][0]
export type FoundBy<R extends ReportName> = Reports[R][1]
export type Asked = AskedOf<ReportName>
export type Found = FoundBy<ReportName>

/** @throws Error for an unknown dimension */
export function prepare(scope: Scope, asked: Asked, context: Context): Promise<Pass<Found>> {
  const report = reports[asked.report] as Report<Asked, Found> // the report of that name
  return report(scope, asked, context)
}
