/**
 * Moves visits of one site into another, some visitors at a time. Visits stay as they are: a visitor of the one is never a visitor of
 * the other. A visit over a midnight of the other site is divided there. Persons come along (merge-persons.ts).
 */
import { sql } from 'kysely'
import type { LocalDay } from '../calendar/zones.ts'
import { localDay } from '../calendar/zones.ts'
import { type BringBack, rowReturner } from '../moved-days/moving.ts'
import type { Store, Trx } from '../store.ts'
import { inPieces, rowsInPieces } from '../sql/in-pieces.ts'
import { type HitRow, type SiteDayRow, visitDimensionNumbers, visitDimensions, type VisitRow } from '../tables/index.ts'
import { raiseRevision } from './days.ts'
import { daySpan } from './day-spans.ts'
import { dictionaryOf, propertyDictionary } from './dictionaries.ts'
import { keepTexts } from './gone-texts.ts'
import { carryPersons, type Rehash } from './merge-persons.ts'
import { type DayPart, dividedVisit } from './divided-visit.ts'
import { visitsEraser } from './erase-visits.ts'
import { measuredPieces } from './recut-rows.ts'
import { VISITS_PER_VISITOR } from './visit-ids.ts'
import { grouped } from '../values/grouped.ts'
import type { SiteDay } from '../values/site-day.ts'

export interface Merging {
  /** `sites.number` of the site that gives its visits. */
  readonly from: number
  readonly into: { readonly number: number; readonly zone: string }
  /** A stored day of the first site. */
  readonly day: number
  /** Visits of which all visitors move. */
  readonly limit: number
  readonly rehash: Rehash
}

export interface Merged {
  readonly visits: number
  readonly hits: number
  /** Whether the day has nothing left to move. */
  readonly isDone: boolean
}

const ROWS_AT_ONCE = 100
const VISITS_AT_ONCE = 20
const LOOSE_AT_ONCE = 500

/** Call it in a transaction, which it lets lock both sites. */
export function siteMerger(store: Store): (trx: Trx, merging: Merging) => Promise<Merged> {
  const bringBack = rowReturner(store)
  const erase = visitsEraser(store)
  return async (trx, { from, into, day, limit, rehash }) => {
    await store.dialect.lockSites(trx, [from, into.number])
    await bringBack(trx, { site: from, day })
    const visits = await wholeVisitors(trx, { site: from, day, limit })
    const days = targetDays(trx, { ...into, bringBack })
    if (visits.length === 0) return { visits: 0, hits: 0, isDone: await moveLoose(trx, { from, into: into.number, day, days }) }
    const ids = visits.map(({ visit_id }) => visit_id)
    const hits = await rowsInPieces(ids, ROWS_AT_ONCE, some => rowsOf(trx, 'hits', { site: from, day }, some))
    const props = await propsOf(trx, { site: from, day }, hits, ids)
    const measured = {
      vitals: await measuredOf(trx, 'vitals', { site: from, day }, ids),
      clicks: await measuredOf(trx, 'clicks', { site: from, day }, ids),
    }
    const sites = { from, into: into.number }
    const persons = [...new Set(visits.flatMap(({ person }) => (person === 0 ? [] : [person])))]
    const personIn = await carryPersons(trx, sites, { persons, rehash })
    const idIn = await translation(trx, sites, { visits, hits, props, ...measured })

    const { put, placeOf, placeOfPage } = await divided(visits, hits, { day, days })
    const ownOf = ({ visit, place, rev }: Divided): VisitRow => {
      const dimensions = Object.fromEntries(visitDimensions.map(name => [name, idIn.visit(name, visit[name])]))
      const pages = { entry_page: idIn.page(visit.entry_page), exit_page: idIn.page(visit.exit_page) }
      const person = personIn.get(visit.person) ?? 0
      const known = { person, person_after: person === 0 ? 0 : visit.person_after }
      return { ...visit, ...dimensions, ...pages, ...known, site_id: into.number, day: place.day, visit_id: place.id, rev }
    }
    const site_id = into.number
    await inPieces(put.map(ownOf), VISITS_AT_ONCE, some => trx.insertInto('visits').values(some).execute())
    const movedHits = hits.flatMap(hit => {
      const place = placeOf(hit)
      const own = { page: idIn.page(hit.page), event: idIn.event(hit.event), host: idIn.visit('hostname', hit.host) }
      return place ? [{ ...hit, ...own, site_id, day: place.day, visit_id: place.id }] : []
    })
    await inPieces(movedHits, ROWS_AT_ONCE, some => trx.insertInto('hits').values(some).execute())
    const movedProps = props.flatMap(prop => {
      const place = placeOf(prop)
      const own = { event: idIn.event(prop.event), key: idIn.key(prop.key), value: idIn.value(prop.key, prop.value) }
      return place ? [{ ...prop, ...own, site_id, day: place.day, visit_id: place.id }] : []
    })
    await inPieces(movedProps, ROWS_AT_ONCE, some => trx.insertInto('hit_props').values(some).execute())
    for (const table of ['vitals', 'clicks'] as const) {
      const moved = measured[table].flatMap(row => {
        const place = placeOfPage(row)
        return place ? [{ ...row, ...idIn.measured(row), site_id, day: place.day, visit_id: place.id }] : []
      })
      await inPieces(moved, ROWS_AT_ONCE, some =>
        trx
          .insertInto(table)
          .values(some as never)
          .execute(),
      )
    }
    await days.close()
    await erase(trx, { site: from, day }, { ids })
    return { visits: visits.length, hits: hits.length, isDone: false }
  }
}

interface Place {
  readonly day: number
  readonly id: number
}
/** A visit, or a part of one, with its new place. */
interface Divided {
  readonly visit: VisitRow
  readonly place: Place
  readonly rev: number
}
/** Of one visit: where its hits, and measurements of its pages, go. */
interface Places {
  readonly first: Place
  readonly bySeq: ReadonlyMap<number, Place>
  readonly byPage: ReadonlyMap<number, Place>
}

/** Divides the visits of a day where the other site has a midnight. */
async function divided(visits: readonly VisitRow[], hits: readonly HitRow[], { day, days }: { day: number; days: TargetDays }) {
  const byVisit = grouped(hits, ({ visit_id }) => visit_id)
  const places = new Map<number, Places>()
  const put: Divided[] = []
  for (const visit of visits) {
    const own = (byVisit.get(visit.visit_id) ?? []).sort((a, b) => a.at - b.at || a.seq - b.seq)
    const parts: DayPart[] = []
    for (const { at } of own) {
      const span = await days.of(at)
      if (!parts.some(part => part.day === span.day)) parts.push({ day: span.day, from: span.startsAt, to: span.endsAt })
    }
    const placed = dividedVisit(visit, own, parts).map(part => {
      const target = days.target(part.part.day)
      const visitor = target.visitor(`${day} ${Math.floor(visit.visit_id / VISITS_PER_VISITOR)}`)
      const place = { day: part.part.day, id: visitor * VISITS_PER_VISITOR + (visit.visit_id % VISITS_PER_VISITOR) }
      put.push({ visit: part.visit, place, rev: target.rev })
      return { hits: part.hits, place }
    })
    const [first] = placed
    if (!first) continue
    const rows = placed.flatMap(({ hits, place }) => hits.map(({ seq, page }) => ({ seq, page, place })))
    const bySeq = new Map(rows.map(({ seq, place }) => [seq, place]))
    const byPage = new Map(rows.toReversed().map(({ page, place }) => [page, place])) // the first of the parts with a page
    places.set(visit.visit_id, { first: first.place, bySeq, byPage })
  }
  const placeIn = (visit: number, placeOf: (places: Places) => Place | undefined): Place | undefined => {
    const of = places.get(visit)
    return of && (placeOf(of) ?? of.first)
  }
  return {
    put,
    placeOf: ({ visit_id, seq }: { visit_id: number; seq: number }) => placeIn(visit_id, ({ bySeq }) => bySeq.get(seq)),
    placeOfPage: ({ visit_id, page }: { visit_id: number; page: number }) => placeIn(visit_id, ({ byPage }) => byPage.get(page)),
  }
}

/** The first visits of a day, with all visits of their visitors: a visitor moves at once. */
async function wholeVisitors(trx: Trx, { site, day, limit }: SiteDay & { limit: number }): Promise<VisitRow[]> {
  const all = () => trx.selectFrom('visits').where('site_id', '=', site).where('day', '=', day).orderBy('visit_id')
  const ids = await all().select('visit_id').limit(limit).execute()
  const last = ids.at(-1)?.visit_id
  if (last === undefined) return []
  const to = (Math.floor(last / VISITS_PER_VISITOR) + 1) * VISITS_PER_VISITOR
  return all().selectAll().where('visit_id', '<', to).execute()
}

const rowsOf = (trx: Trx, table: 'hits', { site, day }: SiteDay, ids: readonly number[]): Promise<HitRow[]> =>
  trx.selectFrom(table).selectAll().where('site_id', '=', site).where('day', '=', day).where('visit_id', 'in', ids).execute()

/** Properties are clustered by event and key, so they are searched by these. */
async function propsOf(trx: Trx, { site, day }: SiteDay, hits: readonly HitRow[], ids: readonly number[]) {
  const found: {
    site_id: number
    day: number
    event: number
    key: number
    visit_id: number
    seq: number
    value: number
    num: number | null
  }[] = []
  for (const event of new Set(hits.map(hit => hit.event))) {
    for (let last = -1; ; ) {
      const { rows } = await sql<{ key: number }>`
        select key from hit_props where site_id = ${site} and day = ${day} and event = ${event} and key > ${last} order by key limit 1`.execute(
        trx,
      )
      const key = rows[0]?.key
      if (key === undefined) break
      const of = trx.selectFrom('hit_props').selectAll().where('site_id', '=', site).where('day', '=', day)
      found.push(
        ...(await rowsInPieces(ids, ROWS_AT_ONCE, some =>
          of.where('event', '=', event).where('key', '=', key).where('visit_id', 'in', some).execute(),
        )),
      )
      last = key
    }
  }
  return found
}

interface MeasuredRow {
  readonly page: number
  readonly visit_id: number
  readonly seq: number
  readonly device?: number
  readonly selector?: number
}

async function measuredOf(trx: Trx, table: 'vitals' | 'clicks', of: SiteDay, ids: readonly number[]): Promise<MeasuredRow[]> {
  const found: MeasuredRow[] = []
  for await (const piece of measuredPieces(trx, table, of)) {
    found.push(
      ...(await rowsInPieces(ids, ROWS_AT_ONCE, async some => {
        const { rows } =
          await sql<MeasuredRow>`select * from ${sql.table(table)} where ${piece} and visit_id in (${sql.join(some)})`.execute(trx)
        return rows
      })),
    )
  }
  return found
}

interface Sites {
  readonly from: number
  readonly into: number
}
interface Given {
  readonly visits: readonly VisitRow[]
  readonly hits: readonly HitRow[]
  readonly props: readonly { readonly key: number; readonly value: number; readonly event: number }[]
  readonly vitals: readonly MeasuredRow[]
  readonly clicks: readonly MeasuredRow[]
}
type IdOf = (id: number) => number

/** Numbers the texts of some rows in the dictionaries of the other site. */
async function translation(trx: Trx, sites: Sites, { visits, hits, props, vitals, clicks }: Given) {
  const wanted = new Map<number, Set<number>>()
  const want = (dictionary: number, id: number) => wanted.set(dictionary, (wanted.get(dictionary) ?? new Set<number>()).add(id))
  for (const visit of visits) for (const name of visitDimensions) want(visitDimensionNumbers[name].dictionary, visit[name])
  for (const { page, event, host } of hits) {
    want(dictionaryOf.page, page)
    want(dictionaryOf.event, event)
    want(dictionaryOf.hostname, host)
  }
  for (const { key, event } of props) {
    want(dictionaryOf.prop_key, key)
    want(dictionaryOf.event, event)
  }
  for (const row of [...vitals, ...clicks]) {
    want(dictionaryOf.page, row.page)
    if (row.device !== undefined) want(dictionaryOf.device, row.device)
    if (row.selector !== undefined) want(dictionaryOf.selector, row.selector)
  }
  const of = new Map<number, IdOf>()
  for (const [dictionary, ids] of wanted) of.set(dictionary, await numbered(trx, sites, { from: dictionary, into: dictionary, ids }))
  const idOf = (dictionary: number, id: number): number => of.get(dictionary)?.(id) ?? 0
  const key: IdOf = id => idOf(dictionaryOf.prop_key, id)
  const values = new Map<number, IdOf>()
  for (const each of new Set(props.map(prop => prop.key))) {
    const ids = new Set(props.flatMap(prop => (prop.key === each ? [prop.value] : [])))
    values.set(each, await numbered(trx, sites, { from: propertyDictionary(each), into: propertyDictionary(key(each)), ids }))
  }
  return {
    page: (id: number) => idOf(dictionaryOf.page, id),
    event: (id: number) => idOf(dictionaryOf.event, id),
    visit: (name: (typeof visitDimensions)[number], id: number) => idOf(visitDimensionNumbers[name].dictionary, id),
    key,
    value: (of: number, id: number) => values.get(of)?.(id) ?? 0,
    measured: ({ page, device, selector }: MeasuredRow) => ({
      page: idOf(dictionaryOf.page, page),
      ...(device !== undefined && { device: idOf(dictionaryOf.device, device) }),
      ...(selector !== undefined && { selector: idOf(dictionaryOf.selector, selector) }),
    }),
  }
}

interface Numbering {
  readonly from: number
  readonly into: number
  readonly ids: ReadonlySet<number>
}

async function numbered(trx: Trx, sites: Sites, { from, into, ids }: Numbering): Promise<IdOf> {
  const own = (site: number, dictionary: number) => trx.selectFrom('dict').where('site_id', '=', site).where('dim', '=', dictionary)
  const asked = [...ids].filter(id => id !== 0)
  const texts = await rowsInPieces(asked, ROWS_AT_ONCE, some =>
    own(sites.from, from).select(['id', 'value']).where('id', 'in', some).execute(),
  )
  const values = texts.map(({ value }) => value)
  const known = await rowsInPieces(values, ROWS_AT_ONCE, some =>
    own(sites.into, into).select(['id', 'value']).where('value', 'in', some).execute(),
  )
  const byText = new Map(known.map(({ id, value }) => [value, id]))
  const missing = values.filter(value => !byText.has(value))
  if (missing.length > 0) {
    const { last } = await own(sites.into, into)
      .select(({ fn }) => fn.max('id').as('last'))
      .executeTakeFirstOrThrow()
    let next = (last ?? 0) + 1
    for (const value of missing) byText.set(value, next++)
    const rows = missing.map(value => ({ site_id: sites.into, dim: into, id: byText.get(value) ?? 0, value }))
    await inPieces(rows, ROWS_AT_ONCE, some => trx.insertInto('dict').values(some).execute())
  }
  const used = known.map(({ id }) => id)
  await inPieces(used, ROWS_AT_ONCE, async some => {
    await keepTexts(trx, { site: sites.into, dictionary: into, ids: some })
  })
  const found = new Map(texts.map(({ id, value }) => [id, byText.get(value) ?? 0]))
  return id => found.get(id) ?? 0
}

interface Target {
  readonly rev: number
  /** The number of a visitor of the other site. */
  visitor(before: string): number
  /** Numbers measurements without a visit. */
  loose(count: number): number
}

interface TargetDays {
  of(at: number): Promise<LocalDay>
  target(day: number): Target
  /** Stores the counters of the days. */
  close(): Promise<void>
}

/** Finds the days of hits, and makes missing ones. */
function targetDays(trx: Trx, { number: site, zone, bringBack }: { number: number; zone: string; bringBack: BringBack }): TargetDays {
  const spans = new Map<number, LocalDay>()
  const targets = new Map<number, Target & { state: { next_visitor: number; next_loose: number } }>()

  async function open(span: LocalDay): Promise<void> {
    const boundaries = { starts_at: span.startsAt, ends_at: span.endsAt }
    await trx
      .insertInto('site_days')
      .values({ site_id: site, day: span.day, ...boundaries, next_visitor: 1, next_loose: 0, rev: 0, sealed_rev: 0 })
      .onConflict(conflict => conflict.columns(['site_id', 'day']).doUpdateSet(boundaries))
      .execute()
    await bringBack(trx, { site, day: span.day })
    const rev = (await raiseRevision(trx, { site, day: span.day })) ?? 0
    const row = await trx
      .selectFrom('site_days')
      .select(['next_visitor', 'next_loose'])
      .where('site_id', '=', site)
      .where('day', '=', span.day)
      .executeTakeFirstOrThrow()
    const state = { ...row }
    const visitors = new Map<string, number>()
    targets.set(span.day, {
      rev,
      state,
      visitor(before) {
        const known = visitors.get(before) ?? state.next_visitor++
        visitors.set(before, known)
        return known
      },
      loose(count) {
        const first = state.next_loose
        state.next_loose += count
        return first
      },
    })
  }

  return {
    async of(at) {
      for (const span of spans.values()) if (span.startsAt <= at && at < span.endsAt) return span
      const { day } = localDay(zone, at)
      const rows: Pick<SiteDayRow, 'day' | 'starts_at' | 'ends_at'>[] = await trx
        .selectFrom('site_days')
        .select(['day', 'starts_at', 'ends_at'])
        .where('site_id', '=', site)
        .where('day', '>=', day - 3)
        .where('day', '<=', day + 3)
        .orderBy('day')
        .execute()
      const span = daySpan(
        rows.map(row => ({ day: row.day, startsAt: row.starts_at, endsAt: row.ends_at })),
        zone,
        at,
      )
      if (!targets.has(span.day)) await open(span)
      else
        await trx
          .updateTable('site_days')
          .set({ starts_at: span.startsAt, ends_at: span.endsAt })
          .where('site_id', '=', site)
          .where('day', '=', span.day)
          .execute()
      spans.set(span.day, span)
      return span
    },
    target(day) {
      const target = targets.get(day)
      if (!target) throw new Error(`day ${day} was not opened`)
      return target
    },
    async close() {
      for (const [day, { state }] of targets)
        await trx.updateTable('site_days').set(state).where('site_id', '=', site).where('day', '=', day).execute()
    },
  }
}

/** Moves measurements without a visit, which have no time, to the day of the middle of their day. @returns whether none are left */
async function moveLoose(trx: Trx, { from, into, day, days }: Sites & { day: number; days: TargetDays }): Promise<boolean> {
  for (const table of ['vitals', 'clicks'] as const) {
    const { rows } = await sql<MeasuredRow & { metric?: string }>`
      select * from ${sql.table(table)} where site_id = ${from} and day = ${day} and visit_id = 0 limit ${LOOSE_AT_ONCE}`.execute(trx)
    if (rows.length === 0) continue
    const { starts_at, ends_at } = await trx
      .selectFrom('site_days')
      .select(['starts_at', 'ends_at'])
      .where('site_id', '=', from)
      .where('day', '=', day)
      .executeTakeFirstOrThrow()
    const span = await days.of(Math.floor((starts_at + ends_at) / 2))
    const first = days.target(span.day).loose(rows.length)
    const none = { visits: [], hits: [], props: [], vitals: [], clicks: [] }
    const idIn = await translation(trx, { from, into }, { ...none, [table]: rows })
    const moved = rows.map((row, i) => ({ ...row, ...idIn.measured(row), site_id: into, day: span.day, seq: first + i }))
    await inPieces(moved, ROWS_AT_ONCE, some =>
      trx
        .insertInto(table)
        .values(some as never)
        .execute(),
    )
    await inPieces(rows, ROWS_AT_ONCE, async some => {
      const metricOf = ({ metric = '' }: (typeof rows)[number]) => (table === 'vitals' ? sql`cast(${metric} as text), ` : sql``)
      const which = sql.join(some.map(row => sql`(${metricOf(row)}cast(${row.page} as integer), cast(${row.seq} as integer))`))
      const names = table === 'vitals' ? sql`metric, page, seq` : sql`page, seq`
      await sql`
        delete from ${sql.table(table)}
        where site_id = ${from} and day = ${day} and visit_id = 0 and (${names}) in (values ${which})`.execute(trx)
    })
    await days.close()
    await raiseRevision(trx, { site: from, day })
    return false
  }
  return true
}
