/** Imports a file of hits by the command, from where the last run stopped. */
import type { Store } from '../../../storage/store.ts'
import { AHEAD_MS } from '../../../storage/hits/write.ts'
import { csvRecords } from './csv.ts'
import { type FieldMap, unreadColumns } from './fields.ts'
import { type HitFile, textsOf } from './hit-file.ts'
import { type HitImport, importHits, type ImportResult, lineTimesReader } from './import-hits.ts'
import { jsonLines } from './ndjson.ts'
import { daysInFile } from './days-in-file.ts'
import { noteTimesOfCommand, settleOverlap } from './overlap.ts'
import type { Overlap } from './records.ts'
import { withoutInvalidLines } from './utf8.ts'
import type { HitImportRow } from '../../../storage/tables/index.ts'

export type { ImportResult } from './import-hits.ts'

export interface ImportOptions extends Omit<HitImport, 'fingerprint' | 'how' | 'records' | 'settle' | 'onStep'> {
  readonly file: HitFile
  readonly map: Partial<FieldMap>
  /** How to treat days that an earlier import of raw hits has. */
  readonly overlap: Exclude<Overlap, 'replace'>
  /** Called after each transaction. @param bytes read from the file so far @param row the journal */
  onProgress(bytes: number, row: HitImportRow): void
  /** Columns that match no field; called before the first record. */
  onUnread(columns: readonly string[]): void
}

/** @throws Error with a one-line message; stored hits stay, and the next run continues after them */
export async function importFile(store: Store, options: ImportOptions): Promise<ImportResult> {
  const { file, map, zone } = options
  let bytes = 0
  const records = (skip: number, onRead: (at: number) => void, onHeader: (columns: readonly string[]) => void) => {
    const invalid = new Set<number>()
    const texts = textsOf(file, onRead, invalid)
    const isCsv = file.format === 'csv'
    return withoutInvalidLines(isCsv ? csvRecords(texts, { delimiter: file.delimiter, skip, onHeader }) : jsonLines(texts, skip), invalid)
  }
  return importHits(store, {
    ...options,
    settle: row => daysLeftOut(store, options, { row, records: () => records(0, nothing, nothing) }),
    fingerprint: file.fingerprint,
    how: JSON.stringify({ format: file.format, delimiter: file.delimiter ?? ',', map, timezone: zone }),
    records: skip =>
      records(
        skip,
        at => {
          bytes = at
        },
        columns => options.onUnread(unreadColumns(columns, map)),
      ),
    onStep: row => options.onProgress(bytes, row),
  })
}

const nothing = () => {}

/** The days that the import leaves out. A run that continues another one has decided before. @throws Error for days that are refused */
async function daysLeftOut(
  store: Store,
  { file: { fingerprint }, site, overlap, now, signal, ...options }: ImportOptions,
  { row, records }: { row: HitImportRow; records: () => ReturnType<typeof withoutInvalidLines> },
): Promise<ReadonlySet<number> | undefined> {
  if (row.records > 0 && overlap !== 'skip') return undefined
  const read = lineTimesReader({ ...options, site, now })
  const days = await daysInFile(site.timezone, records(), { read, until: now() + AHEAD_MS, signal })
  if (signal.aborted) return undefined
  const incoming = { id: '', site: site.number, site_id: site.id, source: 'footfall', fingerprint, overlap, dry_run: 0 }
  const { left } = await settleOverlap(store, { row: incoming, days }, noteTimesOfCommand)
  return left
}
