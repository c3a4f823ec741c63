/**
 * Reads days from database rows. The database joins each column of a day into one text: reading row by row would cost
 * five times as much and fill memory with objects.
 */
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { prepared } from '../../prepared.ts'
import type { Db } from '../../store.ts'
import { buildDay, hitParts, type Lists, propParts, visitParts } from './build-day.ts'
import type { Day } from './day.ts'
import type { DayBounds } from './day.ts'
import { withVisits } from './with-visits.ts'

/** A day as stored in `site_days`. */
export interface SiteDay extends DayBounds {
  /** Visitors so far. */
  readonly visitors: number
  /** Changes with every change of the day. */
  readonly rev: number
  /** Whether it may have a segment. */
  readonly sealed: SqlBool
}

export const siteDays: (db: Db, site: number, fromDay: number, toDay: number) => Promise<readonly SiteDay[]> = prepared(
  (db, site: number, from: number, to: number) =>
    db
      .selectFrom('site_days')
      .select(['day', 'starts_at as startsAt', 'ends_at as endsAt', 'next_visitor as visitors', 'rev'])
      .select(({ eb, ref }) => eb('sealed_rev', '=', ref('rev')).as('sealed'))
      .where('site_id', '=', site)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .orderBy('day'),
)

/** @param days adjacent: every day of the site between the first and last is among them */
export async function readDays(db: Db, site: number, days: readonly SiteDay[]): Promise<Day[]> {
  const [from, to] = [days[0]?.day ?? 0, days.at(-1)?.day ?? -1]
  const ofDays = sql`site_id = ${site} and day >= ${from} and day <= ${to}`
  const visits = await lists(db, 'visits', visitParts, ofDays)
  const hits = await lists(db, 'hits', hitParts, ofDays)
  const props = await lists(db, 'hit_props', propParts, ofDays)
  return days.map(day => buildDay(day, { visits: visits(day.day), hits: hits(day.day), props: props(day.day) }))
}

/** With so many changed visits, an update costs more than half of reading the whole day. */
const MOST_CHANGED = 5_000

/**
 * Updates a day: only changed visits are read, the rest is copied.
 * @param known the day at an earlier `rev`
 * @returns null if visits were deleted, or if reading all of it costs the same
 */
export async function extendDay(
  db: Db,
  site: number,
  siteDay: SiteDay,
  known: Pick<SiteDay, 'rev'> & { readonly day: Day },
): Promise<Day | null> {
  const { day, startsAt, endsAt } = siteDay
  if (known.day.startsAt !== startsAt || known.day.endsAt !== endsAt) return null
  const { count, changed } = await changedSince(db, site, day, known.rev)
  const most = Math.min(MOST_CHANGED, Math.ceil(count / 2))
  if (changed.length > most) return null
  const merged = changed.length === 0 ? known.day : withVisits(known.day, await readVisits(db, site, siteDay, changed))
  // Visits that exist and were not read now existed before. So nothing was deleted exactly if the counts agree.
  return merged.visits.count === count ? merged : null
}

/** The number of visits of a day, and those changed after a `rev`: one pass, 2 ms for 20,000. */
async function changedSince(db: Db, site: number, day: number, rev: number): Promise<{ count: number; changed: readonly number[] }> {
  const {
    rows: [row],
  } = await sql<{ count: number; changed: string | null }>`
    select cast(count(*) as integer) as count,
      string_agg(case when rev > ${rev} then cast(visit_id as text) end, ',') as changed
    from visits where site_id = ${site} and day = ${day}`.execute(db)
  return { count: row?.count ?? 0, changed: numbers(row?.changed ?? '') }
}

/** Some visits of a day, as a day of their own. */
async function readVisits(db: Db, site: number, siteDay: SiteDay, ids: readonly number[]): Promise<Day> {
  const { day } = siteDay
  const ofDay = sql`site_id = ${site} and day = ${day}` // equal: the key goes on with the visit
  const ofThem = among('visit_id', ids)
  const visits = await lists(db, 'visits', visitParts, sql`${ofDay} ${ofThem}`)
  const hits = (await lists(db, 'hits', hitParts, sql`${ofDay} ${ofThem}`))(day)
  // Properties are clustered by event: skip those of other events.
  const ofEvents = among('event', [...new Set(hits.event)])
  const props = await lists(db, 'hit_props', propParts, sql`${ofDay} ${ofEvents} ${ofThem}`)
  return buildDay(siteDay, { visits: visits(day), hits, props: props(day) })
}

/** Literal SQL, as there may be more ids than a statement can have parameters. */
const among = (column: string, ids: readonly number[]): RawBuilder<unknown> =>
  ids.length === 0 ? sql`and 1 = 0` : sql`and ${sql.ref(column)} in (${sql.join(ids.map(id => sql.lit(id)))})`

/** The columns of a table, by day. */
async function lists<Name extends string>(
  db: Db,
  table: 'visits' | 'hits' | 'hit_props',
  names: readonly Name[],
  where: RawBuilder<unknown>,
): Promise<(day: number) => Lists<Name>> {
  const joined = names.map(name => sql`string_agg(cast(${sql.ref(name)} as text), ',') as ${sql.ref(name)}`)
  const { rows } = await sql<{ day: number } & Record<Name, string>>`
    select day, ${sql.join(joined)} from ${sql.table(table)} where ${where} group by day`.execute(db)
  const byDay = new Map(rows.map(row => [row.day, row]))
  return day => {
    const row = byDay.get(day)
    const entries = names.map(name => [name, row ? numbers(row[name]) : []])
    return Object.fromEntries(entries) as Lists<Name> // one entry for each name
  }
}

const numbers = (text: string): number[] => JSON.parse(`[${text}]`) as number[] // the columns contain integers only
