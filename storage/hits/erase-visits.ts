/**
 * Deletes visits of a day with all of their rows, or only some of their hits. The caller has found the visits by its conditions
 * before the transaction: those that have changed since are left, as they may no longer meet them.
 */
import { sql } from 'kysely'
import { rowReturner } from '../moved-days/moving.ts'
import type { Store, Trx } from '../store.ts'
import { yieldWhereDue } from '../system/event-loop.ts'
import { raiseRevision } from './days.ts'
import { dictionaryOf } from './dictionaries.ts'
import { deleteNoting, type GoneTexts, goneTexts } from './gone-texts.ts'
import { measuredPieces } from './recut-rows.ts'
import { counts, type HitCounts, type RepairedVisit, repairedVisit, visitUpdate } from './repair-visit.ts'
import { VISITS_PER_VISITOR } from './visit-ids.ts'
import { inPieces, rowsInPieces } from '../sql/in-pieces.ts'
import { grouped } from '../values/grouped.ts'
import type { SiteDay } from '../values/site-day.ts'

/** Texts by which a hit is tested. `event` is '' for a pageview. */
export interface HitTexts {
  readonly page: string
  readonly host: string
  readonly event: string
}

export interface ErasedVisits {
  /** Visits found. */
  readonly ids: readonly number[]
  /** The `rev` of the day before they were found; undefined if they were found in this transaction. */
  readonly rev?: number
  /** Whether a hit is deleted; by default all of them are. */
  drops?(hit: HitTexts): boolean
}

export interface Erased {
  /** Visits that were deleted or repaired. */
  readonly visits: number
  readonly pageviews: number
  readonly events: number
  /** Minor units. */
  readonly revenue: number
}

const nothing: Erased = Object.freeze({ visits: 0, pageviews: 0, events: 0, revenue: 0 })

/** Rows that a statement deletes: SQLite deletes them in the event loop. */
const VISITS_AT_ONCE = 100

type Row = HitCounts & { readonly visit_id: number; readonly host: number }
type Visit = RepairedVisit & { readonly attended_at: number; readonly hostname: number }

/** Call the eraser in a transaction. It locks the site. */
export function visitsEraser(store: Store): (trx: Trx, of: SiteDay, erased: ErasedVisits) => Promise<Erased> {
  const bringBack = rowReturner(store)
  const update = visitUpdate(store)
  return async (trx, of, { ids, rev, drops }) => {
    await store.dialect.lockSites(trx, [of.site])
    await bringBack(trx, of)
    const visits = await rowsInPieces(ids, VISITS_AT_ONCE, some => visitsOf(trx, of, some, rev))
    if (visits.length === 0) return nothing
    const hits = await rowsInPieces(visits, VISITS_AT_ONCE, some => hitsOf(trx, of, some))
    const isGone = drops ? await testOf(trx, of, { visits, hits, drops }) : () => true
    const byVisit = new Map(visits.map(visit => [visit.visit_id, { left: [] as Row[], gone: [] as Row[] }]))
    for (const hit of hits) byVisit.get(hit.visit_id)?.[isGone(hit) ? 'gone' : 'left'].push(hit)

    const newRev = await raiseRevision(trx, of)
    if (newRev === undefined) throw new Error(`site ${of.site} has visits of day ${of.day}, which has no row in site_days`)
    const [whole, repaired, pieces]: [number[], RepairedVisit[], Map<number, Row[]>] = [[], [], new Map()]
    for (const visit of visits) {
      const { left = [], gone = [] } = byVisit.get(visit.visit_id) ?? {}
      if (gone.length === 0 && drops) continue
      const what = left.length === 0 ? null : repairedVisit(visit, left, gone)
      if (!what) whole.push(visit.visit_id)
      else {
        repaired.push({ ...of, ...what, visit_id: visit.visit_id, rev: newRev })
        pieces.set(visit.visit_id, gone)
      }
    }
    const all = [...whole, ...pieces.keys()]
    const texts = goneTexts()
    const inDay = sql`site_id = ${of.site} and day = ${of.day}`
    await deleteProps(trx, of, { hits, whole: new Set(whole), pieces, texts })
    await deleteMeasured(trx, of, { whole, pieces, texts })
    await inPieces(whole, VISITS_AT_ONCE, some => deleteNoting(trx, texts, 'hits', sql`${inDay} and visit_id in (${sql.join(some)})`))
    for (const [visit, gone] of pieces) {
      const seqs = sql.join(gone.map(({ seq }) => seq))
      await deleteNoting(trx, texts, 'hits', sql`${inDay} and visit_id = ${visit} and seq in (${seqs})`)
      await yieldWhereDue()
    }
    await inPieces(whole, VISITS_AT_ONCE, some => deleteNoting(trx, texts, 'visits', sql`${inDay} and visit_id in (${sql.join(some)})`))
    await texts.note(trx, of.site)
    await inPieces(repaired, VISITS_AT_ONCE, some => update(some)(trx))
    await forgetVisitors(trx, of, whole)
    const erased = [...whole, ...pieces.keys()].flatMap(id => byVisit.get(id)?.gone ?? [])
    return {
      visits: all.length,
      pageviews: erased.filter(({ event }) => event === 0).length,
      events: erased.filter(({ event }) => event !== 0).length,
      revenue: erased.reduce((sum, { revenue }) => sum + revenue, 0),
    }
  }
}

async function visitsOf(trx: Trx, of: SiteDay, ids: readonly number[], rev: number | undefined): Promise<Visit[]> {
  const found = trx
    .selectFrom('visits')
    .select(['visit_id', 'attended_at', 'hostname', 'rev', ...counts])
    .where('site_id', '=', of.site)
    .where('day', '=', of.day)
    .where('visit_id', 'in', ids)
  const rows = await (rev === undefined ? found : found.where('rev', '<=', rev)).execute()
  return rows.map(row => ({ ...row, ...of }))
}

const hitsOf = (trx: Trx, of: SiteDay, visits: readonly Visit[]): Promise<Row[]> =>
  trx
    .selectFrom('hits')
    .select(['visit_id', 'seq', 'at', 'page', 'event', 'interactive', 'revenue', 'engaged_ms', 'host'])
    .where('site_id', '=', of.site)
    .where('day', '=', of.day)
    .where(
      'visit_id',
      'in',
      visits.map(({ visit_id }) => visit_id),
    )
    .execute()

interface Tested {
  readonly visits: readonly Visit[]
  readonly hits: readonly Row[]
  readonly drops: (hit: HitTexts) => boolean
}

/** Tests hits by their texts: each combination once. */
async function testOf(trx: Trx, of: SiteDay, { visits, hits, drops }: Tested): Promise<(hit: Row) => boolean> {
  const hosts = new Map(visits.map(({ visit_id, hostname }) => [visit_id, hostname]))
  const hostOf = (hit: Row) => hit.host || (hosts.get(hit.visit_id) ?? 0)
  const page = await textsOf(trx, of, dictionaryOf.page, new Set(hits.map(hit => hit.page)))
  const host = await textsOf(trx, of, dictionaryOf.hostname, new Set(hits.map(hostOf)))
  const event = await textsOf(trx, of, dictionaryOf.event, new Set(hits.map(hit => hit.event)))
  const known = new Map<string, boolean>()
  return hit => {
    const key = `${hit.page} ${hostOf(hit)} ${hit.event}`
    const found = known.get(key) ?? drops({ page: page(hit.page), host: host(hostOf(hit)), event: event(hit.event) })
    known.set(key, found)
    return found
  }
}

async function textsOf(trx: Trx, { site }: SiteDay, dictionary: number, ids: ReadonlySet<number>): Promise<(id: number) => string> {
  const rows = await rowsInPieces([...ids], VISITS_AT_ONCE, some =>
    trx
      .selectFrom('dict')
      .select(['id', 'value'])
      .where('site_id', '=', site)
      .where('dim', '=', dictionary)
      .where('id', 'in', some)
      .execute(),
  )
  const texts = new Map(rows.map(({ id, value }) => [id, value]))
  return id => texts.get(id) ?? ''
}

interface Gone {
  readonly hits: readonly Row[]
  readonly whole: ReadonlySet<number>
  /** Deleted hits of visits that stay. */
  readonly pieces: ReadonlyMap<number, readonly Row[]>
  readonly texts: GoneTexts
}

/** Properties are clustered by event and key, so they are deleted by these. */
async function deleteProps(trx: Trx, { site, day }: SiteDay, { hits, whole, pieces, texts }: Gone): Promise<void> {
  const gone = [...hits.filter(({ visit_id }) => whole.has(visit_id)), ...[...pieces.values()].flat()]
  for (const [event, ofEvent] of grouped(gone, hit => hit.event)) {
    const where = sql`site_id = ${site} and day = ${day} and event = ${event}`
    for (let last = -1; ; ) {
      const { rows } = await sql<{ key: number }>`
        select key from hit_props where ${where} and key > ${last} order by key limit 1`.execute(trx)
      const key = rows[0]?.key
      if (key === undefined) break
      await inPieces(ofEvent, VISITS_AT_ONCE, async some => {
        const which = sql.join(some.map(({ visit_id, seq }) => sql`(cast(${visit_id} as bigint), cast(${seq} as integer))`))
        return deleteNoting(trx, texts, 'hit_props', sql`${where} and key = ${key} and (visit_id, seq) in (values ${which})`)
      })
      last = key
    }
  }
}

/** Measurements of visits that go, and those on pages of visits whose hits there go. */
async function deleteMeasured(
  trx: Trx,
  of: SiteDay,
  { whole, pieces, texts }: Omit<Gone, 'hits' | 'whole'> & { whole: readonly number[] },
) {
  const onPages = [...pieces].flatMap(([visit, gone]) =>
    [...new Set(gone.filter(({ event }) => event === 0).map(({ page }) => page))].map(page => ({ visit, page })),
  )
  for (const table of ['vitals', 'clicks'] as const) {
    for await (const piece of measuredPieces(trx, table, of)) {
      await inPieces(whole, VISITS_AT_ONCE, some => deleteNoting(trx, texts, table, sql`${piece} and visit_id in (${sql.join(some)})`))
    }
    await inPieces(onPages, VISITS_AT_ONCE, async some => {
      const which = sql.join(some.map(({ visit, page }) => sql`(cast(${page} as integer), cast(${visit} as bigint))`))
      return deleteNoting(trx, texts, table, sql`site_id = ${of.site} and day = ${of.day} and (page, visit_id) in (values ${which})`)
    })
  }
}

/** Hashes of visitors without a visit, as long as the day has any: later hits of them belong to a new visitor. */
async function forgetVisitors(trx: Trx, { site, day }: SiteDay, gone: readonly number[]): Promise<void> {
  const numbers = [...new Set(gone.map(id => Math.floor(id / VISITS_PER_VISITOR)))]
  await inPieces(numbers, VISITS_AT_ONCE, async some => {
    await sql`
      delete from visitors where site_id = ${site} and day = ${day} and visitor in (${sql.join(some)}) and not exists (
        select 1 from visits v where v.site_id = ${site} and v.day = ${day}
          and v.visit_id >= visitors.visitor * cast(${VISITS_PER_VISITOR} as bigint) and v.visit_id < (visitors.visitor + 1) * cast(${VISITS_PER_VISITOR} as bigint))`.execute(
      trx,
    )
  })
}
