/**
 * Reads the visits of a day, a few at a time in the order of their ids, with their hits and properties. They come from the
 * tables, or from the copy that has the rows. So rows are not moved back for a reader that changes nothing.
 */
import { type DayRows, hitFields, visitFields } from '../cluster/day-rows.ts'
import type { Db, Store } from '../store.ts'
import type { HitRow, VisitRow } from '../tables/index.ts'
import { giveWay } from '../system/event-loop.ts'
import { movedParts } from './copies.ts'
import { holdRows } from './moving.ts'
import type { SiteDay } from '../values/site-day.ts'

export interface PropOfHit {
  readonly visit_id: number
  readonly seq: number
  readonly key: number
  readonly value: number
}

export interface SomeVisits {
  readonly visits: readonly VisitRow[]
  /** The hits of these visits, ordered by visit, time and `seq`. */
  hits(): Promise<readonly HitRow[]>
  /** Properties with one of the keys, in any order. */
  props(keys: readonly number[]): Promise<readonly PropOfHit[]>
}

/** So few that building their rows does not block the event loop. */
const VISITS_AT_ONCE = 50
/** At most this many keys in one query. */
const MAX_KEYS = 1_000

/** Reads the visits of a day. @throws StorageUnavailable `cluster` */
export async function* storedVisits(store: Store, of: SiteDay, now: number): AsyncGenerator<SomeVisits> {
  const copy = await holdRows(store, of, now)
  if (copy === 0) return yield* ofRows(store.read, of)
  for await (const part of movedParts(store.read, { cluster: store.cluster, site: of.site }, { day: of.day, copy })) {
    yield* ofPart(of, part)
  }
}

async function* ofRows(db: Db, { site, day }: SiteDay): AsyncGenerator<SomeVisits> {
  for (let last = 0; ; ) {
    const visits = await db
      .selectFrom('visits')
      .selectAll()
      .where('site_id', '=', site)
      .where('day', '=', day)
      .where('visit_id', '>', last)
      .orderBy('visit_id')
      .limit(VISITS_AT_ONCE)
      .execute()
    const first = visits[0]?.visit_id ?? 0
    const end = (last = visits.at(-1)?.visit_id ?? last)
    if (visits.length === 0) return
    yield {
      visits,
      hits: () =>
        db
          .selectFrom('hits')
          .selectAll()
          .where('site_id', '=', site)
          .where('day', '=', day)
          .where('visit_id', '>=', first)
          .where('visit_id', '<=', end)
          .orderBy('visit_id')
          .orderBy('at')
          .orderBy('seq')
          .execute(),
      props: keys =>
        db
          .selectFrom('hit_props')
          .select(['visit_id', 'seq', 'key', 'value'])
          .where('site_id', '=', site)
          .where('day', '=', day)
          .where('key', 'in', keys.slice(0, MAX_KEYS))
          .where('visit_id', '>=', first)
          .where('visit_id', '<=', end)
          .execute(),
    }
    if (visits.length < VISITS_AT_ONCE) return
  }
}

async function* ofPart({ site, day }: SiteDay, { visits, hits, props }: DayRows): AsyncGenerator<SomeVisits> {
  const ids = visits.visit_id
  let [hit, prop] = [0, 0]
  for (let from = 0; from < ids.length; from += VISITS_AT_ONCE) {
    const to = Math.min(ids.length, from + VISITS_AT_ONCE)
    const next = ids[to] ?? Infinity
    const [firstHit, firstProp] = [hit, prop]
    while (hit < hits.visit_id.length && (hits.visit_id[hit] ?? 0) < next) hit++
    while (prop < props.visit_id.length && (props.visit_id[prop] ?? 0) < next) prop++
    const [lastHit, lastProp] = [hit, prop]
    yield {
      visits: rowsFrom(from, to, visitOf),
      hits: async () => rowsFrom(firstHit, lastHit, hitOf),
      async props(keys) {
        const wanted = new Set(keys)
        return rowsFrom(firstProp, lastProp, propOf).filter(({ key }) => wanted.has(key))
      },
    }
    await giveWay()
  }

  function visitOf(v: number): VisitRow {
    const own = Object.fromEntries(visitFields.map(name => [name, visits[name][v] ?? 0])) as Record<(typeof visitFields)[number], number> // one each
    return { site_id: site, day, rev: 0, ...own } // `rev` is not compared
  }

  function hitOf(h: number): HitRow {
    const own = Object.fromEntries(hitFields.map(name => [name, hits[name][h] ?? 0])) as Record<(typeof hitFields)[number], number> // one each
    return { site_id: site, day, ...own }
  }

  function propOf(p: number): PropOfHit {
    return { visit_id: props.visit_id[p] ?? 0, seq: props.seq[p] ?? 0, key: props.key[p] ?? 0, value: props.value[p] ?? 0 }
  }
}

const rowsFrom = <Row>(from: number, to: number, rowAt: (place: number) => Row): Row[] =>
  Array.from({ length: to - from }, (_, i) => rowAt(from + i))
