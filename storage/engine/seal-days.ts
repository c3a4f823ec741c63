/** Turns days that are over into columns, one after the other. */
import { setImmediate } from 'node:timers/promises'
import { type Unsealed, unsealedDays, writeSealed } from './days/segments.ts'
import type { Store } from '../store.ts'
import { FORMAT } from './days/sealed-columns.ts'
import type { Sealer } from './threads/reader.ts'

/** A day that has just ended still gets hits that were on their way, ms. */
const SETTLES_AFTER = 15 * 60_000
/** Days of fewer visitors stay rows: to read those takes no longer than to read columns, and less room. */
export const LEAST_VISITORS = 100
const DAYS_AT_ONCE = 200

export interface Sealing {
  readonly store: Store
  /** Builds the columns in its threads. */
  readonly reader: Sealer
  now(): number
  readonly signal: AbortSignal
  readonly leastVisitors?: number
  /** After each day. */
  progress?(done: number): void
  /** Hears why a day could not be sealed: its rows are read until it can. */
  failed(day: { readonly site: number; readonly day: number }, error: unknown): void
}

/**
 * Seals what is due. A day that changes meanwhile stays as it is until the next time.
 * @returns whether there is more to do
 */
export async function sealDays(
  { store, reader, now, signal, leastVisitors = LEAST_VISITORS, progress, failed }: Sealing,
): Promise<boolean> {
  const days = await unsealedDays(store, now() - SETTLES_AFTER, DAYS_AT_ONCE)
  let written = 0
  for (const [i, day] of days.entries()) {
    if (signal.aborted) return true
    try {
      if (await seal(day)) written++
    } catch (error) {
      failed(day, error)
    }
    progress?.(i + 1)
    await setImmediate()
  }
  return days.length === DAYS_AT_ONCE && written > 0

  async function seal(day: Unsealed): Promise<boolean> {
    if (day.visitors < leastVisitors) return writeSealed(store, day, FORMAT, null)
    const built = await reader.seal(day.site, day.day)
    return built !== null && writeSealed(store, { ...day, rev: built.rev }, FORMAT, built.sealed)
  }
}
