/**
 * Writes the file of one export, day by day. An interrupted run starts over. The file is written separately and replaces
 * the export's file with its last byte, so it never contains a row twice or misses one. If another process has taken over,
 * the earlier run finds that its file is gone.
 */
import { m } from './messages.ts'
import { storedSentence } from '../../../runtime/texts/message.ts'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { among, iso } from '../../../runtime/table/schema.ts'
import type { TaskContext } from '../../../runtime/table/task.ts'
import { jobsOpen } from '../../../runtime/tasks/job.ts'
import { type FamilyName, familyNames } from '../../../storage/tables/imported-families.ts'
import type { Db } from '../../../storage/store.ts'
import type { ExportRow } from '../../../storage/tables/index.ts'
import { StorageUnavailable } from '../../../storage/values/storage-unavailable.ts'
import { giveWay } from '../../../storage/system/event-loop.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { isLive, type LiveSite } from '../../sites/sites/records.ts'
import { engine, presentDays, type Scope } from '../../reports/stats/index.ts'
import { FileReplaced, type Files, files } from '../files/index.ts'
import type { Chosen } from './day-rows.ts'
import { type WrittenDay, writtenDays } from './days.ts'
import { export_ready } from './events.ts'
import { formats } from './records.ts'
import { notifyCreator } from './notify.ts'
import { type Texts, textsOf } from './texts.ts'
import { familyColumns, totalsOf, valuesOf } from './totals.ts'
import { tableNames, tables } from './tables.ts'
import { KEPT_MS, workspaceKind, type ExportPieces } from './export-files.ts'
import { memorySink } from './sinks.ts'
import type { Cells, Column } from './row-writer.ts'
import { openWriter } from './writers.ts'

type Context = Pick<TaskContext, 'store' | 'use' | 'now' | 'newId' | 'config' | 'emitIn' | 'signal' | 'isOurs' | 'log'>

/** Bytes that are passed on at once. */
const PIECE = 64 * 1024

/** Ends a run silently: the export was cancelled or deleted, or the process shuts down. */
class Ended extends Error {}

export async function runExport(context: Context, row: ExportRow): Promise<void> {
  const { store, use, now, log, signal } = context
  try {
    const site = row.kind === workspaceKind ? undefined : await siteOf(store.read, row)
    const { numUpdatedRows } = await store.write
      .updateTable('exports')
      .set({ status: 'running', started_at: row.started_at ?? now(), progress: 0, rows_written: 0, updated_at: now() })
      .where('id', '=', row.id)
      .where('status', 'in', jobsOpen)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw new Ended()
    // From here on, no visit moves to another day (docs/analytics.md §5).
    if (site) await store.transaction(trx => store.dialect.lockSites(trx, [site.number]))
    const made = await writeFile(use(files), row.id, await piecesOf(context, row, site))
    await complete(context, row, made)
  } catch (error) {
    if (error instanceof Ended || error instanceof FileReplaced || signal.aborted) return
    if (error instanceof StorageUnavailable) throw error // the next run starts over
    if (!(await context.isOurs())) return // only this run failed; another one continues
    if (await failJob(context, row)) log.error({ export: row.id, err: error }, 'an export failed')
  }
}

async function siteOf(db: Db, row: ExportRow): Promise<LiveSite> {
  const site = await db.selectFrom('sites').selectAll().where('id', '=', row.site_id).executeTakeFirst()
  if (!site || !isLive(site)) throw new Ended()
  return site
}

/** @param site undefined for a whole workspace */
async function piecesOf(context: Context, row: ExportRow, site: LiveSite | undefined): Promise<ExportPieces> {
  if (site) return row.kind === 'aggregates' ? totalsIn(context, row, site) : rowsIn(context, row, site)
  const { workspacePieces } = await import('./workspace-file.ts')
  return workspacePieces(context, row, steps => {
    const progress = progressOf(context, row, steps)
    return async rows => {
      if (context.signal.aborted) throw new Ended()
      await progress(rows)
    }
  })
}

interface Made {
  readonly sha256: string
  readonly bytes: number
  readonly rows: number
}

async function writeFile(files: Files, name: string, pieces: ExportPieces): Promise<Made> {
  const file = await files.create(name)
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await pieces.next()
      if (done) {
        await file.close()
        return { sha256: hash.digest('hex'), bytes, rows: value }
      }
      hash.update(value)
      bytes += value.byteLength
      await file.write(value)
    }
  } catch (error) {
    await file.discard().catch(() => {}) // the first error is the cause
    throw error
  }
}

async function* rowsIn(context: Context, row: ExportRow, site: LiveSite): ExportPieces {
  const { store, now } = context
  const texts = textsOf(store.read, site.number)
  const { columns, rowsOf } = tables[among(tableNames, row.kind)]
  const chosenIn = chooser(context, row, site)
  async function* chosenRows({ day: shownAs, stored }: WrittenDay) {
    const chosen = await chosenIn(shownAs)
    for (const { day, startsAt, part } of stored) {
      yield* rowsOf(store, { site, day, shownAs, part, texts, chosen: chosen?.get(startsAt) ?? (chosen && none), now: now() })
    }
  }
  const days = await daysOf(store.read, site, row)
  const progress = progressOf(context, row, days.length)
  return yield* writeDays(context, row, { days, columns, progress, rowsOf: chosenRows })
}

const none: Chosen = new Set()

/** The visits of a day that meet the conditions of the export, by the start of their stored day; undefined for all. */
function chooser(
  { store, use }: Context,
  { scope }: ExportRow,
  site: LiveSite,
): (day: number) => Promise<ReadonlyMap<number, Chosen> | undefined> {
  if (scope === null) return async () => undefined
  const { where, goals }: Pick<Scope, 'where' | 'goals'> = JSON.parse(scope) // written by exports_create
  return async day => {
    const calendar = await presentDays(store.read, site, { fromDay: day, toDay: day })
    const { days } = await use(engine).query({
      site: site.number,
      where,
      goals,
      calendar,
      zone: site.timezone,
      asked: { report: 'visits', day },
    })
    return new Map(days.map(({ startsAt, ids }) => [startsAt, new Set(ids)]))
  }
}

interface Writing {
  readonly days: readonly WrittenDay[]
  readonly columns: readonly Column[]
  progress(rows: number): Promise<void>
  rowsOf(day: WrittenDay): AsyncIterable<readonly Cells[]>
}

async function* writeDays(
  { signal }: Context,
  { format, raw, bom }: ExportRow,
  { days, columns, progress, rowsOf }: Writing,
): ExportPieces {
  const sink = memorySink()
  const writer = await openWriter({ sink, format: among(formats, format), columns, raw: raw === 1, bom: bom === 1 })
  let rows = 0
  for (const day of days) {
    for await (const piece of rowsOf(day)) {
      if (signal.aborted) throw new Ended()
      await writer.write(piece)
      rows += piece.length
      if (sink.size >= PIECE) yield sink.take()
      await giveWay()
    }
    await progress(rows)
  }
  await writer.close()
  yield sink.take()
  return rows
}

/** Days of the export with data. */
async function daysOf(db: Db, site: LiveSite, { kind, site_id, from_day, to_day }: ExportRow): Promise<WrittenDay[]> {
  if (kind === 'crawlers') {
    const days = await db
      .selectFrom('crawler_days')
      .select('day')
      .distinct()
      .where('site_id', '=', site_id)
      .where('day', '>=', from_day)
      .where('day', '<=', to_day)
      .orderBy('day')
      .execute()
    return days.map(({ day }) => ({ day, stored: [{ day, startsAt: 0, endsAt: 0, rev: 0, part: null }] }))
  }
  return writtenDays(db, site, { fromDay: from_day, toDay: to_day })
}

/** A zip whose files are generated while they are written. They have the names of Plausible's exports, so that tools for these can read them. */
async function* totalsIn(context: Context, row: ExportRow, site: LiveSite): ExportPieces {
  const { store, use } = context
  const texts: Texts = textsOf(store.read, site.number)
  const days = await daysOf(store.read, site, row)
  const progress = progressOf(context, row, days.length * familyNames.length)
  const period = [row.from_day, row.to_day].map(day => dateOf(day).replaceAll('-', '')).join('_')
  let rows = 0
  async function* written(family: FamilyName) {
    const before = rows
    const rowsOf = async function* (day: WrittenDay) {
      if (family === 'values') yield await valuesOf(store.read, use(engine), { site, day: day.day })
      else yield await totalsOf(store, { site, day, family, texts, now: context.now() })
    }
    const writing = { days, columns: familyColumns(family), rowsOf, progress: (here: number) => progress(before + here) }
    rows += yield* writeDays(context, row, writing)
  }
  const { ZipFile } = (await import('yazl')).default
  const zip = new ZipFile()
  const out = Readable.from(zip.outputStream)
  zip.on('error', (error: Error) => out.destroy(error))
  for (const family of familyNames) {
    zip.addReadStreamLazy(`imported_${family}_${period}.${row.format}`, { mtime: new Date(context.now()) }, give =>
      give(null, Readable.from(written(family))),
    )
  }
  zip.end()
  for await (const piece of out) yield piece
  return rows
}

/** Stores the progress at most once a second, and detects a cancellation. @param steps days to write */
function progressOf({ store, now }: Context, { id }: ExportRow, steps: number) {
  let [done, writtenAt] = [0, -Infinity]
  return async (rows: number): Promise<void> => {
    done++
    if (now() < writtenAt + 1_000) return
    writtenAt = now()
    const { numUpdatedRows } = await store.write
      .updateTable('exports')
      .set({ progress: Math.min(99, Math.floor((100 * done) / steps)), rows_written: rows, updated_at: now() })
      .where('id', '=', id)
      .where('status', '=', 'running')
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw new Ended()
  }
}

/** @returns false if it has already ended */
function failJob(context: Context, row: ExportRow): Promise<boolean> {
  const { store, now } = context
  return store.transaction(async trx => {
    const at = now()
    const error_message = storedSentence(m.went_wrong())
    const failed = await trx
      .updateTable('exports')
      .set({ status: 'failed', error_code: 'internal_error', error_message, finished_at: at, updated_at: at })
      .where('id', '=', row.id)
      .where('status', 'in', jobsOpen)
      .returning('id')
      .executeTakeFirst()
    if (failed) await notifyCreator({ ...context, db: trx, now: at }, row, { isReady: false, outcome: m.went_wrong() })
    return failed !== undefined
  })
}

function complete(context: Context, row: ExportRow, { sha256, bytes, rows }: Made) {
  const { store, now, emitIn } = context
  return store.transaction(async trx => {
    const at = now()
    const expires = at + KEPT_MS
    const { numUpdatedRows } = await trx
      .updateTable('exports')
      .set({ status: 'completed', progress: 100, rows_written: rows, bytes, sha256, expires_at: expires, finished_at: at, updated_at: at })
      .where('id', '=', row.id)
      .where('status', '=', 'running')
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw new Ended()
    const about = { workspaceId: row.workspace_id, siteId: row.kind === workspaceKind ? null : row.site_id }
    await emitIn(trx, at)(export_ready, { ...about, data: { export_id: row.id, expires_at: iso(expires) } })
    const outcome = m.rows_kept({ count: rows })
    await notifyCreator({ ...context, db: trx, now: at }, row, { isReady: true, outcome })
  })
}
