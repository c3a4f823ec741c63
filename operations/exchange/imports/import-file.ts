/** Imports a file of hits, a piece in each transaction, from where the last run stopped. */
import type { Store } from '../../../storage/store.ts'
import { openBulk } from '../../../storage/hits/bulk.ts'
import type { CardinalityLimits } from '../../../storage/hits/cardinality.ts'
import type { NewHit, Outcome } from '../../../storage/hits/new-hit.ts'
import { forgetVisitors } from '../../../storage/hits/retention.ts'
import type { HitImportRow } from '../../../storage/tables/index.ts'
import { dayStart, localDay } from '../../../storage/zones.ts'
import { dropReasons, type JsonObject, openGeo } from '../../sites/collection/index.ts'
import { csvRecords } from './csv.ts'
import { completeImport, type Ending, failImport } from './ending.ts'
import { type FieldMap, unreadColumns } from './fields.ts'
import { type HitFile, textsOf } from './hit-file.ts'
import { advanceImport, beginImport, type ImportKey, type Refused, refusalsOf, type Step } from './journal.ts'
import { jsonLines } from './ndjson.ts'
import { hitReader, type ReadFor, type ReadHit } from './read-hit.ts'
import type { Recorded } from './record.ts'

export interface ImportOptions extends Pick<Ending, 'emitIn' | 'now'> {
  readonly site: ReadFor & Ending['site']
  readonly file: HitFile
  readonly map: Partial<FieldMap>
  /** Time zone of times without an offset, an IANA name. */
  readonly zone: string
  readonly limits: CardinalityLimits
  /** Older hits are refused, days; 0: no limit. */
  readonly retentionDays: number
  /** A database file with cities; the bundled one has countries only. */
  readonly geoDatabase: string | undefined
  randomBytes(n: number): Buffer
  /** Called after each transaction. @param bytes read from the file so far @param row the journal */
  onProgress(bytes: number, row: HitImportRow): void
  /** Columns that match no field; called before the first record. */
  onUnread(columns: readonly string[]): void
  /** When aborted, the current transaction is finished and the rest is left to the next run. */
  readonly signal: AbortSignal
}

export interface ImportResult {
  /** The journal of the whole file, over all runs. */
  readonly row: HitImportRow
  /** The first refused lines, in order. */
  readonly refused: readonly Refused[]
  /** Whether an earlier run had finished the file. */
  readonly before: boolean
}

/** @throws Error with a one-line message; what was stored stays, and the next run continues behind it */
export async function importFile(store: Store, options: ImportOptions): Promise<ImportResult> {
  const { site, file, map, zone, now, signal } = options
  const key: ImportKey = { site: site.number, fingerprint: file.fingerprint }
  const ending: Ending = { key, site, emitIn: options.emitIn, now }
  const how = JSON.stringify({ format: file.format, delimiter: file.delimiter, map, timezone: zone })
  let row = await beginImport(store, key, how, now())
  if (row.finished_at !== null) return { row, refused: await refusalsOf(store.read, key), before: true }

  try {
    for await (const step of steps(store, options, key, row)) row = step
    if (!signal.aborted) row = await completeImport(store, ending)
  } catch (error) {
    // If the database is what failed, this fails too: show the first error.
    await failImport(store, ending, row, error).catch(() => {})
    throw error
  }
  if (!signal.aborted) await forgetVisitors(store, now())
  return { row, refused: await refusalsOf(store.read, key), before: false }
}

/** Imports the file from `from` on, until it ends or is aborted. @returns the journal after each transaction */
async function* steps(store: Store, options: ImportOptions, key: ImportKey, from: HitImportRow): AsyncGenerator<HitImportRow> {
  const { site, file, map, zone, now } = options
  let row = from
  const read = hitReader(site, { map, zone, placeOf: await openGeo(options.geoDatabase) })
  const put = openBulk(store, options)
  const oldest = oldestKept(site.timezone, options.retentionDays, now())
  let bytes = 0
  const texts = textsOf(file, at => {
    bytes = at
  })
  const onHeader = (columns: readonly string[]) => options.onUnread(unreadColumns(columns, map))
  const pieces =
    file.format === 'csv' ? csvRecords(texts, { delimiter: file.delimiter, skip: row.records, onHeader }) : jsonLines(texts, row.records)

  for await (const piece of pieces) {
    if (options.signal.aborted) return
    if (piece.length === 0) continue
    const lines = piece.map(recorded => readLine(recorded, read, oldest))
    const [before, after] = [row, { row }]
    await put(
      lines.flatMap(({ hits }) => hits),
      async (trx, outcomes) => {
        after.row = await advanceImport(trx, key, before, stepOf(lines, outcomes), now())
      },
    )
    row = after.row
    yield row
    options.onProgress(bytes, row)
  }
}

/** A line of the file and its hits; none if it is refused. */
interface Line {
  readonly line: number
  readonly hits: readonly NewHit[]
  readonly fault: string
}

function readLine(recorded: Recorded, read: (record: JsonObject) => ReadHit, oldest: number): Line {
  const { line } = recorded
  const refused = (fault: string): Line => ({ line, hits: [], fault })
  if ('fault' in recorded) return refused(recorded.fault)
  const result = read(recorded.record)
  if ('fault' in result) return refused(result.fault)
  if (result.hits[0].at < oldest) return refused('The hit is older than RETENTION_DAYS')
  return { line, ...result, fault: '' }
}

/** A line counts as imported if its main hit is: a refused measurement does not refuse the line. */
function stepOf(lines: readonly Line[], outcomes: readonly Outcome[]): Step {
  const refused: Refused[] = []
  let [next, hits, moneyless] = [0, 0, 0]
  for (const each of lines) {
    const outcome = outcomes[next]
    next += each.hits.length
    if (each.hits.length === 0) refused.push({ line: each.line, reason: each.fault })
    else if (outcome?.stored) {
      hits++
      if (each.hits[0]?.revenueFault) moneyless++
    } else refused.push({ line: each.line, reason: dropReasons[outcome?.reason ?? 'invalid'] })
  }
  return { records: lines.length, hits, moneyless, refused }
}

function oldestKept(zone: string, days: number, now: number): number {
  return days === 0 ? -Infinity : dayStart(zone, localDay(zone, now).day - days)
}
