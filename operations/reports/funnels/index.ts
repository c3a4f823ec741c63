/** The part of this area that others may use. */
export { FunnelReport, stepsOf } from './records.ts'
export { funnelReport } from './report.ts'
