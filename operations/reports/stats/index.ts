/** Exports of this area for other areas: alerts and dashboards query like reports. */
export { type Applied, apply, plainMeta, spanOf, type StatsInput } from './applied.ts'
export { type Dimension, dimensionNames, dimensionOf, DIMENSIONS_KNOWN, labelOf } from '../../../storage/engine/vocabulary/dimensions.ts'
export type {
  Answered,
  AnyQuestion,
  Distribution,
  EventDetail,
  EventRow,
  Engine,
  Query,
} from '../../../storage/engine/index.ts'
export { ACTIVE_MS } from '../../../storage/engine/vocabulary/active.ts'
export { engine } from './engine.ts'
export { newestVisits } from './newest-visits.ts'
export { cursorOf, placeIn, visitId, visitPlace } from './visit-places.ts'
export { hasPeople, unidentifiedNotes } from './chosen.ts'
export {
  type Calendar,
  type Condition,
  type Goal,
  type Note as EngineNote,
  type Scope,
  SORTS,
  type Span,
} from '../../../storage/engine/vocabulary/scope.ts'
export type { Sums } from '../../../storage/engine/vocabulary/sums.ts'
export { intervalInput, rowsInput, seriesInput, statsInput } from './input.ts'
export {
  change,
  changes,
  comparedFigures,
  figures,
  headline,
  type MetricName,
  metrics,
  percentOf,
} from '../../../storage/engine/vocabulary/metrics.ts'
export { Aggregate, Breakdown, CHANGES, changeFields, metricFields, Period, ReportMeta, Timeseries } from './records.ts'
export { everythingOf, queryOf } from './scope-of.ts'
export { aggregate, breakdown, periodOf, type Report, timeseries, withNotes } from './reports.ts'
export { defaultMetrics, metricsOfTable, TABLE_DIMENSIONS, unknownDimensions } from './query/input.ts'
export { QueryTable } from './query/records.ts'
export { tableByNames as queried } from './query/table.ts'
export { presentDays } from './present-days.ts'
export type { Note } from './report-notes.ts'
export { resultOf } from './result-of.ts'
export { goalsOf, unknownGoalId } from './saved.ts'
export {
  type VitalName,
  vitalNames,
} from '../../../storage/values/web-vitals.ts'
export { overview } from './overview/overview.ts'
export { Overview } from './overview/records.ts'
export { isOfImportedDays } from './imported.ts'
export { startOf } from './time/calendar.ts'
export { localTime } from './time/label.ts'
export { CALENDAR_PERIOD, CALENDAR_PERIODS, isPeriod, type Period as PeriodName, PERIODS, resolvePeriod } from './time/period.ts'
export { seriesOf } from './series.ts'
export { INTERVALS } from './time/interval.ts'
export * as calendar from './time/calendar.ts'
export { dimensionSynonym, periodSynonym } from './synonyms.ts'
