/** Imports a file of hits by the command, from where the last run stopped. */
import type { Store } from '../../../storage/store.ts'
import { csvRecords } from './csv.ts'
import { type FieldMap, unreadColumns } from './fields.ts'
import { type HitFile, textsOf } from './hit-file.ts'
import { type HitImport, importHits, type ImportResult } from './import-hits.ts'
import { jsonLines } from './ndjson.ts'
import { inUtf8 } from './utf8.ts'
import type { HitImportRow } from '../../../storage/tables/index.ts'

export type { ImportResult } from './import-hits.ts'

export interface ImportOptions extends Omit<HitImport, 'fingerprint' | 'how' | 'records' | 'onStep'> {
  readonly file: HitFile
  readonly map: Partial<FieldMap>
  /** Called after each transaction. @param bytes read from the file so far @param row the journal */
  onProgress(bytes: number, row: HitImportRow): void
  /** Columns that match no field; called before the first record. */
  onUnread(columns: readonly string[]): void
}

/** @throws Error with a one-line message; stored hits stay, and the next run continues after them */
export function importFile(store: Store, options: ImportOptions): Promise<ImportResult> {
  const { file, map, zone } = options
  let bytes = 0
  const records = (skip: number) => {
    const invalid = new Set<number>()
    const onRead = (at: number) => {
      bytes = at
    }
    const texts = textsOf(file, onRead, invalid)
    const onHeader = (columns: readonly string[]) => options.onUnread(unreadColumns(columns, map))
    const isCsv = file.format === 'csv'
    return inUtf8(isCsv ? csvRecords(texts, { delimiter: file.delimiter, skip, onHeader }) : jsonLines(texts, skip), invalid)
  }
  return importHits(store, {
    ...options,
    fingerprint: file.fingerprint,
    how: JSON.stringify({ format: file.format, delimiter: file.delimiter, map, timezone: zone }),
    records,
    onStep: row => options.onProgress(bytes, row),
  })
}
