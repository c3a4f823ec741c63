/**
 * Reads days from database rows. The database joins each column of a day into one text: reading row by row would cost
 * five times as much and fill memory with objects. A day with many rows is read in pieces.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../store.ts'
import { buildDay, hitParts, propParts, visitParts } from './build-day.ts'
import { joined, listsIn, numbersIn, type Parts, partsOf, ROWS_A_PIECE, readInPieces } from './read-in-pieces.ts'
import type { Day } from './day.ts'
import { readMoved } from './copied-days.ts'
import type { SiteDay } from './site-days.ts'
import { withVisits } from './with-visits.ts'

const visitColumns = partsOf(visitParts)
const hitColumns = partsOf(hitParts)
const propColumns = partsOf(propParts)

interface ReadDays {
  readonly cluster: Cluster | undefined
  readonly site: number
  readonly days: readonly SiteDay[]
  readonly max?: number | undefined
}

/**
 * @param days adjacent: every day of the site between the first and last is among them
 * @param max rows of a table that are read at a time
 */
export async function readDays(db: Db, { cluster, site, days, max = ROWS_A_PIECE }: ReadDays): Promise<Day[]> {
  const away = days.filter(({ moved }) => moved !== 0)
  if (away.length === 0) return readHere(db, { site, days, max })
  const moved = await readMoved(db, { cluster, site, days: away })
  const built: Day[] = []
  for (const day of days) {
    const known = moved.get(day.day)
    built.push(...(known ? [known] : await readHere(db, { site, days: [day], max })))
  }
  return built
}

async function readHere(db: Db, { site, days, max }: { site: number; days: readonly SiteDay[]; max: number }): Promise<Day[]> {
  const [from, to] = [days[0]?.day ?? 0, days.at(-1)?.day ?? -1]
  const ofDays = sql`site_id = ${site} and day >= ${from} and day <= ${to}`
  if (days.reduce((sum, { visitors }) => sum + visitors, 0) > max) return readLargeDays(db, { site, days, max })
  const visits = await textsByDay(db, { table: 'visits', parts: visitColumns, where: ofDays })
  if (visits.hits > max) return readLargeDays(db, { site, days, max })
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
async function readLargeDays(db: Db, { site, days, max }: { site: number; days: readonly SiteDay[]; max: number }): Promise<Day[]> {
  const built: Day[] = []
  for (const siteDay of days) {
    const where = sql`site_id = ${site} and day = ${siteDay.day}`
    const visits = await readInPieces({ rows: { db, table: 'visits', where }, parts: visitColumns, key: ['visit_id'], max })
    const hits = await readInPieces({ rows: { db, table: 'hits', where }, parts: hitColumns, key: ['visit_id', 'seq'], max })
    const props = await readInPieces({
      rows: { db, table: 'hit_props', where },
      parts: propColumns,
      key: ['event', 'key', 'visit_id', 'seq'],
      max,
    })
    built.push(buildDay(siteDay, { visits, hits, props }))
  }
  return built
}

/** With this number of changed visits, an update costs more than half of reading the whole day. */
const MAX_CHANGED = 5_000

interface ExtendDay {
  readonly site: number
  readonly siteDay: SiteDay
  readonly known: Pick<SiteDay, 'rev'> & { readonly day: Day }
  readonly max?: number | undefined
}

/**
 * Updates a day: it reads only changed visits, and copies all other data.
 * @param known the day at an earlier `rev`
 * @returns null if visits were deleted, or if reading all of it costs the same
 */
export async function extendDay(db: Db, { site, siteDay, known, max = ROWS_A_PIECE }: ExtendDay): Promise<Day | null> {
  const { day, startsAt, endsAt } = siteDay
  if (siteDay.moved !== 0 || known.day.startsAt !== startsAt || known.day.endsAt !== endsAt) return null
  const { count, changed } = await changedSince(db, { site, day, rev: known.rev })
  if (changed.length > Math.min(MAX_CHANGED, Math.ceil(count / 2))) return null
  const read = changed.length === 0 ? undefined : await readVisits(db, { site, siteDay, ids: changed, max })
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
  readonly max: number
}

/** Reads some visits of a day as a day of their own; null if they have too many hits to read at once. */
async function readVisits(db: Db, { site, siteDay, ids, max }: ReadVisits): Promise<Day | null> {
  const { day } = siteDay
  const ofDay = sql`site_id = ${site} and day = ${day}` // equality, because the key continues with the visit
  const ofThem = among('visit_id', ids)
  const visits = await textsByDay(db, { table: 'visits', parts: visitColumns, where: sql`${ofDay} ${ofThem}` })
  if (visits.hits > max) return null
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
