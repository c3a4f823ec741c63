/** Files of hits that were imported. */

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

export interface ImportsTables {
  hit_imports: HitImportRow
  hit_import_refusals: HitImportRefusalRow
}
