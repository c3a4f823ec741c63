/** Runs one import: reads its file and stores one batch at a time, each with the position in the same transaction. */
import { m } from './messages.ts'
import { keepMessages, Message, type Sentence, sentenceOf, storedSentence } from '../../../runtime/texts/message.ts'
import { setImmediate } from 'node:timers/promises'
import { clipped } from '../../../runtime/values/clip.ts'
import { Failure } from '../../../runtime/table/errors.ts'
import { JobFailure, jobsOpen } from '../../../runtime/tasks/job.ts'
import type { TaskContext } from '../../../runtime/table/task.ts'
import { holdings } from '../../../storage/imported/held.ts'
import { insertImported } from '../../../storage/imported/write.ts'
import type { Store, Trx } from '../../../storage/store.ts'
import type { ImportRow } from '../../../storage/tables/index.ts'
import { StorageUnavailable } from '../../../storage/values/storage-unavailable.ts'
import { dateOf, dayStart, localDay } from '../../../storage/calendar/zones.ts'
import { AHEAD_MS } from '../../../storage/hits/write.ts'
import { yieldWhereDue } from '../../../storage/system/event-loop.ts'
import { keptDays } from '../../people/plans/index.ts'
import {
  addressing,
  ASN_DATABASE,
  ownDomainsByWorkspace,
  GEOIP_DATABASE,
  type JsonObject,
  limitsIn,
  RETENTION_DAYS,
} from '../../sites/collection/index.ts'
import { isLive, type LiveSite } from '../../sites/sites/records.ts'
import { files } from '../files/index.ts'
import { checkFile, isWanted, removeReplaced } from './check.ts'
import { import_completed, import_failed } from './events.ts'
import { fetchFile } from './fetch-file.ts'
import { type HitInput, hitInput } from './file-input.ts'
import { importHits, lineReader, lineTimesReader, type Reading } from './import-hits.ts'
import type { Recorded } from './record.ts'
import { startImport } from './new-import.ts'
import { withChannel } from './channel-of-rows.ts'
import { type Omission, uncounted, withOmissions } from './left-out.ts'
import { ignoredOf } from './records.ts'
import { AnotherRun, finishImport, forgetImport, importOf, KEPT_REFUSALS } from './journal.ts'
import { openArchive } from './sources/archive.ts'
import { sourceOf } from './sources/index.ts'
import { REFUSED_TEXT, textOfRecord, type HitSource, type TotalsRead, type TotalsSource } from './sources/source.ts'
import { notifyCreator } from './notify.ts'
import { type Counts, isNothingTaken, NOTHING_TAKEN, nothingTaken } from './nothing-taken.ts'
import { daysInFile } from './days-in-file.ts'
import { replaceDay, type Settled, settleOverlap } from './overlap.ts'
import { noteDays } from './days-of-hits.ts'
import { removeTotals } from './undo.ts'
import { planOf } from './workspace/plan.ts'
import { workspaceKind } from './workspace/records.ts'
import { discardHiddenSites } from '../../../storage/transfer/write-rows.ts'

type Context = Pick<TaskContext, 'store' | 'config' | 'use' | 'now' | 'newId' | 'random' | 'emitIn' | 'signal' | 'isOurs' | 'log'>

interface RefusedLine {
  readonly file: string
  readonly line: number
  readonly reason: Sentence
  readonly text: string
}

/** Ends a run silently: the import was cancelled or deleted, or the process shuts down. */
class Ended extends Error {}

const PROGRESS_WHILE_RUNNING = 99

export async function runImport(context: Context, given: ImportRow): Promise<void> {
  const { store, use, now, signal, log } = context
  let row = given
  try {
    if (row.kind === workspaceKind) return await runOfWorkspace(context, row)
    const site = await siteOf(store, row)
    const source = sourceOf(row.source)
    if (!source) throw new Error(`no source ${row.source}`)
    await store.write
      .updateTable('imports')
      .set({ status: 'running', started_at: row.started_at ?? now(), updated_at: now() })
      .where('id', '=', row.id)
      .where('status', '=', 'pending')
      .execute()
    if (row.url !== null && row.fingerprint === null) row = await fetchAndStart(context, row, site)
    const archive = await openArchive(use(files), row.id, row.filename)
    try {
      if (source.kind === 'hits') await (row.dry_run ? tryHits : runHits)(context, { row, site, source, archive })
      else await runTotals(context, { row, site, source, archive })
    } finally {
      await archive.close()
    }
    await use(files).remove(row.id)
  } catch (error) {
    if (error instanceof Ended || error instanceof AnotherRun || signal.aborted) return
    if (error instanceof StorageUnavailable) throw error // the next run continues
    if (!(await context.isOurs())) return // only this run failed; another one continues
    const known = error instanceof JobFailure || (error instanceof Error && error.constructor === Error)
    if (!known) log.error({ import: row.id, err: error }, 'an import failed')
    const code = error instanceof JobFailure ? error.code : known ? 'failed' : 'internal_error'
    await failJob(context, { row, code, message: error instanceof JobFailure ? error.sentence : known ? error.message : m.went_wrong() })
    await use(files).remove(row.id)
  }
}

async function runOfWorkspace(context: Context, row: ImportRow): Promise<void> {
  const { store, use, now } = context
  await store.write
    .updateTable('imports')
    .set({ status: 'running', started_at: row.started_at ?? now(), updated_at: now() })
    .where('id', '=', row.id)
    .where('status', '=', 'pending')
    .execute()
  const { runWorkspace } = await import('./workspace/run.ts')
  const isDone = await runWorkspace(context, {
    row,
    advance: (trx, change, from) => advance(trx, { context, row, progress: { ...change, rows_refused: 0 }, refused: [], before: 0, from }),
    complete: (trx, counts) => complete(trx, { context, row, counts }),
  })
  if (isDone) await use(files).remove(row.id)
}

async function siteOf(store: Store, { site_id }: ImportRow): Promise<LiveSite> {
  const site = await store.read.selectFrom('sites').selectAll().where('id', '=', site_id).executeTakeFirst()
  if (!site || !isLive(site)) throw new Ended()
  return site
}

/** Downloads the file, checks it as a start does, and continues. @throws JobFailure with the reason if it cannot be imported */
async function fetchAndStart(context: Context, row: ImportRow, site: LiveSite): Promise<ImportRow> {
  const { store, use, now } = context
  if (!(await fetchFile(context, row))) throw new Ended()
  try {
    const checked = await checkFile(use(files), { ...row, bytes: null }, localDay(site.timezone, now()).day)
    const { dialect } = store
    const started = await store.transaction(trx => startImport(trx, { dialect, site, row, checked, now: now(), status: 'running' }))
    if (!started) throw new Ended()
    return started
  } catch (error) {
    throw error instanceof Failure ? new JobFailure(error.code, error.sentence) : error
  }
}

type Opened = Awaited<ReturnType<typeof openArchive>>

interface HitsRead {
  readonly row: ImportRow
  readonly site: LiveSite
  readonly source: HitSource
  readonly archive: Opened
}

/** Adds to records the data of other files, and of records before them. */
type Add = (record: JsonObject) => JsonObject

const addOf = async ({ source, archive }: HitsRead): Promise<Add | undefined> => source.beside?.(archive, () => {})

async function readingOf(
  { store, config, now }: Context,
  { row, site, source: { convert, list, names } }: HitsRead,
  { add, unread }: { add: Add | undefined; unread: HitInput['ignored'] },
): Promise<Reading> {
  const keptOf = await keptDays(store.read, { config, now: now(), ofInstallation: config.of(RETENTION_DAYS) })
  const retentionDays = keptOf(site.workspace_id)
  const ownDomains = await ownDomainsByWorkspace(store.read, [site])
  return {
    site: { ...site, ...addressing(site, ownDomains.get(site.workspace_id)) },
    map: JSON.parse(row.map),
    zone: row.timezone,
    retentionDays,
    geoDatabase: config.of(GEOIP_DATABASE) || undefined,
    networkDatabase: config.of(ASN_DATABASE) || undefined,
    from: row.from_day === null ? undefined : dayStart(site.timezone, row.from_day),
    to: row.to_day === null ? undefined : dayStart(site.timezone, row.to_day + 1),
    convert: convert && add ? (record, leaveOut) => convert(add(record), leaveOut) : convert,
    list,
    names,
    unread,
    now,
  }
}

async function runHits(context: Context, { row, site, source, archive }: HitsRead): Promise<void> {
  const { store, config, now, random, emitIn, signal } = context
  const input = hitInput(archive, source, JSON.parse(row.map))
  const fingerprint = row.fingerprint ?? ''
  let [bytes, seen] = [0, row]
  const onRead = (at: number) => {
    bytes = at
  }
  const settled = await settle(context, { row, site, source, archive })
  const left = settled?.left
  const waiting = new Set(settled?.replaced)
  if (signal.aborted) throw new Ended()
  const add = await addOf({ row, site, source, archive })
  await importHits(store, {
    ...(await readingOf(context, { row, site, source, archive }, { add, unread: input.ignored })),
    left,
    fingerprint,
    how: JSON.stringify({ source: row.source, map: row.map, timezone: row.timezone, from: row.from_day, to: row.to_day }),
    records: skip => (add ? continued(input.records(0, onRead), skip, add) : input.records(skip, onRead)),
    limits: limitsIn(config),
    randomBytes: random,
    emitIn,
    signal,
    tellsFailure: false,
    ...(waiting.size > 0 && {
      async ahead(days) {
        for (const day of days) {
          if (!waiting.has(day) || (await replaceDay(store, { row: { ...row, site: site.number }, day, signal })) === 'aborted') continue
          waiting.delete(day)
        }
      },
    }),
    onStep() {},
    async alongside(trx, { refused: some, row: journal, days, left }) {
      const refused = some.map(({ line, reason, recorded }) => ({ file: row.filename, line, reason, text: textOfRecord(recorded) }))
      const counts = { rows_read: journal.records, rows_taken: journal.hits, rows_refused: journal.refused }
      const ignored = JSON.stringify(withOmissions(ignoredOf(seen), left), keepMessages)
      const spans = { ...(days.length > 0 && daysWith(seen, days)), ignored }
      await advance(trx, {
        context,
        row,
        progress: { ...counts, ...spans, progress: percent(bytes, archive.file.size) },
        refused,
        before: journal.refused - refused.length,
      })
      await noteDays(trx, { importId: row.id, site: site.number, days })
      seen = { ...seen, ...spans }
    },
    complete: completing =>
      completing.transaction(async trx => {
        const key = { site: site.number, fingerprint }
        const finished = (await finishImport(trx, key, now())) ?? (await importOf(trx, key))
        const counts = { read: finished.records, taken: finished.hits, refused: finished.refused }
        if ((await complete(trx, { context, row, counts })) === 'failed') await forgetImport(trx, key)
        return finished
      }),
  })
  if (signal.aborted) throw new Ended()
}

/** Decides about the days that an earlier import has. With `refuse`, a run that continues another one has decided before. */
async function settle(context: Context, { row, site, source, archive }: HitsRead): Promise<Settled | undefined> {
  const { store, now, signal } = context
  if (row.overlap === 'add' || (row.rows_read > 0 && row.overlap === 'refuse')) return undefined
  const add = await addOf({ row, site, source, archive })
  const read = lineTimesReader(await readingOf(context, { row, site, source, archive }, { add, unread: [] }))
  const days = await daysInFile(site.timezone, hitInput(archive, source, JSON.parse(row.map)).records(0), {
    read,
    until: now() + AHEAD_MS,
    signal,
  })
  return signal.aborted ? undefined : settleOverlap(store, { row: { ...row, site: site.number }, days })
}

/**
 * The records after those that earlier runs stored. These are passed to `add` again, which remembers some of them: the page of an
 * event, or the visits that are in the file twice.
 */
async function* continued(records: AsyncIterable<readonly Recorded[]>, skip: number, add: Add): AsyncGenerator<readonly Recorded[]> {
  let left = skip
  for await (const piece of records) {
    const stored = piece.slice(0, left)
    left -= stored.length
    for (const recorded of stored) {
      await yieldWhereDue()
      if ('record' in recorded) add(recorded.record)
    }
    if (stored.length < piece.length) yield piece.slice(stored.length)
  }
}

const daysWith = ({ first_day, last_day }: ImportRow, days: readonly number[]) => ({
  first_day: Math.min(first_day ?? Infinity, ...days),
  last_day: Math.max(last_day ?? -Infinity, ...days),
})

/** Counts rows that would be imported. Nothing is stored, so a further run starts over. */
async function tryHits(context: Context, { row, site, source, archive }: HitsRead): Promise<void> {
  const { store, signal } = context
  const input = hitInput(archive, source, JSON.parse(row.map))
  const add = await addOf({ row, site, source, archive })
  const settled = await settle(context, { row, site, source, archive })
  const left = settled?.left
  const read = await lineReader({ ...(await readingOf(context, { row, site, source, archive }, { add, unread: input.ignored })), left })
  let [bytes, first, last] = [0, Infinity, -Infinity]
  const counts = { rows_read: 0, rows_taken: 0, rows_refused: 0 }
  let ignored = uncounted(ignoredOf(row))
  await store.write.deleteFrom('import_refusals').where('import_id', '=', row.id).execute()
  const records = input.records(0, at => {
    bytes = at
  })
  for await (const piece of records) {
    if (signal.aborted) throw new Ended()
    const refusedBefore = counts.rows_refused
    const refused: RefusedLine[] = []
    const lefts: (readonly Omission[])[] = []
    for (const recorded of piece) {
      const { line, hits, fault, left: omitted } = read(recorded)
      counts.rows_read++
      lefts.push(omitted)
      if (fault !== '') refused.push({ file: row.filename, line, reason: fault, text: textOfRecord(recorded) })
      const [hit] = hits
      if (!hit) continue
      counts.rows_taken++
      const { day } = localDay(site.timezone, hit.at)
      first = Math.min(first, day)
      last = Math.max(last, day)
    }
    counts.rows_refused += refused.length
    ignored = withOmissions(ignored, lefts)
    const days = first <= last ? { first_day: first, last_day: last } : {}
    await store.transaction(trx =>
      advance(trx, {
        context,
        row,
        progress: { ...counts, ...days, ignored: JSON.stringify(ignored, keepMessages), progress: percent(bytes, archive.file.size) },
        refused,
        before: refusedBefore,
      }),
    )
  }
  await store.transaction(trx => complete(trx, { context, row, counts: countsOf(counts) }))
}

interface RunTotals {
  readonly row: ImportRow
  readonly site: LiveSite
  readonly source: TotalsSource
  readonly archive: Opened
}

async function runTotals(context: Context, { row, site, source, archive }: RunTotals): Promise<void> {
  const { store, now, signal } = context
  const today = localDay(site.timezone, now()).day
  const counts = { rows_read: 0, rows_taken: row.rows_taken, rows_refused: row.rows_refused }
  const held = holdings()
  for await (const piece of source.read(archive, () => {})) {
    if (signal.aborted) throw new Ended()
    // Rows that an earlier run stored are read again and skipped; the source returns the same rows in the same order.
    const skipped = Math.min(Math.max(0, row.rows_read - counts.rows_read), piece.length)
    const from = counts.rows_read + skipped
    const fresh = piece.slice(skipped)
    counts.rows_read += piece.length
    const wanted = (day: number) => isWanted(row, day)
    for (const each of sorted({ fresh: piece.slice(0, skipped), from: 0, today, wanted }).rows) held.add(each)
    if (fresh.length === 0) {
      await setImmediate()
      continue
    }
    const refusedBefore = counts.rows_refused
    const { rows, refused } = sorted({ fresh, from, today, wanted })
    for (const each of rows) held.add(each)
    counts.rows_taken += new Set(rows.map(({ seq }) => seq)).size
    counts.rows_refused += refused.length
    await store.transaction(async trx => {
      await advance(trx, { context, row, progress: { ...counts, progress: row.progress }, refused, before: refusedBefore, from })
      if (row.dry_run === 0) await insertImported(trx, row.id, rows)
    })
  }
  await store.transaction(async trx => {
    await store.dialect.lockSites(trx, [site.number])
    const holds = held.written()
    await trx.updateTable('imports').set({ holds }).where('id', '=', row.id).execute()
    await removeReplaced(trx, { ...row, holds })
    await complete(trx, { context, row, counts: countsOf(counts) })
  })
}

const countsOf = ({ rows_read, rows_taken, rows_refused }: Pick<ImportRow, 'rows_read' | 'rows_taken' | 'rows_refused'>): Counts => ({
  read: rows_read,
  taken: rows_taken,
  refused: rows_refused,
})

interface Sorted {
  readonly fresh: readonly TotalsRead[]
  readonly from: number
  readonly today: number
  readonly wanted: (day: number) => boolean
}

function sorted({ fresh, from, today, wanted }: Sorted) {
  const refused: RefusedLine[] = []
  const rows = fresh.flatMap((read, i) => {
    const { file, line } = read
    if ('fault' in read) refused.push({ file, line, reason: read.fault, text: read.text.slice(0, REFUSED_TEXT) })
    else if (read.rows.some(({ day }) => day > today))
      refused.push({ file, line, reason: m.day_in_future({ date: dateOf(read.rows[0]?.day ?? 0) }), text: '' })
    else return read.rows.filter(({ day }) => wanted(day)).map(row => ({ ...withChannel(row), seq: from + i }))
    return []
  })
  return { rows, refused }
}

const percent = (bytes: number, size: number): number => Math.min(PROGRESS_WHILE_RUNNING, Math.floor((100 * bytes) / size))

type Progress = Pick<ImportRow, 'rows_read' | 'rows_taken' | 'rows_refused' | 'progress'> &
  Partial<Pick<ImportRow, 'first_day' | 'last_day' | 'ignored'>>

interface Advance {
  readonly context: Context
  readonly row: ImportRow
  readonly progress: Progress
  readonly refused: readonly RefusedLine[]
  readonly before: number
  readonly from?: number | undefined
}

/**
 * Runs in the transaction of a batch.
 * @param before number of lines that were refused before it
 * @param from number of rows that were read before it; undefined if something else separates two runs
 * @throws Ended if the import was cancelled or deleted, or another run has continued it
 */
async function advance(trx: Trx, { context: { now }, row: { id }, progress, refused, before, from }: Advance): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('imports')
    .set({ ...progress, updated_at: now() })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('removing', '=', 0)
    .$if(from !== undefined, query => query.where('rows_read', '=', from ?? 0))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new Ended()
  const kept = refused.slice(0, Math.max(0, KEPT_REFUSALS - before))
  for (let i = 0; i < kept.length; i += 500) {
    const rows = kept.slice(i, i + 500).map((line, k) => ({
      import_id: id,
      seq: before + i + k,
      ...line,
      reason: storedReason(line.reason),
      text: stored(line.text, REFUSED_TEXT),
    }))
    await trx.insertInto('import_refusals').values(rows).execute()
  }
}

/** A message as it is stored, whose JSON has neither NUL nor half a character; a text within its limit. */
const storedReason = (reason: Sentence): string => (reason instanceof Message ? storedSentence(reason) : stored(reason, 2_000))

/** Postgres stores neither NUL nor half a character. */
const stored = (text: string, max: number): string => clipped(Buffer.from(text.replaceAll('\0', '\ufffd')).toString(), max)

interface Complete {
  readonly context: Context
  readonly row: ImportRow
  readonly counts: Counts
}

/** Ends an import whose file was read, which fails if none of its rows could be imported. */
async function complete(trx: Trx, { context, row, counts }: Complete): Promise<'completed' | 'failed'> {
  const { now, emitIn } = context
  if (row.kind !== workspaceKind && isNothingTaken(counts, row.from_day !== null || row.to_day !== null || row.overlap === 'skip')) {
    const refusals = await trx.selectFrom('import_refusals').select('reason').where('import_id', '=', row.id).orderBy('seq').execute()
    const message = nothingTaken(
      counts,
      refusals.map(({ reason }) => reason),
    )
    if (!(await failIn(trx, { context, row, code: NOTHING_TAKEN, message }))) throw new Ended()
    return 'failed'
  }
  const at = now()
  const { numUpdatedRows } = await trx
    .updateTable('imports')
    .set({ status: 'completed', progress: 100, finished_at: at, updated_at: at })
    .where('id', '=', row.id)
    .where('status', '=', 'running')
    .where('removing', '=', 0)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new Ended()
  const about = { workspaceId: row.workspace_id, siteId: row.kind === workspaceKind ? null : row.site_id }
  await emitIn(trx, at)(import_completed, { ...about, data: { import_id: row.id, rows: row.dry_run ? 0 : counts.taken } })
  const taken = (row.dry_run ? m.rows_would_be_taken : m.rows_taken)({ count: counts.taken })
  await notifyCreator({ ...context, db: trx, now: at }, row, { isDone: true, outcome: taken })
  return 'completed'
}

interface Fail {
  readonly context: Context
  readonly row: ImportRow
  readonly code: string
  readonly message: Sentence
}

const failJob = (context: Context, failing: Omit<Fail, 'context'>): Promise<boolean> =>
  context.store.transaction(trx => failIn(trx, { ...failing, context }))

/** @returns false if the import has already ended */
async function failIn(trx: Trx, { context, row, code, message }: Fail): Promise<boolean> {
  const { now, emitIn } = context
  const error_message = storedReason(message)
  const at = now()
  const { numUpdatedRows } = await trx
    .updateTable('imports')
    .set({ status: 'failed', url: null, error_code: code, error_message, finished_at: at, updated_at: at })
    .where('id', '=', row.id)
    .where('status', 'in', jobsOpen)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  // Totals count only if they are complete, so the totals of a failed import are deleted.
  if (row.kind === 'aggregates') await removeTotals(trx, row.id)
  if (row.kind === workspaceKind) await discardHiddenSites(trx, { workspaceId: row.workspace_id, ids: planOf(row).sites, now: at })
  const about = { workspaceId: row.workspace_id, siteId: row.kind === workspaceKind ? null : row.site_id }
  await emitIn(trx, at)(import_failed, { ...about, data: { import_id: row.id, error: stored(String(message), 2_000) } })
  await notifyCreator({ ...context, db: trx, now: at }, row, { isDone: false, outcome: sentenceOf(error_message) })
  return true
}
