/** The part of this area that others may use. */
export { Live } from './records.ts'
export { liveReport } from './report.ts'
