/** Sealed days stored as columns. */
import { int, bigint, blob, instant, day, json, withDefault } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

/** A sealed day at one `rev`. Its columns and sums are in other tables. */
export const segments = table(
  {
    site_id: int,
    day: day,
    rev: int,
    /** Version of the columns. Days in other formats are not read. */
    format: int,
    starts_at: instant,
    ends_at: instant,
    /** JSON object with the numbers of visits, hits and so on. */
    shape: json,
    /** The copy that has the columns: `clickhouse_copies.copy`. 0 if `segment_cols` has them. */
    copy: withDefault(bigint, 0),
  },
  { key: ['site_id', 'day'], indexes: [{ name: 'segments_of_rows', on: ['site_id', 'day'], where: 'format = 10' }] },
)
export type SegmentRow = Row<typeof segments>

/** A column of a day, or the sums by one dimension: `storage/engine/columns/column.ts`. */
export const segment_cols = table(
  {
    site_id: int,
    col: int,
    day: day,
    data: blob,
  },
  { key: ['site_id', 'col', 'day'] },
)

/** A column of a day, or the sums by one dimension: `storage/engine/columns/column.ts`. */
export const segment_sums = table(
  {
    site_id: int,
    col: int,
    day: day,
    data: blob,
  },
  { key: ['site_id', 'col', 'day'] },
)
export type SegmentBlobRow = Row<typeof segment_cols>

/** The sums by one dimension of several packed days (`storage/engine/days/sum-runs.ts`). */
export const sum_runs = table(
  {
    site_id: int,
    col: int,
    /** The last day that may be in the run. */
    day: day,
    data: blob,
  },
  { key: ['site_id', 'col', 'day'] },
)

/** The rows of a sealed day as blocks of columns (`storage/packed`). */
export const day_blocks = table(
  {
    site_id: int,
    day: day,
    /** From 0, in the order of visits. */
    block: int,
    data: blob,
  },
  { key: ['site_id', 'day', 'block'] },
)
export type DayBlockRow = Row<typeof day_blocks>
