/**
 * Days from the rows of the database. The database joins each column of a day into one text: fetching row by row
 * costs five times as much as reading these, and fills the memory with objects.
 */
import { sql } from 'kysely'
import { prepared } from '../../../storage/prepared.ts'
import type { Db } from '../../../storage/store.ts'
import { buildDay, hitParts, type Lists, propParts, visitParts } from './build-day.ts'
import type { Day } from './day.ts'
import type { Cut } from './spans.ts'

/** A day as `site_days` has it. */
export interface SiteDay extends Cut {
  /** How many visitors it has had. */
  readonly visitors: number
  /** Another one after every change. */
  readonly rev: number
  /** Whether it may have a segment. */
  readonly sealed: boolean
}

export async function siteDays(db: Db, site: number, fromDay: number, toDay: number): Promise<SiteDay[]> {
  const rows = await daysBetween(db, site, fromDay, toDay)
  return rows.map(({ day, starts_at: startsAt, ends_at: endsAt, next_visitor: visitors, rev, sealed_rev }) =>
    ({ day, startsAt, endsAt, visitors, rev, sealed: sealed_rev === rev }))
}

const daysBetween = prepared((db, site: number, from: number, to: number) =>
  db.selectFrom('site_days').select(['day', 'starts_at', 'ends_at', 'next_visitor', 'rev', 'sealed_rev'])
    .where('site_id', '=', site).where('day', '>=', from).where('day', '<=', to).orderBy('day'))

/** @param days neighbours: none of the site's days lies between them that is not among them */
export async function readDays(db: Db, site: number, days: readonly SiteDay[]): Promise<Day[]> {
  const [from, to] = [days[0]?.day ?? 0, days.at(-1)?.day ?? -1]
  const visits = await lists(db, 'visits', visitParts, site, from, to)
  const hits = await lists(db, 'hits', hitParts, site, from, to)
  const props = await lists(db, 'hit_props', propParts, site, from, to)
  return days.map(day => buildDay(day, { visits: visits(day.day), hits: hits(day.day), props: props(day.day) }))
}

/** The columns of a table, by day. */
async function lists<Name extends string>(
  db: Db, table: 'visits' | 'hits' | 'hit_props', names: readonly Name[], site: number, from: number, to: number,
): Promise<(day: number) => Lists<Name>> {
  const joined = names.map(name => sql`string_agg(cast(${sql.ref(name)} as text), ',') as ${sql.ref(name)}`)
  const { rows } = await sql<{ day: number } & Record<Name, string>>`
    select day, ${sql.join(joined)} from ${sql.table(table)}
    where site_id = ${site} and day >= ${from} and day <= ${to} group by day`.execute(db)
  const byDay = new Map(rows.map(row => [row.day, row]))
  return day => {
    const row = byDay.get(day)
    const entries = names.map(name => [name, row ? numbers(row[name]) : []])
    return Object.fromEntries(entries) as Lists<Name> // one entry a name
  }
}

const numbers = (text: string): number[] => JSON.parse(`[${text}]`) as number[] // the columns hold integers only
