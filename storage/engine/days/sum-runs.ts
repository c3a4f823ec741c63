/**
 * Runs of sums: the sums by one dimension of up to 32 packed days in one row, in place of a row for each day. A day is in at most one
 * of both places, and a day that changes leaves its run: the run is taken apart into rows of days, and made again later.
 */
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import { runNamed } from '../../sql/named-statements.ts'
import { inSnapshot } from '../../snapshots/snapshots.ts'
import type { Db, Store, Trx } from '../../store.ts'
import { giveWay, yieldWhereDue } from '../../system/event-loop.ts'
import type { GroupSums } from '../columns/group-sums.ts'
import { packRun, packSums, type SumsOfDay, unpackRun, unpackSums } from './packed-sums.ts'
import { JOINED_FORMAT, PACKED_FORMAT, PACKED_SUMS, sumsNumbers } from './sealed-columns.ts'
import { addTo } from '../../values/grouped.ts'
import type { SiteDay } from '../../values/site-day.ts'

/** Released databases have such runs. */
const DAYS_A_RUN = 32
/** Sums of more bytes stay in rows of their own: joining them gains little, and a report of few days reads all of a run. */
const MAX_BYTES = 128_000
const RUNS_AT_ONCE = 40
/** Fewer days are not worth the work of joining them again, unless a test wants it. */
const MIN_DAYS = 12

const numbers = Object.values(sumsNumbers)
const firstOf = (run: number): number => run * DAYS_A_RUN
const lastOf = (run: number): number => firstOf(run + 1) - 1
const runOf = (day: number): number => Math.floor(day / DAYS_A_RUN)

interface ReadRuns {
  readonly site: number
  readonly numbers: Iterable<number>
  readonly from: number
  readonly to: number
  isLacking(day: number, number: number): boolean
}

/** Reads the sums of these days that are in runs. */
export async function readRuns(
  db: Db,
  { site, numbers: wanted, from, to, isLacking }: ReadRuns,
): Promise<{ day: number; number: number; sums: GroupSums }[]> {
  const ofDays = db
    .selectFrom('sum_runs')
    .select(['col', 'day', 'data'])
    .where('site_id', '=', site)
    .where('col', 'in', [...wanted])
    .where('day', '>=', from)
    .where('day', '<', to + DAYS_A_RUN)
  const { rows } = await runNamed(db, 'sum-runs.read', ofDays)
  return rows.flatMap(({ col: number, day: last, data }) =>
    unpackRun(data, last, day => isLacking(day, number)).map(({ day, sums }) => ({ day, number, sums })),
  )
}

/** Takes the run of a day apart, if it is in one. Call it before the sums of the day are replaced. */
export async function leaveRuns(trx: Trx, dialect: Dialect, { site, day }: SiteDay): Promise<void> {
  const run = runOf(day)
  const formats = trx.selectFrom('segments').select('format').where('site_id', '=', site)
  if ((await formats.where('day', '=', day).executeTakeFirst())?.format !== JOINED_FORMAT) return
  // Two days of a run may leave it at the same time.
  if (!(await lockedSegments(trx, dialect, { site, run })).some(segment => segment.day === day && segment.format === JOINED_FORMAT)) return
  const rows = await trx
    .selectFrom('sum_runs')
    .select(['col', 'data'])
    .where('site_id', '=', site)
    .where('col', 'in', numbers)
    .where('day', '=', lastOf(run))
    .execute()
  for (const { col, data } of rows) {
    const values = unpackRun(data, lastOf(run)).map(of => ({
      site_id: site,
      col: PACKED_SUMS + col,
      day: of.day,
      data: Buffer.from(packSums(of.sums)),
    }))
    if (values.length > 0) await trx.insertInto('segment_sums').values(values).execute()
    await yieldWhereDue()
  }
  await trx.deleteFrom('sum_runs').where('site_id', '=', site).where('col', 'in', numbers).where('day', '=', lastOf(run)).execute()
  await trx
    .updateTable('segments')
    .set({ format: PACKED_FORMAT })
    .where('site_id', '=', site)
    .where('day', '>=', firstOf(run))
    .where('day', '<=', lastOf(run))
    .where('format', '=', JOINED_FORMAT)
    .execute()
}

interface RunOf {
  readonly site: number
  readonly run: number
}

interface SegmentOf {
  readonly day: number
  readonly rev: number
  readonly format: number
}

async function lockedSegments(trx: Trx, { rowLock }: Dialect, { site, run }: RunOf): Promise<SegmentOf[]> {
  const { rows } = await sql<SegmentOf>`
    select day, rev, format from segments where site_id = ${site} and day between ${firstOf(run)} and ${lastOf(run)}
    order by day ${sql.raw(rowLock.wait)}`.execute(trx)
  return [...rows]
}

interface Joining {
  readonly endedBefore: number
  readonly leastDays?: number | undefined
  readonly signal: AbortSignal
  readonly maxRestMs: number
}

/** Joins sums of packed days. @returns whether there is more to do */
export async function joinSums(store: Store, { endedBefore, leastDays = MIN_DAYS, signal, maxRestMs }: Joining): Promise<boolean> {
  const { rows } = await sql<RunOf>`
    /* sum-runs.due */ select s.site_id as site, s.day / ${sql.lit(DAYS_A_RUN)} as run
    from segments s join site_days d on d.site_id = s.site_id and d.day = s.day
    where s.format = ${sql.lit(PACKED_FORMAT)} and d.ends_at <= ${endedBefore} and d.moved < 0 and d.rev = s.rev and d.sealed_rev = d.rev
    group by 1, 2 having count(*) >= ${leastDays} order by 1, 2 limit ${RUNS_AT_ONCE}`.execute(store.read)
  for (const of of rows) {
    if (signal.aborted) return true
    const began = performance.now()
    await join(store, of)
    await setTimeout(Math.min(performance.now() - began, maxRestMs))
  }
  return rows.length === RUNS_AT_ONCE
}

interface Found {
  /** Packed days, also the days of an earlier run. */
  readonly segments: readonly SegmentOf[]
  /** Sums of one day. */
  readonly rows: readonly { readonly col: number; readonly day: number; readonly data: Uint8Array }[]
  /** Of the earlier run. */
  readonly joined: readonly (SumsOfDay & { readonly number: number })[]
}

/** Writes one run, with the days that were in it before, unless a segment has been replaced meanwhile. */
async function join(store: Store, of: RunOf): Promise<void> {
  const { site, run } = of
  const found = await inSnapshot(store.read, [site], db => readAll(db, of))
  const { segments } = found
  const sums = await unpacked(found)
  const runs: { col: number; data: Uint8Array }[] = []
  const kept = new Set<number>()
  for (const [col, days] of sums) {
    await giveWay()
    const data = packRun(days, lastOf(run))
    if (data.length <= MAX_BYTES) runs.push({ col, data })
    else kept.add(col)
  }
  await store.transaction(async trx => {
    const now = await lockedSegments(trx, store.dialect, of)
    const isSame = (a: SegmentOf, b: SegmentOf) => a.day === b.day && a.rev === b.rev && a.format === b.format
    if (!segments.every(read => now.some(one => isSame(one, read)))) return
    const days = segments.map(({ day }) => day)
    const cols = runs.map(({ col }) => col)
    await trx.deleteFrom('sum_runs').where('site_id', '=', site).where('col', 'in', numbers).where('day', '=', lastOf(run)).execute()
    for (const { col, data } of runs)
      await trx
        .insertInto('sum_runs')
        .values({ site_id: site, col, day: lastOf(run), data: Buffer.from(data) })
        .execute()
    const rows = trx.deleteFrom('segment_sums').where('site_id', '=', site).where('day', 'in', days)
    if (cols.length > 0)
      await rows
        .where(
          'col',
          'in',
          cols.map(col => PACKED_SUMS + col),
        )
        .execute()
    // Of a former run that has become too large.
    for (const col of kept) await writeRows(trx, site, col, sums.get(col) ?? [])
    await trx.updateTable('segments').set({ format: JOINED_FORMAT }).where('site_id', '=', site).where('day', 'in', days).execute()
  })
}

async function writeRows(trx: Trx, site: number, col: number, days: readonly SumsOfDay[]): Promise<void> {
  for (const { day, sums } of days) {
    await trx
      .insertInto('segment_sums')
      .values({ site_id: site, col: PACKED_SUMS + col, day, data: Buffer.from(packSums(sums)) })
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }
}

async function readAll(db: Db, { site, run }: RunOf): Promise<Found> {
  const [from, to] = [firstOf(run), lastOf(run)]
  const segments = await db
    .selectFrom('segments')
    .select(['day', 'rev', 'format'])
    .where('site_id', '=', site)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('format', 'in', [PACKED_FORMAT, JOINED_FORMAT])
    .execute()
  const rows = await db
    .selectFrom('segment_sums')
    .select(['col', 'day', 'data'])
    .where('site_id', '=', site)
    .where(
      'col',
      'in',
      numbers.map(number => PACKED_SUMS + number),
    )
    .where('day', '>=', from)
    .where('day', '<=', to)
    .execute()
  return { segments, rows, joined: await readRuns(db, { site, numbers, from, to: from, isLacking: () => true }) }
}

/** By column, in the order of days. It can wait, and would otherwise hold the event loop for a tenth of a second. */
async function unpacked({ segments, rows, joined }: Found): Promise<ReadonlyMap<number, readonly SumsOfDay[]>> {
  const ofRun = new Set(segments.map(({ day }) => day))
  const sums = new Map<number, SumsOfDay[]>()
  const add = (number: number, of: SumsOfDay): void => {
    if (ofRun.has(of.day)) addTo(sums, number, of)
  }
  for (const { col, day, data } of rows) {
    await giveWay()
    add(col - PACKED_SUMS, { day, sums: unpackSums(data) })
  }
  for (const { number, day, sums: found } of joined) add(number, { day, sums: found })
  for (const all of sums.values()) all.sort((a, b) => a.day - b.day)
  return sums
}
