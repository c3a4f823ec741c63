/** The days of sites that receive hits: their rows, and the salts for hashing visitors. */
import { runNamed } from '../sql/named-statements.ts'
import { sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { Store, Trx } from '../store.ts'
import { type LocalDay, localDay } from '../calendar/zones.ts'
import { daySpan } from './day-spans.ts'
import type { NewHit } from './new-hit.ts'
import type { SiteDay } from '../values/site-day.ts'
import { HOUR_MS } from '../values/durations.ts'

/** Salts and visitors are deleted this long after the end of their day (docs/analytics.md §1) … */
export const FORGET_AFTER_MS = 48 * HOUR_MS
/** … and hits are accepted for an hour less, so that neither clock differences nor waiting transactions meet the deletion. */
export const LATE_MS = FORGET_AFTER_MS - HOUR_MS
/** Longest possible day: one in which the site moved from the first time zone to the last. */
export const MAX_DAY_MS = 50 * HOUR_MS

const SALT_BYTES = 16

/** A day that accepts hits. Its boundaries only move outwards, so its hits stay in it. */
export interface OpenDay extends LocalDay {
  readonly site: number
  /** Hex. */
  readonly salt: string
}

/** The inputs of a visitor's hash. */
export type SaltedDay = Pick<OpenDay, 'site' | 'day' | 'salt'>

/** The days of one transaction. */
export interface Days {
  /** The day of a hit, if it is known and open. */
  known(hit: NewHit): OpenDay | undefined
  /** The day of a hit, created if necessary; null if it is closed. */
  of(hit: NewHit): Promise<OpenDay | null>
  /** The day before one, as long as its visitors are known. */
  before(day: OpenDay): Promise<SaltedDay | null>
  /** Makes these days known to later transactions. Call it after the commit. */
  remember(): void
}

/**
 * Opens the days of sites. Call with the sites locked (`lockSites`).
 * @param anyDay whether sealed days accept hits, too; their visitors are then new ones
 */
export function openDays(randomBytes: (n: number) => Buffer, { anyDay }: { anyDay: boolean }): (trx: Trx, now: number) => Days {
  const cache = dayCache()
  return (trx, now) => {
    const opened: OpenDay[] = []
    const earlier = new Map<string, Promise<SaltedDay | null>>()
    const isClosed = ({ endsAt }: LocalDay) => !anyDay && endsAt + LATE_MS <= now

    async function open({ site, zone, at }: NewHit): Promise<OpenDay | null> {
      const spans = await spansAround(trx, site, localDay(zone, at).day)
      const span = daySpan(spans, zone, at)
      if (isClosed(span)) return null
      if (!spans.includes(span)) await putSpan(trx, site, span)
      const day = { site, ...span, salt: await saltOf(trx, { site, day: span.day, randomBytes }) }
      opened.push(day)
      return day
    }

    const found = ({ site, at }: NewHit) => cache.find(site, at) ?? opened.findLast(day => day.site === site && holds(day, at))

    return {
      known(hit) {
        const day = found(hit)
        return day && !isClosed(day) ? day : undefined
      },
      async of(hit) {
        if (!anyDay && hit.at + MAX_DAY_MS + LATE_MS <= now) return null
        const day = found(hit)
        return day ? (isClosed(day) ? null : day) : open(hit)
      },
      before(day) {
        const key = `${day.site} ${day.day}`
        const found = earlier.get(key) ?? dayBefore(trx, day)
        earlier.set(key, found)
        return found
      },
      remember: () => cache.add(opened, now),
    }
  }
}

const holds = (day: LocalDay, at: number): boolean => day.startsAt <= at && at < day.endsAt

async function spansAround(trx: Trx, site: number, day: number): Promise<LocalDay[]> {
  const around = trx
    .selectFrom('site_days')
    .select(['day', 'starts_at', 'ends_at'])
    .where('site_id', '=', site)
    .where('day', '>=', day - 3)
    .where('day', '<=', day + 3)
    .orderBy('day')
  const { rows } = await runNamed(trx, 'days.spans', around)
  return rows.map(row => ({ day: row.day, startsAt: row.starts_at, endsAt: row.ends_at }))
}

async function putSpan(trx: Trx, site: number, { day, startsAt, endsAt }: LocalDay): Promise<void> {
  const boundaries = { starts_at: startsAt, ends_at: endsAt }
  const put = trx
    .insertInto('site_days')
    .values({ site_id: site, day, ...boundaries, next_visitor: 1, next_loose: 0, rev: 0, sealed_rev: 0 })
    .onConflict(conflict => conflict.columns(['site_id', 'day']).doUpdateSet(boundaries))
  await runNamed(trx, 'days.put-span', put)
}

async function dayBefore(trx: Trx, { site, day, startsAt }: OpenDay): Promise<SaltedDay | null> {
  const before = trx
    .selectFrom('site_days')
    .innerJoin('salts', join => join.onRef('salts.site_id', '=', 'site_days.site_id').onRef('salts.day', '=', 'site_days.day'))
    .select(['site_days.day', 'salts.salt'])
    .where('site_days.site_id', '=', site)
    .where('site_days.day', '<', day)
    .where('site_days.ends_at', '>', startsAt - HOUR_MS)
    .orderBy('site_days.day', 'desc')
    .limit(1)
  const [found] = (await runNamed(trx, 'days.before', before)).rows
  return found ? { site, ...found } : null
}

async function saltOf(
  trx: Trx,
  { site, day, randomBytes }: { site: number; day: number; randomBytes: (n: number) => Buffer },
): Promise<string> {
  const find = trx.selectFrom('salts').select('salt').where('site_id', '=', site).where('day', '=', day)
  const [known] = (await runNamed(trx, 'days.salt', find)).rows
  if (known) return known.salt
  const salt = randomBytes(SALT_BYTES).toString('hex')
  await runNamed(trx, 'days.put-salt', trx.insertInto('salts').values({ site_id: site, day, salt }))
  return salt
}

/** Deletes cached salts at the same time as the database. */
function dayCache() {
  const sites = new Map<number, readonly OpenDay[]>()
  let sweepAt = 0

  function sweep(now: number): void {
    for (const [site, days] of sites) {
      const left = days.filter(day => day.endsAt + FORGET_AFTER_MS > now)
      if (left.length === 0) sites.delete(site)
      else sites.set(site, left)
    }
    sweepAt = now + HOUR_MS
  }

  return {
    find: (site: number, at: number) => sites.get(site)?.find(day => holds(day, at)),
    add(days: readonly OpenDay[], now: number) {
      for (const day of days) sites.set(day.site, [day, ...(sites.get(day.site) ?? [])])
      if (now >= sweepAt) sweep(now)
    },
  }
}

/** Raises the revision of a day whose rows change. @returns the new one; undefined if the day was deleted */
export async function raiseRevision(trx: Trx, { site, day }: SiteDay): Promise<number | undefined> {
  const row = await trx
    .updateTable('site_days')
    .set(({ eb }) => ({ rev: eb('rev', '+', 1) }))
    .where('site_id', '=', site)
    .where('day', '=', day)
    .returning('rev')
    .executeTakeFirst()
  return row?.rev
}

/**
 * Locks a site whose row is about to change: first the row, as a call does that changes the site or its records, and then its hits. In
 * the other order, both would wait for each other.
 */
export async function lockSiteAndRow({ dialect }: Pick<Store, 'dialect'>, trx: Trx, site: number): ReturnType<Dialect['lockSites']> {
  await sql`select 1 from sites where number = ${site} ${sql.raw(dialect.rowLock.wait)}`.execute(trx)
  return dialect.lockSites(trx, [site])
}
