/** Exports of this area for other areas. */
export { VitalRow, Vitals } from './records.ts'
export { vitalRows, webVitalsReport } from './report.ts'
