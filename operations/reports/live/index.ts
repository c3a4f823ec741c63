/** Exports of this area for other areas. */
export { Live } from './records.ts'
export { liveReport } from './report.ts'
