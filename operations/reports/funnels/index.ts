/** What other areas may use of this one. */
export { FunnelReport, stepsOf } from './records.ts'
export { funnelReport } from './report.ts'
