/**
 * Days from the rows of the database. The database joins each column of a day into one text: fetching row by row
 * costs five times as much as reading these, and fills the memory with objects.
 */
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { prepared } from '../../prepared.ts'
import type { Db } from '../../store.ts'
import { buildDay, hitParts, type Lists, propParts, visitParts } from './build-day.ts'
import type { Day } from './day.ts'
import type { DayBounds } from './day.ts'
import { withVisits } from './with-visits.ts'

/** A day as `site_days` has it. */
export interface SiteDay extends DayBounds {
  /** How many visitors it has had. */
  readonly visitors: number
  /** Another one after every change. */
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

/** @param days neighbours: none of the site's days lies between them that is not among them */
export async function readDays(db: Db, site: number, days: readonly SiteDay[]): Promise<Day[]> {
  const [from, to] = [days[0]?.day ?? 0, days.at(-1)?.day ?? -1]
  const ofDays = sql`site_id = ${site} and day >= ${from} and day <= ${to}`
  const visits = await lists(db, 'visits', visitParts, ofDays)
  const hits = await lists(db, 'hits', hitParts, ofDays)
  const props = await lists(db, 'hit_props', propParts, ofDays)
  return days.map(day => buildDay(day, { visits: visits(day.day), hits: hits(day.day), props: props(day.day) }))
}

/** Where so many visits changed, they are more than half of the work of reading all of them. */
const MOST_CHANGED = 5_000

/**
 * A day brought up to date: only the visits that changed are read, and the rest is copied.
 * @param known the day as it was at a `rev` before
 * @returns null where visits are gone, or where it is as well to read all of it
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
  // What is there now and was not read just now was there before. So nothing is gone exactly where the counts agree.
  return merged.visits.count === count ? merged : null
}

/** How many visits a day has, and which of them changed after a `rev`: one pass over its visits, 2 ms for 20,000. */
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
  // Properties lie by event: those of other events need not be looked through.
  const ofEvents = among('event', [...new Set(hits.event)])
  const props = await lists(db, 'hit_props', propParts, sql`${ofDay} ${ofEvents} ${ofThem}`)
  return buildDay(siteDay, { visits: visits(day), hits, props: props(day) })
}

/** Written into the SQL, as there may be more of them than a statement has parameters. */
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
    return Object.fromEntries(entries) as Lists<Name> // one entry a name
  }
}

const numbers = (text: string): number[] => JSON.parse(`[${text}]`) as number[] // the columns hold integers only
