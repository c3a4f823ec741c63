/** Files of hits that were imported. */

/** How far a file of hits from elsewhere has been imported: written with the hits. */
export interface HitImportRow {
  site_id: number
  /** SHA-256 of the file, hex. */
  fingerprint: string
  /** How its fields are read, JSON. */
  options: string
  /** Records taken from its beginning, those that were refused among them. */
  records: number
  hits: number
  refused: number
  /** Hits kept without their revenue, which was in another currency. */
  moneyless: number
  started_at: number
  updated_at: number
  finished_at: number | null
}

/** The first of the lines that were refused. */
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
