/**
 * Columns of a day's visits and hits, a part of whole visits at a time, from wherever its rows are. Only what is asked for is
 * read: from a block each column is unpacked without the others.
 */
import type { hitFields, visitFields } from '../cluster/day-rows.ts'
import type { FieldName } from '../packed/field-numbers.ts'
import { visitIdsOf } from '../packed/day-blocks.ts'
import type { Db, Store } from '../store.ts'
import { giveWay } from '../system/event-loop.ts'
import { movedParts, packedBlocks } from './copies.ts'
import { storeNameOf } from './day-store.ts'
import { holdRows } from './moving.ts'
import type { SiteDay } from '../values/site-day.ts'

export type VisitField = (typeof visitFields)[number]
export type HitField = Exclude<(typeof hitFields)[number], 'visit_id'>

export interface ColumnsAsked {
  readonly visits: readonly VisitField[]
  /** Hits are not read without any. */
  readonly hits: readonly HitField[]
}

/** A number for each visit, by its id, or for each hit, by its visit and time. */
export interface ColumnsPart {
  readonly visits: number
  readonly hits: number
  visit(name: VisitField): ArrayLike<number>
  hit(name: HitField): ArrayLike<number>
  /** The place of a hit's visit among the visits. */
  readonly visitOfHit: ArrayLike<number>
}

/** Visits whose rows are read at once. */
const VISITS_AT_ONCE = 2_000

/** @throws StorageUnavailable `cluster` */
export async function* storedColumns(store: Store, of: SiteDay, asked: ColumnsAsked, now: number): AsyncGenerator<ColumnsPart> {
  const copy = await holdRows(store, of, now)
  if (copy === 0) return yield* ofTables(store.read, of, asked)
  if (storeNameOf(copy) === 'packed') return yield* ofBlocks(store.read, of, copy)
  for await (const { visits, hits } of movedParts(store.read, { cluster: store.cluster, site: of.site }, { day: of.day, copy })) {
    yield {
      visits: visits.visit_id.length,
      hits: hits.visit_id.length,
      visit: name => visits[name],
      hit: name => hits[name],
      visitOfHit: placesOf(visits.visit_id, hits.visit_id),
    }
  }
}

const fieldOfHit: Readonly<Record<HitField, FieldName>> = {
  seq: 'seq',
  at: 'at',
  page: 'page',
  event: 'event',
  interactive: 'interactive',
  revenue: 'hit_revenue',
  engaged_ms: 'engaged_ms',
  scroll: 'scroll',
  host: 'host',
}

async function* ofBlocks(db: Db, { site, day }: SiteDay, copy: number): AsyncGenerator<ColumnsPart> {
  for (const block of await packedBlocks(db, { site, day, copy })) {
    yield {
      visits: block.counts.visits,
      hits: block.counts.hits,
      visit: name => (name === 'visit_id' ? visitIdsOf(block) : block.get(name)),
      hit: name => block.get(fieldOfHit[name]),
      get visitOfHit() {
        return block.known.visitOfHit
      },
    }
    await giveWay()
  }
}

async function* ofTables(db: Db, { site, day }: SiteDay, { visits: names, hits: hitNames }: ColumnsAsked): AsyncGenerator<ColumnsPart> {
  for (let last = 0; ; ) {
    const visits = await db
      .selectFrom('visits')
      .select(['visit_id', ...names])
      .where('site_id', '=', site)
      .where('day', '=', day)
      .where('visit_id', '>', last)
      .orderBy('visit_id')
      .limit(VISITS_AT_ONCE)
      .execute()
    const first = visits[0]?.visit_id ?? 0
    if (visits.length === 0) return
    last = visits.at(-1)?.visit_id ?? last
    const ids = visits.map(({ visit_id }) => visit_id)
    const hits =
      hitNames.length === 0
        ? []
        : await db
            .selectFrom('hits')
            .select(['visit_id', ...hitNames])
            .where('site_id', '=', site)
            .where('day', '=', day)
            .where('visit_id', '>=', first)
            .where('visit_id', '<=', last)
            .orderBy('visit_id')
            .orderBy('at')
            .orderBy('seq')
            .execute()
    yield {
      visits: visits.length,
      hits: hits.length,
      visit: name => visits.map(row => (name === 'visit_id' ? row.visit_id : row[name])),
      hit: name => hits.map(row => row[name]),
      visitOfHit: placesOf(
        ids,
        hits.map(({ visit_id }) => visit_id),
      ),
    }
    if (visits.length < VISITS_AT_ONCE) return
    await giveWay()
  }
}

/** The place of each id of an ascending list among the ids of another. */
function placesOf(ids: readonly number[], of: readonly number[]): Uint32Array {
  const places = new Uint32Array(of.length)
  for (let i = 0, place = 0; i < of.length; i++) {
    while (place < ids.length && (ids[place] ?? 0) < (of[i] ?? 0)) place++
    places[i] = place
  }
  return places
}
