/** Files that were imported, by the command or the API, and the totals they brought; exports. */
import type { FamilyName } from './imported-families.ts'

/** The progress of an imported file, written with its hits. */
export interface HitImportRow {
  site_id: number
  /** SHA-256 of the file, hex. */
  fingerprint: string
  /** Options for reading its fields, JSON. */
  options: string
  /** Records read so far, including refused ones. */
  records: number
  hits: number
  refused: number
  /** Hits stored without their revenue, which was in another currency. */
  moneyless: number
  started_at: number
  updated_at: number
  finished_at: number | null
}

/** One of the first refused lines. */
export interface HitImportRefusalRow {
  site_id: number
  fingerprint: string
  line: number
  reason: string
}

/** Columns that all jobs have. */
interface JobRow {
  /** The account that made it, which is told when it ends; null for the command line, and once that is deleted. */
  created_by: string | null
  status: string
  /** Percent. */
  progress: number
  error_code: string | null
  error_message: string | null
  started_at: number | null
  finished_at: number | null
  created_at: number
  updated_at: number
}

/** An import by the API. `rows_read` is its position: what was read is stored in the same transaction. */
export interface ImportRow extends JobRow {
  id: string
  workspace_id: string
  site_id: string
  source: string
  kind: string
  filename: string
  /** JSON object: our field, the file's column. */
  map: string
  timezone: string
  /** Only these days, both included. */
  from_day: number | null
  to_day: number | null
  dry_run: number
  /** Size that the upload announced, or the server that it is fetched from. */
  bytes: number | null
  /** Address that the file is fetched from: sealed, as it may have a key in it; null where it is uploaded, and once it is fetched. */
  url: string | null
  /** The same without query, for who looks at it. */
  url_shown: string | null
  /** The server's mark of this state of the file: with it the rest of an interrupted fetch is asked for. */
  url_tag: string | null
  /** The request that is uploading the file, until this time; null if none is. */
  upload_by: string | null
  upload_until: number | null
  /** SHA-256 of the file, hex; null until it is started. */
  fingerprint: string | null
  /** Days that its rows are of. */
  first_day: number | null
  last_day: number | null
  rows_read: number
  rows_taken: number
  rows_refused: number
  /** JSON list of what the file has and the import leaves out. */
  ignored: string
  /** 1: deleted, and what it brought is being taken out. */
  removing: number
}

/** A day that an import of hits brought something to. */
export interface ImportDayRow {
  import_id: string
  day: number
  /** `site_days.rev` after its last write there. */
  rev: number
  /** `site_days.next_visitor` then. */
  visitors: number
  /** 0: something else was stored there before or in between. */
  alone: number
}

export interface ImportRefusalRow {
  import_id: string
  seq: number
  /** The file inside an archive. */
  file: string
  line: number
  reason: string
  text: string
}

/** A row of `imported_<family>`: its texts and counts are the columns of the family. */
export interface ImportedTotalsRow {
  import_id: string
  day: number
  seq: number
}

export interface ExportRow extends JobRow {
  id: string
  workspace_id: string
  site_id: string
  kind: string
  format: string
  from_day: number
  to_day: number
  /** 1: cells that a spreadsheet would take for formulas are left as they are. */
  raw: number
  /** JSON as it was given, the segment beside it, and the conditions and goals of both when it was made; null: everything. */
  filters: string | null
  segment_id: string | null
  scope: string | null
  rows_written: number
  bytes: number | null
  sha256: string | null
  expires_at: number | null
}

export type ImportedTables = { [F in FamilyName as `imported_${F}`]: ImportedTotalsRow }

export interface ImportsTables extends ImportedTables {
  imports: ImportRow
  import_days: ImportDayRow
  import_refusals: ImportRefusalRow
  exports: ExportRow
  hit_imports: HitImportRow
  hit_import_refusals: HitImportRefusalRow
}
