/** The part of this area that others may use. */
export { VitalRow, Vitals } from './records.ts'
export { vitalRows, webVitalsReport } from './report.ts'
