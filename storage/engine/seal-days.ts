/** Seals past days, one after another. Any number of workers may do so at a time, each with the days that it has claimed. */
import { setImmediate } from 'node:timers/promises'
import { claimUnsealed, giveBack, type Unsealed, writeSealed } from './days/segments.ts'
import { newCopy } from '../cluster/cluster.ts'
import { noteCopy } from '../moved-days/copies.ts'
import type { Store } from '../store.ts'
import { FORMAT } from './days/sealed-columns.ts'
import type { SealedAt } from './days/database-source.ts'
import type { Sealing } from './engine.ts'

/** Time after the end of a day in which hits from before its end may still arrive, ms. */
const SETTLES_AFTER = 15 * 60_000
/** Days with fewer visitors are not sealed: reading their rows is as fast, and takes less space. */
const MIN_VISITORS = 100
const DAYS_AT_ONCE = 200
/** Few enough days to seal before the claim ends. Otherwise another worker seals them again, with the same result. */
const CLAIMED = 8
const CLAIM_MS = 2 * 60_000

export interface SealingOfDays extends Sealing {
  readonly store: Store
  /** Builds the columns of a day. @param visitors so many, if they may be many @param copy as `Sources.seal` says */
  sealed(site: number, day: number, visitors?: number, copy?: number): Promise<SealedAt | null>
}

/** Seals some past days: `Engine.sealDays`. */
export async function sealDays({
  store,
  sealed,
  now,
  signal,
  minVisitors = MIN_VISITORS,
  progress,
  failed,
}: SealingOfDays): Promise<boolean> {
  let [seen, written] = [0, 0]
  /** Days to give back at the end, so that they are not claimed again before. */
  const unsealed: { days: readonly Unsealed[]; until: number }[] = []
  for (let isMore = true; isMore && seen < DAYS_AT_ONCE; ) {
    const until = now() + CLAIM_MS
    const days = await claimUnsealed(store, { endedBefore: now() - SETTLES_AFTER, now: now(), until, limit: CLAIMED })
    const left = new Set(days)
    for (const day of days) {
      if (signal.aborted) break
      try {
        if (await seal(day)) {
          written++
          left.delete(day)
        }
      } catch (error) {
        failed(day, error)
      }
      progress?.(++seen)
      await setImmediate()
    }
    unsealed.push({ days: [...left], until })
    isMore = days.length === CLAIMED && !signal.aborted
  }
  for (const { days, until } of unsealed) await giveBack(store, days, until)
  return signal.aborted || (seen >= DAYS_AT_ONCE && written > 0)

  async function seal(day: Unsealed): Promise<boolean> {
    if (day.visitors < minVisitors) return writeSealed(store, { unsealed: day, format: FORMAT, sealed: null, now: now() })
    const copy = store.cluster ? newCopy(now()) : 0
    if (copy !== 0) await noteCopy(store, { dayOf: day, copy, now: now() })
    const built = await sealed(day.site, day.day, day.visitors, copy)
    if (!built) return false
    const { rev, epoch, copied } = built
    return writeSealed(store, { unsealed: { ...day, rev }, format: FORMAT, sealed: built.sealed, copied, epoch, now: now() })
  }
}
