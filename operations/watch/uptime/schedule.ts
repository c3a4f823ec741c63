/**
 * The schedule of a check: a fixed rate, however long a probe takes, with a phase derived from its id, so that checks
 * created together are not probed together. All locations have the same schedule.
 */
import { crc32 } from 'node:zlib'

interface Timed {
  readonly interval_seconds: number
  readonly timeout_seconds: number
}
interface Scheduled {
  readonly id: string
  readonly interval_seconds: number
}

/** The first tick after an instant, both epoch ms. Missed ticks are skipped. */
export function tickAfter({ id, interval_seconds }: Scheduled, after: number): number {
  const interval = interval_seconds * 1000
  const sinceTick = (after - (crc32(id) % interval)) % interval
  return after + interval - ((sinceTick + interval) % interval)
}

interface NextProbe {
  readonly check: Scheduled
  readonly due: number
  readonly unconfirmed: boolean
  readonly now: number
}

/**
 * The probe of a location after the one due at `due`: at the next tick, or sooner if its result needs confirmation
 * (docs/decisions.md §5).
 */
export function nextProbe({ check, due, unconfirmed, now }: NextProbe): number {
  const tick = tickAfter(check, Math.max(due, now))
  return unconfirmed ? Math.min(tick, Math.max(due + confirmMs(check), now)) : tick
}

function confirmMs({ interval_seconds }: Scheduled): number {
  return Math.min(30_000, interval_seconds * 500)
}

/** How long a location's latest result counts, ms: twice the interval, plus the timeout. */
export function freshMs({ interval_seconds, timeout_seconds }: Timed): number {
  return (2 * interval_seconds + timeout_seconds) * 1000
}
