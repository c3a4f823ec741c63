/**
 * The analytics engine: visits and hits as columns, in addition to the rows that `storage/hits` writes. Code outside this
 * folder imports only this file and `vocabulary/`.
 *
 * | folder | content | imports |
 * |---|---|---|
 * | this folder, `threads/` | answering queries and sealing days, in threads of their own | everything below |
 * | `reports/` | for each report, what it reads, counts and answers | scan |
 * | `scan/` | passes over a day: selecting visits by conditions, and counting them | days |
 * | `days/` | a day as columns: built from rows, sealed, cached, added up with others; texts by id | columns |
 * | `columns/` | formats: numbers as columns and as bytes, sums of groups, histograms, buffers | vocabulary |
 * | `vocabulary/` | terms of queries and answers: dimensions, metrics, operators, vitals, spans, conditions, sums | nothing of the engine |
 *
 * Imports point down this table; `tests/storage/engine/imports.test.ts` checks that. `docs/engine.md` explains
 * how a query is answered.
 */
export type { Difference } from './cluster-days.ts'
export type { Working } from './listed-days.ts'
export type { Engine, Sealing } from './engine.ts'
export { type EngineOptions, openEngine } from './open.ts'
export type { Answer, Answered, Query, Several, SeveralQuestion } from './query.ts'
export type { Distribution } from './columns/distribution.ts'
export type { AnyQuestion, Found, FoundBy, ReportName } from './reports/index.ts'
export type { Attribution, AttributionQuestion, AttributionTotal, Credit } from './reports/attribution.ts'
export type { Breakdown, BreakdownQuestion } from './reports/breakdown.ts'
export type { Change } from './reports/changes.ts'
export type { Clicks, ClicksQuestion } from './reports/clicks.ts'
export type { ErasureFound, ErasureQuestion } from './reports/erasure.ts'
export type { EventDetail, EventRow } from './reports/event.ts'
export type { Arm, Experiment, Variant } from './reports/experiment.ts'
export type { JourneysQuestion } from './reports/journeys.ts'
export type { Neighbours, PageCounted, PageRow } from './reports/page.ts'
export type { PersonSums } from './reports/person.ts'
export type { RetentionQuestion } from './reports/retention.ts'
export type { Returns } from './scan/retention/cohorts.ts'
export type { LoggedVisit, VisitPlace } from './reports/visit-log.ts'
export type { Table, TableQuestion, TableRow } from './reports/table.ts'
export type { DayBounds } from './days/day.ts'
export { viewsOf } from './days/recut.ts'
export type { Measured, VitalFound } from './reports/vitals.ts'
export type { VitalsSort } from './reports/vitals-by.ts'
export type { StepCount } from './scan/steps.ts'

/** `fillCluster`, `mergeCluster`, `checkCluster` and `leaveCluster`: loaded by the command that needs them, not by every start. */
export const clusterDays = () => import('./cluster-days.ts')
/** `checkPacked` and `unpackAll`, as well. */
export const packedWork = () => import('./packed-work.ts')
