import { MINUTE_MS } from '../../values/durations.ts'

/** How long after the last activity a visitor counts as current, ms (docs/analytics.md §1). */
export const ACTIVE_MS = 5 * MINUTE_MS
