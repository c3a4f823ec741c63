/**
 * The columns and sums of a sealed day. Their numbers are stored: add rows, but never renumber them. Adding one
 * requires a `FORMAT` above all of these and a step that calls `sealAgain`; days are read from their rows until they are
 * resealed.
 */
import { type VisitDimension, visitDimensionNumbers, visitDimensions } from '../../tables/index.ts'
import type { ClickColumns, Day, SumsName, VitalColumns } from './day.ts'

/** Segments of other formats are not read. */
export const FORMAT = 9
/** Format of a packed day: its blocks have its columns, and its sums are packed. An earlier version reads rows, which it then misses. */
export const PACKED_FORMAT = 10
/** Format of a packed day whose sums are in runs (`sum-runs.ts`), which an earlier version would take for zeros. */
export const JOINED_FORMAT = 11
export const READ_FORMATS = [FORMAT, PACKED_FORMAT, JOINED_FORMAT] as const

/** A day with everything that is sealed. */
export interface WholeDay extends Day {
  readonly vitals: VitalColumns
  readonly clicks: ClickColumns
}
export type DayParts = Pick<WholeDay, 'visits' | 'hits' | 'props' | 'vitals' | 'clicks'>
export type PartName = keyof DayParts
export type ColumnsOf<Part> = { [Name in keyof Part]: Part[Name] extends number ? never : Name }[keyof Part]

const ofVisits = Object.fromEntries(visitDimensions.map(name => [name, visitDimensionNumbers[name].column]))

export const columnNumbers: { readonly [P in PartName]: Readonly<Record<ColumnsOf<DayParts[P]>, number>> } = {
  visits: {
    visitor: 1,
    number: 2,
    firstHit: 3,
    pageviews: 4,
    bounce: 5,
    duration: 6,
    revenue: 7,
    purchases: 8,
    person: 9,
    ...(ofVisits as Record<VisitDimension, number>), // one entry a dimension
  },
  hits: { at: 60, page: 61, event: 62, revenue: 63, engaged: 64, scroll: 65, host: 66 },
  props: { hit: 80, key: 81, value: 82 },
  vitals: { page: 90, metric: 91, device: 92, first: 93, value: 94, visit: 95 },
  clicks: { page: 100, selector: 101, first: 102, x: 103, y: 104, visit: 105 },
}

/** Columns that never decrease: stored as the differences of their numbers, which are small. */
export const rising: ReadonlySet<number> = new Set([
  columnNumbers.visits.visitor,
  columnNumbers.visits.firstHit,
  columnNumbers.props.hit,
  columnNumbers.vitals.page,
  columnNumbers.vitals.first,
  columnNumbers.clicks.page,
  columnNumbers.clicks.first,
])

/** Added to the number of sums that are packed (`packed-sums.ts`). */
export const PACKED_SUMS = 1_000

export const sumsNumbers: Readonly<Record<SumsName, number>> = {
  ...(ofVisits as Record<VisitDimension, number>), // one entry for each dimension
  page: columnNumbers.hits.page,
  event: columnNumbers.hits.event,
  hour: columnNumbers.hits.at,
}
