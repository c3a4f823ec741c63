/** What other areas may use of this one. */
export { VitalRow, Vitals } from './records.ts'
export { vitalRows, webVitalsReport } from './report.ts'
