/** Finds the first and the last visit of a site, in the database or in a copy in ClickHouse (docs/clickhouse.md §3). */
import { sql } from 'kysely'
import type { Db } from '../store.ts'

/** Finds the first day with visits, and the start of the first visit in epoch ms; null if there are no visits. */
export async function firstVisit(db: Db, site: number): Promise<{ readonly day: number; readonly at: number } | null> {
  const { here, away } = await daysOf(db, site, 'min')
  if (away !== null && (here === null || away <= here)) return { day: away, at: (await copyOf(db, site, away)).first_at }
  if (here === null) return null
  const { at } = await db
    .selectFrom('visits')
    .select(({ fn }) => fn.min('started_at').as('at'))
    .where('site_id', '=', site)
    .where('day', '=', here)
    .executeTakeFirstOrThrow()
  return { day: here, at }
}

/** Finds the last hit and the last end of a visit, in epoch ms, on the last day with visits; null if there are no visits. */
export async function lastVisit(db: Db, site: number): Promise<{ readonly hitAt: number; readonly endedAt: number } | null> {
  const { here, away } = await daysOf(db, site, 'max')
  if (away !== null && (here === null || away >= here)) {
    const { last_at: hitAt, ended_at: endedAt } = await copyOf(db, site, away)
    return { hitAt, endedAt }
  }
  if (here === null) return null
  const ofDay = sql`site_id = ${site} and day = ${here}`
  const { rows } = await sql<{ hit: number; ended: number }>`
    select (select max(at) from hits where ${ofDay}) as hit, (select max(started_at + duration) from visits where ${ofDay}) as ended`.execute(
    db,
  )
  return { hitAt: Number(rows[0]?.hit ?? 0), endedAt: Number(rows[0]?.ended ?? 0) }
}

/** Counts the pageviews and events of a day. */
export async function hitsOfDay(db: Db, site: number, day: number): Promise<number> {
  const { rows } = await sql<{ moved: number | null; here: number | null }>`
    select
      (select c.hits from site_days d join clickhouse_copies c on c.site_id = d.site_id and c.day = d.day and c.copy = d.moved
        where d.site_id = ${site} and d.day = ${day} and d.moved <> 0) as moved,
      (select sum(pageviews + events) from visits where site_id = ${site} and day = ${day}) as here`.execute(db)
  return rows[0]?.moved ?? Number(rows[0]?.here ?? 0)
}

async function daysOf(db: Db, site: number, which: 'min' | 'max'): Promise<{ here: number | null; away: number | null }> {
  const of = sql.raw(`${which}(day)`)
  const { rows } = await sql<{ here: number | null; away: number | null }>`
    select (select ${of} from visits where site_id = ${site}) as here,
      (select ${of} from site_days where site_id = ${site} and moved <> 0) as away`.execute(db)
  return rows[0] ?? { here: null, away: null }
}

const copyOf = (db: Db, site: number, day: number) =>
  db
    .selectFrom('clickhouse_copies as c')
    .innerJoin('site_days as d', join =>
      join.onRef('d.site_id', '=', 'c.site_id').onRef('d.day', '=', 'c.day').onRef('d.moved', '=', 'c.copy'),
    )
    .select(['c.first_at', 'c.last_at', 'c.ended_at'])
    .where('c.site_id', '=', site)
    .where('c.day', '=', day)
    .executeTakeFirstOrThrow()
