/** Erases visits in the background: day by day, some visits at a time. Each transaction stores its progress, so that a crash loses nothing. */
import { setImmediate } from 'node:timers/promises'
import type { TaskContext } from '../../../runtime/table/task.ts'
import { ZONE_CHANGE_DAYS } from '../../../storage/engine/vocabulary/scope.ts'
import { type Erased, visitsEraser } from '../../../storage/hits/erase-visits.ts'
import { scrubCopies } from '../../../storage/hits/scrub-copies.ts'
import { scrubbing } from '../../../storage/hits/scrubbing.ts'
import { forgetTexts } from '../../../storage/hits/forget-texts.ts'
import type { Db, Trx } from '../../../storage/store.ts'
import type { VisitErasureRow } from '../../../storage/tables/index.ts'
import { isLive, type LiveSite } from '../../sites/sites/records.ts'
import { dropsOf } from '../../sites/traffic-rules/index.ts'
import { engine, presentDays } from '../../reports/stats/index.ts'
import { visits_erased } from './events.ts'
import { value_erased } from './hooks.ts'
import { type AppliedRule, type ErasureScope, toVisitErasure } from './records.ts'

/** Visits that a transaction erases: few, because new hits of the site wait for it. */
const VISITS_AT_ONCE = 400
/** Visits may change between a search and its transaction. After this many searches of a day, the site is locked for the search, too. */
const MAX_SEARCHES = 8

const NO_SCOPE: ErasureScope = { where: [], hits: null, goals: [] }

/** @returns whether it was interrupted */
export async function eraseVisits(context: TaskContext): Promise<boolean> {
  const { store } = context
  const open = store.read.selectFrom('visit_erasures').selectAll().where('finished_at', 'is', null)
  const erasures = await open.orderBy('requested_at').orderBy('id').execute()
  for (const erasure of erasures) {
    const site = await store.read.selectFrom('sites').selectAll().where('id', '=', erasure.site_id).executeTakeFirst()
    if (site && isLive(site) && !(await erase(context, erasure, site))) return true
  }
  return false
}

/** @returns false if it was interrupted */
async function erase(context: TaskContext, erasure: VisitErasureRow, site: LiveSite): Promise<boolean> {
  const { store, signal, now, progress } = context
  const eraser = eraserOf(context, erasure, site)
  const days = await daysOf(store.read, site, erasure)
  for (const [i, day] of days.entries()) {
    if (erasure.next_day !== null && day < erasure.next_day) continue
    const at = { next_day: day, progress: Math.floor((100 * i) / days.length) }
    for (let searches = 0; ; searches++) {
      await setImmediate()
      if (signal.aborted) return false
      if (await (searches < MAX_SEARCHES ? eraser.erase(day, at) : eraser.eraseLocked(day, at))) break
    }
    progress(i + 1, days.length)
  }
  if (!(await forgetTexts(store, site.number, { signal, searched: progress }))) return false
  const isByValue = erasure.by_value === 1
  await scrubCopies(store)
  await store.transaction(trx =>
    scrubbing(store, trx, async () => {
      // The scope contains the value of a person, so it is deleted as well.
      const end = { finished_at: now(), progress: 100, ...(isByValue && { scope: JSON.stringify(NO_SCOPE) }) }
      const finished = await updateOpen(trx, erasure).set(end).returningAll().executeTakeFirst()
      if (!finished) return
      const emit = context.emitIn(trx, now())
      if (isByValue) await emit(value_erased, { site, spellings: spellingsIn(erasure) })
      await emit(visits_erased, { workspaceId: site.workspace_id, siteId: site.id, data: toVisitErasure(finished) })
    }),
  )
  if (isByValue) await scrubCopies(store)
  return true
}

/** The spellings of the erased value. */
function spellingsIn({ scope }: VisitErasureRow): string[] {
  const { where } = JSON.parse(scope) as ErasureScope // written by the operations
  const tests = where.flatMap(condition => ('any' in condition ? condition.any : [condition]))
  return tests.flatMap(test => ('values' in test && test.pointer === '/value' ? test.values.map(String) : []))
}

/** Updates an erasure only while it is open: another run may have finished it meanwhile. */
const updateOpen = (db: Db, { id }: VisitErasureRow) =>
  db.updateTable('visit_erasures').where('id', '=', id).where('finished_at', 'is', null)

/** The days of the period that may have hits, in the site's present time zone. */
async function daysOf(db: Db, { number }: LiveSite, { from_day, to_day }: VisitErasureRow): Promise<number[]> {
  const stored = await db
    .selectFrom('site_days')
    .select('day')
    .where('site_id', '=', number)
    .where('day', '>=', from_day - ZONE_CHANGE_DAYS)
    .where('day', '<=', to_day + ZONE_CHANGE_DAYS)
    .execute()
  const days = new Set<number>()
  for (const { day } of stored)
    for (let near = day - ZONE_CHANGE_DAYS; near <= day + ZONE_CHANGE_DAYS; near++) if (near >= from_day && near <= to_day) days.add(near)
  return [...days].sort((a, b) => a - b)
}

type Progress = Pick<VisitErasureRow, 'next_day' | 'progress'>

interface Found {
  /** By number of the stored day: its `rev` before the search. */
  readonly revs: ReadonlyMap<number, number>
  readonly visits: readonly { readonly day: number; readonly ids: readonly number[] }[]
}

function eraserOf({ store, use }: TaskContext, erasure: VisitErasureRow, site: LiveSite) {
  const eraseVisitsOf = visitsEraser(store)
  const { where, hits, goals } = JSON.parse(erasure.scope) as ErasureScope // written by the operations
  const rule = erasure.rule === null ? null : (JSON.parse(erasure.rule) as AppliedRule) // likewise
  const drops = rule && hits ? dropsOf(rule) : undefined

  async function search(day: number): Promise<Found> {
    const rows = await store.read
      .selectFrom('site_days')
      .select(['day', 'rev'])
      .where('site_id', '=', site.number)
      .where('day', '>=', day - 2 * ZONE_CHANGE_DAYS)
      .where('day', '<=', day + 2 * ZONE_CHANGE_DAYS)
      .execute()
    const span = { from: 0, to: 0, fromDay: day, toDay: day, whole: true }
    const calendar = await presentDays(store.read, site, span)
    const asked = { report: 'erasure', span, hits, before: erasure.requested_at, withIds: true } as const
    const { ids } = await use(engine).query({ site: site.number, where, goals, calendar, zone: site.timezone, asked })
    return { revs: new Map(rows.map(row => [row.day, row.rev])), visits: ids }
  }

  async function eraseFound(trx: Trx, { revs }: Found, at: Progress, day: number, ids: readonly number[]): Promise<Erased | undefined> {
    await store.dialect.lockSites(trx, [site.number])
    const open = await updateOpen(trx, erasure).set(at).returning('id').executeTakeFirst()
    if (!open) return undefined
    const erased = await scrubbing(store, trx, () =>
      eraseVisitsOf(trx, { site: site.number, day }, { ids, rev: revs.get(day) ?? -1, ...(drops && { drops }) }),
    )
    await updateOpen(trx, erasure)
      .set(({ eb }) => ({
        visits: eb('visits', '+', erased.visits),
        pageviews: eb('pageviews', '+', erased.pageviews),
        events: eb('events', '+', erased.events),
        revenue: eb('revenue', '+', erased.revenue),
      }))
      .execute()
    return erased
  }

  return {
    /** Erases the visits of the day that a search finds. @returns whether it found none */
    async erase(day: number, at: Progress): Promise<boolean> {
      const found = await search(day)
      for (const { day: stored, ids } of found.visits) {
        for (let i = 0; i < ids.length; i += VISITS_AT_ONCE) {
          const some = ids.slice(i, i + VISITS_AT_ONCE)
          await store.transaction(trx => eraseFound(trx, found, at, stored, some))
          await setImmediate()
        }
      }
      return found.visits.length === 0
    },
    /** Searches and erases the first visits while the site is locked, so that no hit is stored meanwhile. @returns whether it found none */
    eraseLocked: (day: number, at: Progress): Promise<boolean> =>
      store.transaction(async trx => {
        await store.dialect.lockSites(trx, [site.number])
        const found = await search(day)
        const [first] = found.visits
        if (first) await eraseFound(trx, found, at, first.day, first.ids.slice(0, VISITS_AT_ONCE))
        return first === undefined
      }),
  }
}
