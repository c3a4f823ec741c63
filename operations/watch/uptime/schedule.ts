/**
 * When a check is probed: at a fixed rate, whatever a probe takes, from a phase that its id gives, so that checks made
 * together are not probed together. Every location keeps the same times.
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

/** The first tick after an instant, both epoch ms. Ticks that were missed stay missed. */
export function tickAfter({ id, interval_seconds }: Scheduled, after: number): number {
  const interval = interval_seconds * 1000
  const sinceTick = (after - (crc32(id) % interval)) % interval
  return after + interval - ((sinceTick + interval) % interval)
}

/**
 * The next probe of a location after the one that was due at `due`: the next tick, or sooner where what it saw is to
 * be confirmed (docs/decisions.md §5).
 */
export function nextProbe(check: Scheduled, due: number, unconfirmed: boolean, now: number): number {
  const tick = tickAfter(check, Math.max(due, now))
  return unconfirmed ? Math.min(tick, Math.max(due + confirmMs(check), now)) : tick
}

function confirmMs({ interval_seconds }: Scheduled): number {
  return Math.min(30_000, interval_seconds * 500)
}

/** How long a location's latest result says something: twice the interval, and what a probe may take. */
export function freshMs({ interval_seconds, timeout_seconds }: Timed): number {
  return (2 * interval_seconds + timeout_seconds) * 1000
}
