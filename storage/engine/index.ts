/**
 * The analytics engine: a database of visits and hits as columns, beside the rows that `storage/hits` writes. Outside
 * of this folder only this file and `vocabulary/` are imported.
 *
 * | folder | what is there | imports |
 * |---|---|---|
 * | `vocabulary/` | what can be asked and answered: dimensions, metrics, operators, vitals, spans, conditions, sums | nothing of the engine |
 * | `columns/` | formats: numbers as columns and as bytes, sums of groups, histograms, buffers | vocabulary |
 * | `days/` | a day as columns: built from rows, sealed, kept in memory, added up with others; texts behind ids | columns |
 * | `scan/` | passes over a day: which visits conditions keep, and counting these | days |
 * | `reports/` | what each report declares to read, counts and answers | scan |
 * | this folder, `threads/` | a question is answered, a day sealed, in threads of their own | all of them |
 *
 * An import only points up this table; `tests/storage/engine/imports.test.ts` holds it. How a question is answered is
 * told in `docs/engine.md`.
 */
export type { Engine, Sealing } from './engine.ts'
export { type EngineOptions, openEngine } from './open.ts'
export type { Answer, Answered, Query, Several, SeveralAsked } from './query.ts'
export type { Distribution } from './columns/distribution.ts'
export type { Asked, Found, FoundBy, ReportName } from './reports/index.ts'
export type { Breakdown, BreakdownAsked } from './reports/breakdown.ts'
export type { Change } from './reports/changes.ts'
export { type Clicks, type ClicksAsked, GRID } from './reports/clicks.ts'
export type { EventDetail, EventRow } from './reports/event.ts'
export type { Arm, Experiment, Variant } from './reports/experiment.ts'
export type { JourneysAsked } from './reports/journeys.ts'
export { ACTIVE_MS } from './reports/live.ts'
export type { Neighbours, PageCounted, PageRow } from './reports/page.ts'
export type { Measured, VitalFound } from './reports/vitals.ts'
export type { StepCount } from './scan/steps.ts'
