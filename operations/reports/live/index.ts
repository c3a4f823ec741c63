/** What other areas may use of this one. */
export { Live } from './records.ts'
export { liveReport } from './report.ts'
