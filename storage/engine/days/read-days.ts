/**
 * Reads days from database rows. The database joins each column of a day into one text: reading row by row would cost
 * five times as much and fill memory with objects. A day with many rows is read in pieces.
 */
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Awaitable } from '../../values/awaitable.ts'
import { prepared } from '../../sql/prepared.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import { movedRows } from '../../moved-days/copies.ts'
import { isPacked } from '../../moved-days/day-store.ts'
import type { Block } from '../../packed/block.ts'
import type { Db } from '../../store.ts'
import { buildDay, hitParts, propParts, visitParts } from './build-day.ts'
import { joined, listsIn, numbersIn, type Parts, partsOf, ROWS_A_PIECE, readInPieces } from './read-in-pieces.ts'
import type { Day, DayBounds } from './day.ts'
import { dayFromBlocks, readBlocks } from './block-columns.ts'
import { withVisits } from './with-visits.ts'

/** A day as stored in `site_days`. */
export interface SiteDay extends DayBounds {
  /** Visitors so far. */
  readonly visitors: number
  /** Changes with every change of the day. */
  readonly rev: number
  /** Whether it may have a segment. */
  readonly sealed: SqlBool
  /** The copy that has its rows; 0: the tables have them. */
  readonly moved: number
}

export const siteDays: (db: Db, site: number, fromDay: number, toDay: number) => Awaitable<readonly SiteDay[]> = prepared(
  'read-days.site-days',
  (db, site: number, from: number, to: number) =>
    db
      .selectFrom('site_days')
      .select(['day', 'starts_at as startsAt', 'ends_at as endsAt', 'next_visitor as visitors', 'rev', 'moved'])
      .select(({ eb, ref }) => eb('sealed_rev', '=', ref('rev')).as('sealed'))
      .where('site_id', '=', site)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .orderBy('day'),
)

const visitColumns = partsOf(visitParts)
const hitColumns = partsOf(hitParts)
const propColumns = partsOf(propParts)

interface ReadDays {
  readonly cluster: Cluster | undefined
  readonly site: number
  readonly days: readonly SiteDay[]
  readonly most?: number | undefined
}

/**
 * @param days adjacent: every day of the site between the first and last is among them
 * @param most rows of a table that are read at a time
 */
export async function readDays(db: Db, { cluster, site, days, most = ROWS_A_PIECE }: ReadDays): Promise<Day[]> {
  const moved = new Map<number, Day>()
  const packed = days.filter(({ moved: copy }) => isPacked(copy))
  const blocks =
    packed.length === 0
      ? new Map<number, Block[]>()
      : await readBlocks(
          db,
          site,
          packed.map(({ day }) => day),
        )
  for (const day of packed) moved.set(day.day, dayFromBlocks(day, blocks.get(day.day) ?? missingBlocks(day)))
  for (const day of days) {
    if (day.moved > 0) moved.set(day.day, buildDay(day, await movedRows(db, { cluster, site }, { day: day.day, copy: day.moved })))
  }
  if (moved.size === 0) return readHere(db, { site, days, most })
  const built: Day[] = []
  for (const day of days)
    built.push(...(moved.has(day.day) ? [moved.get(day.day) as Day] : await readHere(db, { site, days: [day], most }))) // it has it
  return built
}

function missingBlocks({ day }: SiteDay): never {
  throw new Error(`day ${day} is packed, and has no blocks`)
}

async function readHere(db: Db, { site, days, most }: { site: number; days: readonly SiteDay[]; most: number }): Promise<Day[]> {
  const [from, to] = [days[0]?.day ?? 0, days.at(-1)?.day ?? -1]
  const ofDays = sql`site_id = ${site} and day >= ${from} and day <= ${to}`
  if (days.reduce((sum, { visitors }) => sum + visitors, 0) > most) return readLargeDays(db, { site, days, most })
  const visits = await textsByDay(db, { table: 'visits', parts: visitColumns, where: ofDays })
  if (visits.hits > most) return readLargeDays(db, { site, days, most })
  const hits = await textsByDay(db, { table: 'hits', parts: hitColumns, where: ofDays })
  const props = await textsByDay(db, { table: 'hit_props', parts: propColumns, where: ofDays })
  return days.map(day =>
    buildDay(day, {
      visits: listsIn(visitColumns, visits.of.get(day.day)),
      hits: listsIn(hitColumns, hits.of.get(day.day)),
      props: listsIn(propColumns, props.of.get(day.day)),
    }),
  )
}

/** Reads days one after another, each in pieces. */
async function readLargeDays(db: Db, { site, days, most }: { site: number; days: readonly SiteDay[]; most: number }): Promise<Day[]> {
  const built: Day[] = []
  for (const siteDay of days) {
    const where = sql`site_id = ${site} and day = ${siteDay.day}`
    const visits = await readInPieces({ rows: { db, table: 'visits', where }, parts: visitColumns, key: ['visit_id'], most })
    const hits = await readInPieces({ rows: { db, table: 'hits', where }, parts: hitColumns, key: ['visit_id', 'seq'], most })
    const props = await readInPieces({
      rows: { db, table: 'hit_props', where },
      parts: propColumns,
      key: ['event', 'key', 'visit_id', 'seq'],
      most,
    })
    built.push(buildDay(siteDay, { visits, hits, props }))
  }
  return built
}

/** With so many changed visits, an update costs more than half of reading the whole day. */
const MOST_CHANGED = 5_000

interface ExtendDay {
  readonly site: number
  readonly siteDay: SiteDay
  readonly known: Pick<SiteDay, 'rev'> & { readonly day: Day }
  readonly most?: number | undefined
}

/**
 * Updates a day: it reads only changed visits, and copies all other data.
 * @param known the day at an earlier `rev`
 * @returns null if visits were deleted, or if reading all of it costs the same
 */
export async function extendDay(db: Db, { site, siteDay, known, most = ROWS_A_PIECE }: ExtendDay): Promise<Day | null> {
  const { day, startsAt, endsAt } = siteDay
  if (siteDay.moved !== 0 || known.day.startsAt !== startsAt || known.day.endsAt !== endsAt) return null
  const { count, changed } = await changedSince(db, { site, day, rev: known.rev })
  if (changed.length > Math.min(MOST_CHANGED, Math.ceil(count / 2))) return null
  const read = changed.length === 0 ? undefined : await readVisits(db, { site, siteDay, ids: changed, most })
  if (read === null) return null
  const merged = read ? withVisits(known.day, read) : known.day
  // Visits that were not read now existed before. So exactly if the counts agree, no visit was deleted.
  return merged.visits.count === count ? merged : null
}

/** Counts the visits of a day and lists those that changed after a `rev`, in one pass: 2 ms for 20,000. */
async function changedSince(
  db: Db,
  { site, day, rev }: { site: number; day: number; rev: number },
): Promise<{ count: number; changed: readonly number[] }> {
  const {
    rows: [row],
  } = await sql<{ count: number; changed: string | null }>`
    /* read-days.changed */ select cast(count(*) as integer) as count,
      string_agg(case when rev > ${rev} then cast(visit_id as text) end, ',') as changed
    from visits where site_id = ${site} and day = ${day}`.execute(db)
  return { count: row?.count ?? 0, changed: numbersIn(row?.changed ?? '') }
}

interface ReadVisits {
  readonly site: number
  readonly siteDay: SiteDay
  readonly ids: readonly number[]
  readonly most: number
}

/** Reads some visits of a day as a day of their own; null if they have so many hits that these must be read in pieces. */
async function readVisits(db: Db, { site, siteDay, ids, most }: ReadVisits): Promise<Day | null> {
  const { day } = siteDay
  const ofDay = sql`site_id = ${site} and day = ${day}` // equality, because the key continues with the visit
  const ofThem = among('visit_id', ids)
  const visits = await textsByDay(db, { table: 'visits', parts: visitColumns, where: sql`${ofDay} ${ofThem}` })
  if (visits.hits > most) return null
  const hits = listsIn(hitColumns, (await textsByDay(db, { table: 'hits', parts: hitColumns, where: sql`${ofDay} ${ofThem}` })).of.get(day))
  // Properties are clustered by event: skip properties of other events.
  const ofEvents = among('event', [...new Set(hits.event)])
  const props = await textsByDay(db, { table: 'hit_props', parts: propColumns, where: sql`${ofDay} ${ofEvents} ${ofThem}` })
  return buildDay(siteDay, { visits: listsIn(visitColumns, visits.of.get(day)), hits, props: listsIn(propColumns, props.of.get(day)) })
}

/** Literal SQL, as there may be more ids than a statement can have parameters. */
const among = (column: string, ids: readonly number[]): RawBuilder<unknown> =>
  ids.length === 0 ? sql`and 1 = 0` : sql`and ${sql.ref(column)} in (${sql.join(ids.map(id => sql.lit(id)))})`

/** Reads the columns of a table as texts, by day; for visits also the number of their hits, vitals and clicks. */
async function textsByDay<Name extends string>(
  db: Db,
  { table, parts, where }: { table: 'visits' | 'hits' | 'hit_props'; parts: Parts<Name>; where: RawBuilder<unknown> },
): Promise<{ readonly of: ReadonlyMap<number, Record<Name, string>>; readonly hits: number }> {
  const hits = table === 'visits' ? sql`sum(next_seq)` : sql`0`
  const { rows } = await sql<{ day: number; rows_of_visits: number } & Record<Name, string>>`
    /* read-days.texts */ select day, ${hits} as rows_of_visits, ${joined(parts)} from ${sql.table(table)} where ${where} group by day`.execute(
    db,
  )
  return { of: new Map(rows.map(row => [row.day, row])), hits: rows.reduce((sum, { rows_of_visits }) => sum + rows_of_visits, 0) }
}
