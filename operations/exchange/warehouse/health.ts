/** The health of a sync, and its retries. */
import { type Sentence, storedSentence } from '../../../runtime/texts/message.ts'
import type { WarehouseSyncRow } from '../../../storage/tables/warehouse.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../storage/values/durations.ts'

export const statuses = ['active', 'failing', 'paused'] as const

/** Interval between checks for days to send. */
export const CHECK_MS = 5 * MINUTE_MS
const failingFrom = 5
const pausedAfterMs = 14 * DAY_MS
/** Delay after a failure, by failures in a row; an hour from the fifth on. */
const waits = [MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS]

export type Health = Pick<WarehouseSyncRow, 'enabled' | 'consecutive_failures' | 'failing_since' | 'next_at' | 'last_error'>

export function statusOf({ enabled, consecutive_failures }: Pick<Health, 'enabled' | 'consecutive_failures'>): (typeof statuses)[number] {
  if (enabled === 0) return 'paused'
  return consecutive_failures >= failingFrom ? 'failing' : 'active'
}

/** @param at when it failed, epoch ms */
export function afterFailure({ consecutive_failures, failing_since }: Health, at: number, error: Sentence): Health {
  const failures = consecutive_failures + 1
  const since = failing_since ?? at
  const isPaused = at - since >= pausedAfterMs
  return {
    enabled: isPaused ? 0 : 1,
    consecutive_failures: failures,
    failing_since: since,
    next_at: isPaused ? null : at + (waits[failures - 1] ?? HOUR_MS),
    last_error: storedSentence(error),
  }
}

/** The state of a sync that starts or whose attempt succeeded. */
export const healthy = { consecutive_failures: 0, failing_since: null, last_error: null } as const
