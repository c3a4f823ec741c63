/** What other areas may use of this one. */
export { VitalRow, Vitals } from './records.ts'
export { vitals, vitalRows } from './report.ts'
