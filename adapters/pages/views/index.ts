/** Views made for a purpose, by the record that they show (`[Site]`: a list of it). What has none is shown by its schema. */
import { alert, alerts } from './alert.tsx'
import { audit } from './audit.tsx'
import { breakdown } from './breakdown.tsx'
import { card } from './card.tsx'
import { dashboard } from './dashboard.tsx'
import { deliveries } from './deliveries.tsx'
import { eventDetail } from './event-detail.tsx'
import { eventList } from './event-list.tsx'
import { experiment } from './experiment.tsx'
import { funnel, funnelReport } from './funnel.tsx'
import { goal } from './goal.tsx'
import { goals } from './goals.tsx'
import { insights } from './insights.tsx'
import { journeys } from './journeys.tsx'
import { live } from './live.tsx'
import { overview } from './overview.tsx'
import { pageDetail } from './page-detail.tsx'
import { performance } from './performance.tsx'
import { sites } from './sites.tsx'
import { timeseries } from './timeseries.tsx'
import { tokens } from './tokens.tsx'
import { uptimeCheck } from './uptime-check.tsx'
import type { View } from './view.ts'

export const views: Readonly<Record<string, View>> = {
  Overview: overview,
  Timeseries: timeseries,
  Breakdown: breakdown,
  Live: live,
  Insights: insights,
  Journeys: journeys,
  PageDetail: pageDetail,
  EventList: eventList,
  EventDetail: eventDetail,
  Funnel: funnel,
  FunnelReport: funnelReport,
  Performance: performance,
  Experiment: experiment,
  Dashboard: dashboard,
  CardData: card,
  UptimeCheckDetail: uptimeCheck,
  Alert: alert,
  '[Alert]': alerts,
  '[Site]': sites,
  Goal: goal,
  '[Goal]': goals,
  '[WebhookDelivery]': deliveries,
  '[AuditEntry]': audit,
  '[ApiToken]': tokens,
}
