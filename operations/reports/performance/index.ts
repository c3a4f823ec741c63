/** Exports of this area for other areas. */
export { Vitals } from './records.ts'
export { vitalRows, webVitalsReport } from './report.ts'
