/** Seals past days, one after another. */
import { setImmediate } from 'node:timers/promises'
import { type Unsealed, unsealedDays, writeSealed } from './days/segments.ts'
import type { Store } from '../store.ts'
import { FORMAT } from './days/sealed-columns.ts'
import type { SealedAt } from './days/database-source.ts'
import type { Sealing } from './engine.ts'

/** After the end of a day, hits sent before its end may still arrive for so long, ms. */
const SETTLES_AFTER = 15 * 60_000
/** Days with fewer visitors are not sealed: reading their rows is as fast, and takes less space. */
const LEAST_VISITORS = 100
const DAYS_AT_ONCE = 200

export interface SealingOfDays extends Sealing {
  readonly store: Store
  /** Builds the columns of a day. */
  sealed(site: number, day: number): Promise<SealedAt | null>
}

/** As `Engine` says. */
export async function sealDays({
  store,
  sealed,
  now,
  signal,
  leastVisitors = LEAST_VISITORS,
  progress,
  failed,
}: SealingOfDays): Promise<boolean> {
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
    const built = await sealed(day.site, day.day)
    return built !== null && writeSealed(store, { ...day, rev: built.rev }, FORMAT, built.sealed)
  }
}
