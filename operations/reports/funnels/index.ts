/** Exports of this area for other areas. */
export { FunnelReport } from './records.ts'
export { funnelReport } from './report.ts'
export { windowMs } from './options.ts'
