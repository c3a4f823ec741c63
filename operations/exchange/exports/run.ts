/**
 * Makes the file of one export, day by day. A run that was interrupted starts over: the file is written to the side and
 * only becomes the export's with its last byte, so that it never has anything twice or misses anything.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { ZipFile } from 'yazl'
import { among, iso } from '../../../runtime/schema.ts'
import type { TaskContext } from '../../../runtime/task.ts'
import { type FamilyName, familyNames } from '../../../storage/imported/families.ts'
import type { Db } from '../../../storage/store.ts'
import type { ExportRow } from '../../../storage/tables/index.ts'
import { StorageUnavailable } from '../../../storage/unavailable.ts'
import { dateOf } from '../../../storage/zones.ts'
import { isLive, type LiveSite } from '../../sites/sites/records.ts'
import { type Files, files } from '../files/index.ts'
import { export_ready } from './events.ts'
import { hitColumns, hitsOf } from './hits.ts'
import { formats } from './records.ts'
import { type Texts, textsOf } from './texts.ts'
import { familyColumns, totalsOf } from './totals.ts'
import { visitColumns, visitRowsOf } from './visits.ts'
import { KEPT_MS } from './work.ts'
import { type Cells, type Column, openWriter } from './writers.ts'

type Context = Pick<TaskContext, 'store' | 'use' | 'now' | 'emitIn' | 'signal' | 'log'>

/** Ends a run without a word: the export was cancelled or deleted, or the process shuts down. */
class Ended extends Error {}

export async function runExport(context: Context, row: ExportRow): Promise<void> {
  const { store, use, now, log, signal } = context
  try {
    const site = await store.read.selectFrom('sites').selectAll().where('id', '=', row.site_id).executeTakeFirst()
    if (!site || !isLive(site)) throw new Ended()
    await store.write
      .updateTable('exports')
      .set({ status: 'running', started_at: row.started_at ?? now(), progress: 0, rows_written: 0, updated_at: now() })
      .where('id', '=', row.id)
      .where('status', 'in', ['pending', 'running'])
      .execute()
    const made = await (row.kind === 'aggregates' ? makeTotals : makeRows)(context, row, site)
    const { sha256, bytes } = await digestOf(made.path)
    await rename(made.path, await use(files).pathOf(row.id))
    await complete(context, row, { sha256, bytes, rows: made.rows })
  } catch (error) {
    if (error instanceof Ended || signal.aborted) return
    if (error instanceof StorageUnavailable) throw error // the next run starts over
    log.error({ export: row.id, err: error }, 'an export failed')
    await store.write
      .updateTable('exports')
      .set({
        status: 'failed',
        error_code: 'internal_error',
        error_message: 'Something went wrong on our side.',
        finished_at: now(),
        updated_at: now(),
      })
      .where('id', '=', row.id)
      .where('status', 'in', ['pending', 'running'])
      .execute()
  }
}

interface Made {
  readonly path: string
  readonly rows: number
}

const partOf = (files: Files, { id }: ExportRow, name: string) => files.pathOf(`${id}.${name}`)

async function makeRows(context: Context, row: ExportRow, site: LiveSite): Promise<Made> {
  const { store, use } = context
  const texts = textsOf(store.read, site.number)
  const path = await partOf(use(files), row, 'part')
  const [columns, rowsOf] = row.kind === 'hits' ? ([hitColumns, hitsOf] as const) : ([visitColumns, visitRowsOf] as const)
  const progress = progressOf(context, row, row.to_day - row.from_day + 1)
  const rows = await writeDays(context, row, { path, columns, progress, rowsOf: day => rowsOf(store.read, site, day, texts) })
  return { path, rows }
}

interface Writing {
  readonly path: string
  readonly columns: readonly Column[]
  progress(rows: number): Promise<void>
  rowsOf(day: number): AsyncIterable<readonly Cells[]>
}

async function writeDays({ store, signal }: Context, row: ExportRow, { path, columns, progress, rowsOf }: Writing): Promise<number> {
  const { number } = await store.read.selectFrom('sites').select('number').where('id', '=', row.site_id).executeTakeFirstOrThrow()
  const days = await daysOf(store.read, number, row)
  const writer = openWriter(path, among(formats, row.format), columns, { raw: row.raw === 1 })
  let rows = 0
  try {
    for (const day of days) {
      for await (const piece of rowsOf(day)) {
        if (signal.aborted) throw new Ended()
        await writer.write(piece)
        rows += piece.length
        await setImmediate()
      }
      await progress(rows)
    }
  } finally {
    await writer.close()
  }
  return rows
}

/** Days of the export that have visits. */
async function daysOf(db: Db, site: number, { from_day, to_day }: ExportRow): Promise<number[]> {
  const rows = await db
    .selectFrom('site_days')
    .select('day')
    .where('site_id', '=', site)
    .where('day', '>=', from_day)
    .where('day', '<=', to_day)
    .orderBy('day')
    .execute()
  return rows.map(({ day }) => day)
}

async function makeTotals(context: Context, row: ExportRow, site: LiveSite): Promise<Made> {
  const { store, use } = context
  const texts: Texts = textsOf(store.read, site.number)
  const progress = progressOf(context, row, (row.to_day - row.from_day + 1) * familyNames.length)
  const parts: { family: FamilyName; path: string }[] = []
  let rows = 0
  for (const family of familyNames) {
    const path = await partOf(use(files), row, family)
    const before = rows
    const rowsOf = async function* (day: number) {
      yield await totalsOf(store.read, site, day, family, texts)
    }
    rows += await writeDays(context, row, { path, columns: familyColumns(family), rowsOf, progress: written => progress(before + written) })
    parts.push({ family, path })
  }
  const path = await partOf(use(files), row, 'part')
  await zipInto(path, row, parts)
  for (const { family } of parts) await use(files).remove(`${row.id}.${family}`)
  return { path, rows }
}

/** Named as Plausible names them: whoever reads its exports reads ours. */
async function zipInto(path: string, { from_day, to_day, format }: ExportRow, parts: readonly { family: FamilyName; path: string }[]) {
  const days = [from_day, to_day].map(day => dateOf(day).replaceAll('-', '')).join('_')
  const zip = new ZipFile()
  for (const part of parts) zip.addFile(part.path, `imported_${part.family}_${days}.${format}`)
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path, { mode: 0o600 }))
}

/** Written at most once a second, and tells of a cancellation. @param steps days to be written */
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

async function digestOf(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of createReadStream(path)) {
    hash.update(piece)
    bytes += piece.length
  }
  return { sha256: hash.digest('hex'), bytes }
}

function complete(
  { store, now, emitIn }: Context,
  row: ExportRow,
  { sha256, bytes, rows }: { sha256: string; bytes: number; rows: number },
) {
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
    const about = { workspaceId: row.workspace_id, siteId: row.site_id }
    await emitIn(trx, at)(export_ready, { ...about, data: { export_id: row.id, expires_at: iso(expires) } })
  })
}
