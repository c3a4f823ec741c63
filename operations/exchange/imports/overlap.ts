/**
 * Days that a file shares with an earlier import of the same source. Two exports of one product that share days have the same hits,
 * which would count twice, so a file is read once for its days before anything is stored.
 */
import { JobFailure, jobsOpen } from '../../../runtime/tasks/job.ts'
import type { Db, Store, Trx } from '../../../storage/store.ts'
import { yieldWhereDue } from '../../../storage/system/event-loop.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import type { ImportDayRow, ImportRow } from '../../../storage/tables/index.ts'
import type { DayTimes } from './days-in-file.ts'
import { m } from './messages.ts'
import { removeDay } from './days-of-hits.ts'
import { addTo, grouped } from '../../../storage/values/grouped.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'

/** Days that the message of a refusal names. */
const MAX_NAMED = 10
/** A visit that goes on after the end of a file begins the next one: an export of the next day has its last hits as well. */
const CONTINUED_MS = HOUR_MS

/** A day of the file that earlier imports have. */
interface SharedDay {
  readonly day: number
  readonly of: readonly ImportDayRow[]
}

/** An import of hits, by the API or by the command. */
export interface Incoming extends Pick<ImportRow, 'id' | 'site_id' | 'source' | 'fingerprint' | 'overlap' | 'dry_run'> {
  /** `sites.number` */
  readonly site: number
}

/** Finds the days of a file that other imports of its source have, except runs of the same file. */
async function sharedDays(db: Db, row: Incoming, days: readonly DayTimes[]): Promise<SharedDay[]> {
  const byApi = await db
    .selectFrom('import_days')
    .innerJoin('imports', 'imports.id', 'import_days.import_id')
    .selectAll('import_days')
    .where('imports.site_id', '=', row.site_id)
    .where('imports.source', '=', row.source)
    .where('imports.id', '<>', row.id)
    .where('imports.removing', '=', 0)
    .where(({ or, eb }) => or([eb('imports.fingerprint', 'is', null), eb('imports.fingerprint', '<>', row.fingerprint ?? '')]))
    .where(({ or, eb }) => or([eb('imports.status', 'in', jobsOpen), eb('import_days.rev', '>', 0)]))
    .orderBy('import_days.day')
    .execute()
  const all = row.source === 'footfall' ? [...byApi, ...(await daysByCommand(db, row))] : byApi
  const shared = new Map<number, ImportDayRow[]>()
  for (const earlier of grouped(all, each => each.import_id).values()) {
    await yieldWhereDue()
    for (const each of sharedWith(earlier, days)) addTo(shared, each.day, each)
  }
  return [...shared].sort(([a], [b]) => a - b).map(([day, of]) => ({ day, of }))
}

/** Days of raw hits that the command imported. They cannot be replaced, as it does not note how it left them. */
async function daysByCommand(db: Db, { site, fingerprint }: Incoming): Promise<ImportDayRow[]> {
  const own = db
    .selectFrom('hit_import_days')
    .selectAll()
    .where('site_id', '=', site)
    .where('fingerprint', '<>', fingerprint ?? '')
  const rows = await own.orderBy('day').execute()
  return rows.map(({ fingerprint, day, first_at, last_at }) => ({
    import_id: fingerprint,
    day,
    rev: 0,
    visitors: 0,
    alone: 0,
    first_at,
    last_at,
  }))
}

/** @param earlier days of one import, in order */
function sharedWith(earlier: readonly ImportDayRow[], days: readonly DayTimes[]): ImportDayRow[] {
  const known = new Map(earlier.map(each => [each.day, each]))
  const [theirs, ours] = [spanOf(earlier.map(timesOf)), spanOf(days)]
  return days.flatMap(own => {
    const other = known.get(own.day)
    if (!other) return []
    const times = timesOf(other)
    const [from, to] = [Math.max(times.first, own.first), Math.min(times.last, own.last)]
    if (from > to) return []
    const follows = (a: DayTimes, b: DayTimes) => a.first < b.first && a.last < b.last && from === b.first && to === a.last
    return to - from <= CONTINUED_MS && (follows(theirs, ours) || follows(ours, theirs)) ? [] : [other]
  })
}

const timesOf = ({ day, first_at, last_at }: ImportDayRow): DayTimes => ({ day, first: first_at ?? -Infinity, last: last_at ?? Infinity })
const spanOf = (days: readonly DayTimes[]): DayTimes => ({
  day: 0,
  first: days.reduce((first, each) => Math.min(first, each.first), Infinity),
  last: days.reduce((last, each) => Math.max(last, each.last), -Infinity),
})

const named = (days: readonly { day: number }[]) =>
  m.some_days({
    days: days.slice(0, MAX_NAMED).map(({ day }) => dateOf(day)),
    more: Math.max(0, days.length - MAX_NAMED),
  })

interface Settling {
  readonly row: Incoming
  readonly days: readonly DayTimes[]
}

/** The decisions of an import about the days of its file. */
export interface Settled {
  /** Days that it leaves out. */
  readonly left: ReadonlySet<number>
  /** Days whose hits it replaces, once it reaches them. */
  readonly replaced: ReadonlySet<number>
}

/**
 * Decides about shared days, and notes the days of the file, so that another import sees them. A dry run stores nothing.
 * @param note defaults to noting them as days of an import by the API
 * @throws JobFailure `overlapping_days`
 */
export async function settleOverlap(
  store: Store,
  { row, days }: Settling,
  note: (trx: Trx, row: Incoming, days: readonly DayTimes[]) => Promise<void> = noteTimes,
): Promise<Settled> {
  return store.transaction(async trx => {
    await store.dialect.lockSites(trx, [row.site])
    const shared = row.overlap === 'add' ? [] : await sharedDays(trx, row, days)
    if (row.overlap === 'refuse' && shared.length > 0) {
      throw new JobFailure(
        'overlapping_days',
        m.overlapping({ days: named(shared), source: row.source, id: shared[0]?.of[0]?.import_id ?? '' }),
      )
    }
    const left = new Set(row.overlap === 'skip' ? shared.map(({ day }) => day) : [])
    const replaced = row.overlap === 'replace' ? await replaceable(trx, row, shared, days) : new Set<number>()
    if (row.dry_run === 0) {
      const kept = days.filter(({ day }) => !left.has(day))
      await note(trx, row, kept)
    }
    return { left, replaced }
  })
}

async function noteTimes(trx: Trx, { id }: Incoming, days: readonly DayTimes[]): Promise<void> {
  for (let i = 0; i < days.length; i += 500) {
    const rows = days.slice(i, i + 500).map(({ day, first, last }) => ({
      import_id: id,
      day,
      // The first piece of an empty day raises its `rev` to 1.
      rev: 0,
      visitors: 0,
      alone: 1,
      first_at: first,
      last_at: last,
    }))
    await trx
      .insertInto('import_days')
      .values(rows)
      .onConflict(conflict => conflict.columns(['import_id', 'day']).doNothing())
      .execute()
    await yieldWhereDue()
  }
}

/** Notes days of a file that the command imports. */
export async function noteTimesOfCommand(trx: Trx, { site, fingerprint }: Incoming, days: readonly DayTimes[]): Promise<void> {
  for (let i = 0; i < days.length; i += 500) {
    const rows = days
      .slice(i, i + 500)
      .map(({ day, first, last }) => ({ site_id: site, fingerprint: fingerprint ?? '', day, first_at: first, last_at: last }))
    await trx
      .insertInto('hit_import_days')
      .values(rows)
      .onConflict(conflict => conflict.doNothing())
      .execute()
    await yieldWhereDue()
  }
}

/** Whether a day is as its only import, or an interrupted replacement, left it. */
async function isUnchanged(db: Db, { site, day, rev }: { site: number; day: number; rev: number }): Promise<boolean> {
  const state = await db.selectFrom('site_days').select('rev').where('site_id', '=', site).where('day', '=', day).executeTakeFirst()
  return state?.rev === rev
}

/** The days that can be replaced. @throws JobFailure if one has hits of others */
async function replaceable(db: Db, { site }: Incoming, shared: readonly SharedDay[], days: readonly DayTimes[]): Promise<Set<number>> {
  const brought = new Set(days.filter(({ brings }) => brings).map(({ day }) => day))
  const mixed: SharedDay[] = []
  for (const each of shared) if (!(await isOnly(db, site, each))) mixed.push(each)
  if (mixed.length > 0) throw new JobFailure('overlapping_days', m.not_replaceable({ days: named(mixed) }))
  return new Set(shared.flatMap(({ day }) => (brought.has(day) ? [day] : [])))
}

/** Whether a day has only the hits of one earlier import. */
async function isOnly(db: Db, site: number, { day, of: [only, ...others] }: SharedDay): Promise<boolean> {
  return only !== undefined && others.length === 0 && only.alone === 1 && (await isUnchanged(db, { site, day, rev: only.rev }))
}

/**
 * Deletes the hits that an earlier import has of a day, whose own hits are about to be stored, and notes the day as empty. Days
 * that the import does not reach keep theirs. Can be called again after a crash.
 * @throws JobFailure if others have stored hits on the day meanwhile
 */
export async function replaceDay(
  store: Store,
  { row, day, signal }: { row: Incoming; day: number; signal: AbortSignal },
): Promise<'replaced' | 'aborted'> {
  const { site } = row
  const shared = await store.transaction(async trx => {
    await store.dialect.lockSites(trx, [site]) // another run of this import may be replacing the day
    const [found] = await sharedDays(trx, row, [{ day, first: -Infinity, last: Infinity }])
    if (found && !(await isOnly(trx, site, found))) throw new JobFailure('overlapping_days', m.changed_meanwhile({ day: dateOf(day) }))
    return found
  })
  if (!shared) return 'replaced'
  const earlier = shared.of[0]?.import_id ?? ''
  if (!(await removeDay(store, { importId: earlier, site, day, signal }))) return 'aborted'
  await store.transaction(async trx => {
    await store.dialect.lockSites(trx, [site])
    const left = await trx
      .deleteFrom('import_days')
      .where('import_id', '=', earlier)
      .where('day', '=', day)
      .returning('rev')
      .executeTakeFirst()
    if (!left) return // another run of this import has replaced it meanwhile
    const state = trx.selectFrom('site_days').select(['rev', 'next_visitor']).where('site_id', '=', site).where('day', '=', day)
    const { rev = 0, next_visitor: visitors = 1 } = (await state.executeTakeFirst()) ?? {}
    if (rev !== left.rev) throw new JobFailure('overlapping_days', m.changed_meanwhile({ day: dateOf(day) }))
    await trx.updateTable('import_days').set({ rev, visitors, alone: 1 }).where('import_id', '=', row.id).where('day', '=', day).execute()
  })
  return 'replaced'
}
