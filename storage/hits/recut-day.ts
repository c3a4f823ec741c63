/**
 * Cuts stored days at the midnights of the present time zone of their site: visits of other days move there. A day is cut in short
 * transactions. In between, the stored days overlap in time: the boundaries of a day that gets visits move outwards with them, and
 * the other boundaries follow at the end. So every hit is within the boundaries of its day at every moment, reports count the same
 * (`storage/engine/days/recut.ts`), and it can end and begin again anywhere.
 */
import { sql } from 'kysely'
import { dayStart } from '../calendar/zones.ts'
import { type BringBack, haveRows, rowReturner } from '../moved-days/moving.ts'
import { inSnapshot } from '../snapshots/snapshots.ts'
import type { Db, Store, Trx } from '../store.ts'
import type { SiteDayRow, VisitRow } from '../tables/index.ts'
import { yieldWhereDue } from '../system/event-loop.ts'
import { searchAgain } from './gone-texts.ts'
import { type DayPart, dividedVisit, type HitOfVisit, isCut, partsOf, type VisitPart } from './divided-visit.ts'
import { type MovedVisit, type RowMover, rowMover } from './recut-rows.ts'
import { VISITS_PER_VISITOR } from './visit-ids.ts'
import { addTo } from '../values/grouped.ts'
import type { SiteDay } from '../values/site-day.ts'

/** A day that has given visits to others. `rev` is the one before. */
export interface Divided extends SiteDay {
  readonly rev: number
  readonly into: readonly { readonly day: number; readonly rev: number }[]
}

export interface Recutting {
  readonly site: number
  readonly zone: string
  readonly now: number
  readonly signal: AbortSignal
  /** Whether the days may still be cut by this zone. Called in each transaction, with the site locked. */
  mayCut(trx: Trx): Promise<boolean>
  /** Called in each transaction that has moved visits. */
  divided?(trx: Trx, day: Divided): Promise<void>
  /** Visits that a transaction looks at, for tests. */
  readonly visitsAtOnce?: number | undefined
}

/** Visits that a transaction looks at: more on large days, because their measurements are searched each time. */
const atOnceOf = (visitors: number): number => Math.min(20_000, Math.max(2_000, Math.ceil(visitors / 8)))
const MAX_TRIES = 3

/** Ends the cutting of a day: the day has changed meanwhile, or may not be cut now. */
class Ended extends Error {
  readonly isChanged: boolean
  constructor({ isChanged }: { isChanged: boolean }) {
    super('a day was not cut')
    this.isChanged = isChanged
  }
}

/** @returns whether the day is cut; false if that was interrupted, or the day kept changing: call it again later */
export async function recutDay(store: Store, recutting: Recutting, day: number): Promise<boolean> {
  const cutter = { ...recutting, store, day, mover: rowMover(store), bringBack: rowReturner(store) }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      return await cut(cutter)
    } catch (error) {
      if (!(error instanceof Ended)) throw error
      if (!error.isChanged) return false
    }
  }
  return false
}

interface Cutter extends Recutting, SiteDay {
  readonly store: Store
  readonly mover: RowMover
  readonly bringBack: BringBack
}

async function cut(cutter: Cutter): Promise<boolean> {
  const { store, zone, signal, now } = cutter
  const before = await stateOf(store.read, cutter)
  if (!before || isCut(zone, boundsOf(before))) return true
  if (before.moved !== 0) await haveRows(store, cutter, now)
  const parts = partsOf(zone, boundsOf(before))
  const own = parts.find(part => part.day === cutter.day)
  const limit = cutter.visitsAtOnce ?? atOnceOf(before.next_visitor)
  let { rev } = before
  for (let next: number | undefined = 0; next !== undefined; ) {
    if (signal.aborted) return false
    const { to, hasOthers } = await nextVisits(cutter, { from: next, own, limit, rev })
    const some: Some = { from: next, to: to ?? Number.MAX_SAFE_INTEGER, parts, rev }
    if (hasOthers) rev = await inDay(cutter, rev, trx => moveSome(trx, cutter, some))
    next = to
    await yieldWhereDue()
  }
  // A day that has given away all of its time stays, without any: its measurements without a visit keep their date.
  const bounds = { starts_at: own?.from ?? before.ends_at, ends_at: own?.to ?? before.ends_at, rev: rev + 1 }
  await inDay(cutter, rev, async trx => {
    await trx.updateTable('site_days').set(bounds).where('site_id', '=', cutter.site).where('day', '=', cutter.day).execute()
    await cutter.divided?.(trx, { site: cutter.site, day: cutter.day, rev, into: [] })
    return rev + 1
  })
  return true
}

/** Runs a transaction on the day if its `rev` is still this one. @returns the `rev` after it */
async function inDay(cutter: Cutter, rev: number, run: (trx: Trx) => Promise<number>): Promise<number> {
  const { store, site, mayCut } = cutter
  return store.transaction(async trx => {
    const { deleted } = await store.dialect.lockSites(trx, [site])
    if (deleted.length > 0 || !(await mayCut(trx))) throw new Ended({ isChanged: false })
    await expectUnchanged(trx, cutter, rev)
    return run(trx)
  })
}

/** Moving the rows of a day out of the database does not change its `rev`. */
async function expectUnchanged(db: Db, cutter: Cutter, rev: number): Promise<void> {
  const state = await stateOf(db, cutter)
  if (state?.rev !== rev || state.moved !== 0) throw new Ended({ isChanged: true })
}

const stateOf = (db: Db, { site, day }: SiteDay): Promise<SiteDayRow | undefined> =>
  db.selectFrom('site_days').selectAll().where('site_id', '=', site).where('day', '=', day).executeTakeFirst()
const boundsOf = ({ day, starts_at: startsAt, ends_at: endsAt }: SiteDayRow) => ({ day, startsAt, endsAt })

/** A visit may end with the attention to its last page after midnight, so some of these stay. */
const isElsewhere = (own: DayPart | undefined) =>
  own ? sql<boolean>`not (started_at >= ${own.from} and started_at + duration < ${own.to})` : sql<boolean>`1 = 1`

/** Ends a piece of the visits between two visitors, and says whether some of them may belong to other days. */
function nextVisits(cutter: Cutter, { from, own, limit, rev }: Next): Promise<{ to: number | undefined; hasOthers: boolean }> {
  const { store, site, day } = cutter
  return inSnapshot(store.read, [site], async db => {
    await expectUnchanged(db, cutter, rev)
    const visits = db
      .selectFrom('visits')
      .select('visit_id')
      .where('site_id', '=', site)
      .where('day', '=', day)
      .where('visit_id', '>=', from)
    const next = (await visits.orderBy('visit_id').offset(limit).limit(1).executeTakeFirst())?.visit_id
    const to =
      next === undefined
        ? undefined
        : Math.max(Math.floor(next / VISITS_PER_VISITOR), Math.floor(from / VISITS_PER_VISITOR) + 1) * VISITS_PER_VISITOR
    const some = to === undefined ? visits : visits.where('visit_id', '<', to)
    return { to, hasOthers: (await some.where(isElsewhere(own)).limit(1).executeTakeFirst()) !== undefined }
  })
}

interface Next {
  readonly from: number
  readonly own: DayPart | undefined
  readonly limit: number
  readonly rev: number
}

interface Some {
  readonly from: number
  readonly to: number
  readonly parts: readonly DayPart[]
  readonly rev: number
}

/** @returns the `rev` of the day after it */
async function moveSome(trx: Trx, cutter: Cutter, { from, to, parts, rev }: Some): Promise<number> {
  const { site, day, mover } = cutter
  const own = parts.find(part => part.day === day)
  const visits = await trx
    .selectFrom('visits')
    .selectAll()
    .where('site_id', '=', site)
    .where('day', '=', day)
    .where('visit_id', '>=', from)
    .where('visit_id', '<', to)
    .where(isElsewhere(own))
    .orderBy('visit_id')
    .execute()
  const all = await divided(trx, cutter, visits, parts)
  const given = all.filter(visit => visit.some(({ part }) => part.day !== day))
  if (given.length === 0) return rev

  const targets = new Map<number, Target>()
  for (const { part } of given.flat())
    if (part.day !== day && !targets.has(part.day)) targets.set(part.day, await openTarget(trx, cutter, part))
  const idOf = ({ part, visit }: VisitPart): number => {
    const target = targets.get(part.day)
    return target
      ? target.visitor(Math.floor(visit.visit_id / VISITS_PER_VISITOR)) * VISITS_PER_VISITOR + (visit.visit_id % VISITS_PER_VISITOR)
      : visit.visit_id
  }
  const revOf = (part: DayPart): number => (targets.get(part.day)?.rev ?? rev) + 1

  const whole: (MovedVisit & { rev: number })[] = []
  const gone: number[] = []
  const put: VisitRow[] = []
  const movedHits: MovedVisit[] = []
  const places = new Map<number, { readonly place: MovedVisit | undefined; readonly seqs: Set<number>; readonly pages: Set<number> }[]>()
  for (const visit of given) {
    const id = visit[0]?.visit.visit_id ?? 0
    const isWhole = visit.length === 1
    places.set(id, [])
    if (!isWhole) gone.push(id)
    for (const each of visit) {
      const { part, hits } = each
      const time = isWhole ? { from: 0, to: Number.MAX_SAFE_INTEGER } : part
      const place = part.day === day ? undefined : { id, intoDay: part.day, intoId: idOf(each), from: time.from, to: time.to }
      if (place) movedHits.push(place)
      if (place && isWhole) whole.push({ ...place, rev: revOf(part) })
      if (!isWhole) put.push({ ...each.visit, day: part.day, visit_id: idOf(each), rev: revOf(part) })
      places.get(id)?.push({ place, seqs: new Set(hits.map(({ seq }) => seq)), pages: new Set(hits.map(({ page }) => page)) })
    }
  }
  const range = { from: given[0]?.[0]?.visit.visit_id ?? 0, to: (given.at(-1)?.[0]?.visit.visit_id ?? 0) + 1 }
  /** Measurements have no time: they belong to the part that has their page, by default to the first. */
  const placeOf: Parameters<RowMover['moveProps']>[3] = (id, row) => {
    const visit = places.get(id)
    if (!visit || visit.length === 1) return visit?.[0]?.place
    const found = 'seq' in row ? visit.find(({ seqs }) => seqs.has(row.seq)) : visit.find(({ pages }) => pages.has(row.page))
    return (found ?? visit[0])?.place
  }
  await mover.moveProps(trx, cutter, range, placeOf)
  await mover.moveMeasured(trx, cutter, range, placeOf)
  await mover.moveHits(trx, cutter, movedHits)
  await mover.replaceVisits(trx, cutter, { gone, put })
  await mover.moveVisits(trx, cutter, whole)
  for (const target of targets.values()) await target.close()
  await searchAgain(trx, site)
  await setRev(trx, cutter, rev + 1)
  await cutter.divided?.(trx, { site, day, rev, into: [...targets.values()] })
  return rev + 1
}

/** The parts of each visit. Only visits across a midnight need their hits for that. */
async function divided(trx: Trx, { site, day }: SiteDay, visits: readonly VisitRow[], parts: readonly DayPart[]): Promise<VisitPart[][]> {
  const partAt = (at: number) => parts.find(({ to }) => at < to) ?? parts.at(-1)
  const across = visits.filter(({ started_at: at, duration }) => partAt(at) !== partAt(at + duration)).map(({ visit_id }) => visit_id)
  const hits = new Map<number, HitOfVisit[]>()
  for (let i = 0; i < across.length; i += 500) {
    const rows = await trx
      .selectFrom('hits')
      .select(['visit_id', 'seq', 'at', 'page', 'event', 'interactive', 'revenue', 'engaged_ms'])
      .where('site_id', '=', site)
      .where('day', '=', day)
      .where('visit_id', 'in', across.slice(i, i + 500))
      .orderBy('visit_id')
      .orderBy('at')
      .orderBy('seq')
      .execute()
    for (const row of rows) addTo(hits, row.visit_id, row)
    await yieldWhereDue()
  }
  return visits.map(visit => {
    const [part, own] = [partAt(visit.started_at), hits.get(visit.visit_id)]
    return own ? dividedVisit(visit, own, parts) : part ? [{ part, visit, hits: [] }] : []
  })
}

interface Target {
  readonly day: number
  /** Before the move. */
  readonly rev: number
  /** The number of a visitor there. */
  visitor(before: number): number
  /** Stores the counters and the boundaries. */
  close(): Promise<void>
}

/** The day that gets visits. One without time, new or given away, also has the time since its midnight that no other day has. */
async function openTarget(trx: Trx, { site, bringBack, zone }: Cutter, { day, from, to }: DayPart): Promise<Target> {
  const of = { site, day }
  await bringBack(trx, of)
  const known = await stateOf(trx, of)
  const hasTime = known && known.starts_at < known.ends_at
  const starts_at = hasTime ? known.starts_at : Math.max(dayStart(zone, day), await lastEndBefore(trx, site, from))
  const ends_at = hasTime ? known.ends_at : to
  const visitors = new Map<number, number>()
  const rev = known?.rev ?? 0
  let next_visitor = known?.next_visitor ?? 1
  return {
    day,
    rev,
    visitor(before) {
      const number = visitors.get(before) ?? next_visitor++
      visitors.set(before, number)
      return number
    },
    async close() {
      const changed = {
        starts_at: Math.min(starts_at, from),
        ends_at: Math.max(ends_at, to),
        next_visitor,
        rev: rev + 1,
      }
      await trx
        .insertInto('site_days')
        .values({ site_id: site, day, next_loose: 0, sealed_rev: 0, ...changed })
        .onConflict(conflict => conflict.columns(['site_id', 'day']).doUpdateSet(changed))
        .execute()
    },
  }
}

async function lastEndBefore(trx: Trx, site: number, before: number): Promise<number> {
  const ends = trx.selectFrom('site_days').select(({ fn }) => fn.max('ends_at').as('at'))
  const { at } = await ends.where('site_id', '=', site).where('ends_at', '<=', before).executeTakeFirstOrThrow()
  return at ?? -Infinity
}

const setRev = (trx: Trx, { site, day }: SiteDay, rev: number) =>
  trx.updateTable('site_days').set({ rev }).where('site_id', '=', site).where('day', '=', day).execute()
