/** Closed days stored as columns. */
import type { Generated } from 'kysely'

/** A sealed day at one `rev`; its columns and sums are in other rows. */
export interface SegmentRow {
  site_id: number
  day: number
  rev: number
  /** Version of the columns; days in other formats are not read. */
  format: number
  starts_at: number
  ends_at: number
  /** JSON: numbers of visits, hits … */
  shape: string
  /** The copy in ClickHouse that has its columns; 0: `segment_cols` has them. */
  copy: Generated<number>
}

/** A column of a day, or sums by one dimension: `storage/engine/columns/column.ts`. */
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
