/** Lengths of time for adapters, which import only from `runtime`. */
export { DAY_MS, MINUTE_MS } from '../../storage/values/durations.ts'
