/** Cuts the days of a site after a change of its time zone, oldest first, once no hit of theirs can come any more. */
import { dayStart, localDay } from '../calendar/zones.ts'
import type { Db, Store, Trx } from '../store.ts'
import { yieldWhereDue } from '../system/event-loop.ts'
import { FORGET_AFTER_MS, lockSiteAndRow } from './days.ts'
import { isCut } from './divided-visit.ts'
import { recutDay, type Recutting } from './recut-day.ts'

export interface RecuttingSite extends Recutting {
  /** Days that begin before may have boundaries of an earlier zone, epoch ms. */
  readonly before: number
  /** Stores that days which end before this time are cut, epoch ms. */
  reached(at: number): Promise<void>
  /** Called in the transaction in which all days are found to be cut. */
  finished(trx: Trx): Promise<void>
  progress?(done: number, total: number): void
}

interface StoredDay {
  readonly day: number
  readonly startsAt: number
  readonly endsAt: number
}

/** @returns whether all days are cut; false if days are still open, or if it was interrupted: call it again later */
export async function recutSite(store: Store, cutting: RecuttingSite): Promise<boolean> {
  const { zone, now, signal, before, reached, progress } = cutting
  const days = await uncut(store.read, cutting)
  for (const [i, day] of days.entries()) {
    if (signal.aborted) return false
    await reached(localDay(zone, day.startsAt).startsAt)
    if (day.endsAt > now - FORGET_AFTER_MS || (await isKnown(store.read, cutting, day))) return false
    if (!(await recutDay(store, cutting, day.day))) return false
    progress?.(i + 1, days.length)
  }
  return now < before ? false : finish(store, cutting)
}

async function uncut(db: Db, { site, zone, before }: RecuttingSite): Promise<StoredDay[]> {
  const stored = db.selectFrom('site_days').select(['day', 'starts_at as startsAt', 'ends_at as endsAt']).where('site_id', '=', site)
  const found: StoredDay[] = []
  for (const day of await stored.where('starts_at', '<', before).orderBy('starts_at').orderBy('day').execute()) {
    await yieldWhereDue()
    if (!isCut(zone, day)) found.push(day)
  }
  return found
}

/** Whether visitors of the day can still be recognised: hits may come, also from an import. */
async function isKnown(db: Db, { site }: RecuttingSite, { day }: StoredDay): Promise<boolean> {
  const salt = db.selectFrom('salts').select('day').where('site_id', '=', site).where('day', '=', day)
  return (await salt.executeTakeFirst()) !== undefined
}

/** Gives cut days the boundaries of their calendar day, so that their hours begin at midnight. */
async function finish(store: Store, cutting: RecuttingSite): Promise<boolean> {
  const { site, zone, before, mayCut, divided, finished } = cutting
  return store.transaction(async trx => {
    const { deleted } = await lockSiteAndRow(store, trx, site)
    if (deleted.length > 0 || !(await mayCut(trx)) || (await uncut(trx, cutting)).length > 0) return false
    const stored = trx.selectFrom('site_days').select(['day', 'starts_at', 'ends_at', 'rev']).where('site_id', '=', site)
    for (const { day, starts_at, ends_at, rev } of await stored.where('starts_at', '<', before).execute()) {
      await yieldWhereDue()
      const bounds = { starts_at: dayStart(zone, day), ends_at: dayStart(zone, day + 1) }
      if (bounds.starts_at === starts_at && bounds.ends_at === ends_at) continue
      const ofDay = trx.updateTable('site_days').where('site_id', '=', site).where('day', '=', day)
      await ofDay.set({ ...bounds, rev: rev + 1 }).execute()
      await divided?.(trx, { site, day, rev, into: [] })
    }
    await finished(trx)
    return true
  })
}
