/** Moves rows of divided and whole visits from a stored day to others, in the caller's transaction. */
import { type RawBuilder, sql } from 'kysely'
import type { Store, Trx } from '../store.ts'
import { bigint, type Columns, int, matching, statement, text } from '../sql/row-statements.ts'
import { inPieces } from '../sql/in-pieces.ts'
import { yieldWhereDue } from '../system/event-loop.ts'
import type { VisitRow } from '../tables/index.ts'
import type { SiteDay } from '../values/site-day.ts'

/** A visit, or its part of this time, that becomes another visit. */
export interface MovedVisit {
  readonly id: number
  readonly from: number
  readonly to: number
  readonly intoDay: number
  readonly intoId: number
}

/** The place of a row of a visit after the move; undefined if the row stays. */
export type PlaceOf = (visit: number, row: { readonly seq: number } | { readonly page: number }) => Place | undefined
interface Place {
  readonly intoDay: number
  readonly intoId: number
}

/** Visits from `from` to before `to`. */
export interface VisitRange {
  readonly from: number
  readonly to: number
}

export interface RowMover {
  /** Replaces the rows of these visits. */
  replaceVisits(trx: Trx, of: SiteDay, visits: { readonly gone: readonly number[]; readonly put: readonly VisitRow[] }): Promise<void>
  moveVisits(trx: Trx, of: SiteDay, moved: readonly (MovedVisit & { readonly rev: number })[]): Promise<void>
  moveHits(trx: Trx, of: SiteDay, moved: readonly MovedVisit[]): Promise<void>
  /** Call it before the hits are moved, since they name the events. */
  moveProps(trx: Trx, of: SiteDay, range: VisitRange, placeOf: PlaceOf): Promise<void>
  moveMeasured(trx: Trx, of: SiteDay, range: VisitRange, placeOf: PlaceOf): Promise<void>
}

/** Rows that a statement writes: SQLite writes them in the event loop. */
const ROWS_AT_ONCE = 200
const VISITS_AT_ONCE = 25
/** Rows of measurements that are searched at once. They are not ordered by visit. */
const SEARCHED_AT_ONCE = 20_000

interface MovedRow extends Place {
  readonly site: number
  readonly day: number
  readonly visit_id: number
  readonly seq: number
  readonly intoSeq: number
}
type Keyed = MovedRow & Readonly<Record<'event' | 'key' | 'page', number>> & { readonly metric: string }

const ofVisit: Columns<SiteDay & MovedVisit> = {
  site_id: int(({ site }) => site),
  day: int(({ day }) => day),
  visit_id: bigint(({ id }) => id),
  at_from: bigint(({ from }) => from),
  at_to: bigint(({ to }) => to),
  into_day: int(({ intoDay }) => intoDay),
  into_id: bigint(({ intoId }) => intoId),
}
const ofRow: Columns<Keyed> = {
  site_id: int(({ site }) => site),
  day: int(({ day }) => day),
  visit_id: bigint(row => row.visit_id),
  seq: int(({ seq }) => seq),
  into_day: int(({ intoDay }) => intoDay),
  into_id: bigint(({ intoId }) => intoId),
  into_seq: int(({ intoSeq }) => intoSeq),
}
const number = (name: 'event' | 'key' | 'page') => int<Keyed>(row => row[name])
/** The rest of the keys of tables that are not ordered by visit. */
const keysOf = {
  hit_props: { event: number('event'), key: number('key') },
  vitals: { page: number('page'), metric: text<Keyed>(({ metric }) => metric) },
  clicks: { page: number('page') },
} as const
type KeyedTable = keyof typeof keysOf
const measured = ['vitals', 'clicks'] as const

export function rowMover(store: Store): RowMover {
  const visits = statement<SiteDay & MovedVisit & { readonly rev: number }>(store, {
    name: 'recut-rows.visits',
    columns: { ...ofVisit, rev: int(({ rev }) => rev) },
    body: `update visits set day = given.into_day, visit_id = given.into_id, rev = given.rev from given
     where ${matching(['site_id', 'day', 'visit_id'], 'visits', 'given')}`,
  })
  const hits = statement<SiteDay & MovedVisit>(store, {
    name: 'recut-rows.hits',
    columns: ofVisit,
    body: `update hits set day = given.into_day, visit_id = given.into_id from given
     where ${matching(['site_id', 'day', 'visit_id'], 'hits', 'given')} and hits.at >= given.at_from and hits.at < given.at_to`,
  })
  const rowsOf = (table: KeyedTable) =>
    statement<Keyed>(store, {
      name: `recut-rows.${table}`,
      columns: { ...ofRow, ...keysOf[table] },
      body: `update ${table} set day = given.into_day, visit_id = given.into_id, seq = given.into_seq from given
       where ${matching(['site_id', 'day', ...Object.keys(keysOf[table]), 'visit_id', 'seq'], table, 'given')}`,
    })
  const keyed = { hit_props: rowsOf('hit_props'), vitals: rowsOf('vitals'), clicks: rowsOf('clicks') }

  const moveKeyed = (trx: Trx, table: KeyedTable, rows: readonly Keyed[]) => inPieces(rows, ROWS_AT_ONCE, some => keyed[table](some)(trx))

  return {
    async replaceVisits(trx, { site, day }, { gone, put }) {
      await inPieces(gone, ROWS_AT_ONCE, some =>
        trx.deleteFrom('visits').where('site_id', '=', site).where('day', '=', day).where('visit_id', 'in', some).execute(),
      )
      await inPieces(put, VISITS_AT_ONCE, some => trx.insertInto('visits').values(some).execute())
    },
    moveVisits: (trx, of, moved) => inPieces(moved, ROWS_AT_ONCE, some => visits(some.map(one => ({ ...of, ...one })))(trx)),
    moveHits: (trx, of, moved) => inPieces(moved, ROWS_AT_ONCE, some => hits(some.map(one => ({ ...of, ...one })))(trx)),
    async moveProps(trx, { site, day }, { from, to }, placeOf) {
      const ofVisits = sql`site_id = ${site} and day = ${day} and visit_id >= ${from} and visit_id < ${to}`
      const { rows: events } = await sql<{ event: number }>`select distinct event from hits where ${ofVisits}`.execute(trx)
      for (const { event } of events) {
        for (let key = await nextKey(trx, { site, day, event, after: -1 }); key !== null; ) {
          const { rows } = await sql<{ visit_id: number; seq: number }>`
            select visit_id, seq from hit_props where ${ofVisits} and event = ${event} and key = ${key}`.execute(trx)
          const moved = rows.flatMap(row => movedRow({ site, day, event, key: key ?? 0, ...row }, placeOf(row.visit_id, { seq: row.seq })))
          await moveKeyed(trx, 'hit_props', moved)
          key = await nextKey(trx, { site, day, event, after: key })
        }
      }
    },
    async moveMeasured(trx, { site, day }, { from, to }, placeOf) {
      for (const table of measured) {
        for await (const rows of measuredIn(trx, table, { site, day }, sql`visit_id >= ${from} and visit_id < ${to}`)) {
          const moved = rows.flatMap(row => movedRow({ site, day, ...row }, placeOf(row.visit_id, { page: row.page })))
          await moveKeyed(trx, table, moved)
        }
      }
    },
  }
}

interface Found extends SiteDay {
  readonly visit_id: number
  readonly seq: number
  readonly event?: number
  readonly key?: number
  readonly page?: number
  readonly metric?: string
}

const movedRow = (row: Found, place: Place | undefined): Keyed[] =>
  place ? [{ event: 0, key: 0, page: 0, metric: '', ...row, ...place, intoSeq: row.seq }] : []

async function nextKey(trx: Trx, { site, day, event, after }: SiteDay & { event: number; after: number }): Promise<number | null> {
  const { rows } = await sql<{ key: number }>`
    select key from hit_props where site_id = ${site} and day = ${day} and event = ${event} and key > ${after} order by key limit 1`.execute(
    trx,
  )
  return rows[0]?.key ?? null
}

interface Measured {
  readonly page: number
  readonly metric?: string
  readonly visit_id: number
  readonly seq: number
}

/** Finds measurements of a day in pieces by page, so that no search takes long. */
async function* measuredIn(
  trx: Trx,
  table: (typeof measured)[number],
  of: SiteDay,
  which: RawBuilder<unknown>,
): AsyncGenerator<readonly Measured[]> {
  for await (const piece of measuredPieces(trx, table, of)) {
    const { rows } = await sql<Measured>`select * from ${sql.table(table)} where ${piece} and ${which}`.execute(trx)
    if (rows.length > 0) yield rows
    await yieldWhereDue()
  }
}

/** Conditions that divide the measurements of a day by page, each for as many as a statement may search. */
export async function* measuredPieces(
  trx: Trx,
  table: (typeof measured)[number],
  { site, day }: SiteDay,
): AsyncGenerator<RawBuilder<unknown>> {
  const ofDay = sql`site_id = ${site} and day = ${day}`
  for (let from = -1; ; ) {
    const { rows: next } = await sql<{ page: number }>`
      select page from ${sql.table(table)} where ${ofDay} and page >= ${from} order by page limit 1 offset ${SEARCHED_AT_ONCE}`.execute(trx)
    // A page with more measurements than that is searched as a whole.
    const page = next[0]?.page
    const to = page === undefined ? undefined : page > from ? page : page + 1
    yield sql`${ofDay} and page >= ${from} ${to === undefined ? sql`` : sql`and page < ${to}`}`
    if (to === undefined) return
    from = to
  }
}
