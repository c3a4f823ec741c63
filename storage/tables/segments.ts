/** Closed days as columns. */

/** What a day was at one `rev`; its columns and sums lie beside it. */
export interface SegmentRow {
  site_id: number
  day: number
  rev: number
  /** Which columns there are, by number: those of another format are not read. */
  format: number
  starts_at: number
  ends_at: number
  /** JSON: how many visits, hits … */
  shape: string
}

/** A column of a day, or the sums of its values by one dimension: `storage/engine/columns/column.ts`. */
export interface SegmentBlobRow {
  site_id: number
  col: number
  day: number
  data: Uint8Array
}

export interface SegmentsTables {
  segments: SegmentRow
  segment_cols: SegmentBlobRow
  segment_sums: SegmentBlobRow
}
