/**
 * One day of one site as columns: what the engine scans, whatever its source. Visits are sorted by visitor, and each
 * visit's hits are adjacent and sorted by time, so that one pass counts everything.
 */
import type { Column } from '../columns/column.ts'
import type { VisitDimension } from '../../tables/index.ts'
import type { GroupSums } from '../columns/group-sums.ts'
import type { Sums } from '../vocabulary/sums.ts'

/** A day of a site with its boundaries, fixed when its hits came: `endsAt` belongs to the next day. Epoch ms. */
export interface DayBounds {
  /** Days since 1970-01-01 in the site's calendar. */
  readonly day: number
  readonly startsAt: number
  readonly endsAt: number
  /** The number of the stored day, if the day is a view of it. */
  readonly stored?: number
  /** The only part that counts, in epoch ms, if the day is a view of a stored one (`recut.ts`). */
  readonly cut?: { readonly from: number; readonly to: number; readonly isLast: boolean }
  /** The time zone of its hours, if it is not the one that the query names. */
  readonly zone?: string | undefined
}

export interface Day extends DayBounds {
  readonly visits: Visits
  readonly hits: Hits
  readonly props: Props
  /** Null if the day was read from its rows: vitals and clicks are then read on demand (`Measures`). */
  readonly vitals: VitalColumns | null
  readonly clicks: ClickColumns | null
  /** Sums without conditions, computed once: when it is sealed, or when first read. */
  readonly sums: DaySums
  /** Memory of the columns. */
  readonly bytes: number
  /** The sites of a group whose visits these are, in the order of the visits. Undefined: all belong to one site. */
  readonly runs?: readonly SiteRun[] | undefined
}

/** Adjacent rows of a day that belong to one site. The ends are exclusive. */
export interface SiteRun {
  /** Place of the site in `Texts.sites`. */
  readonly place: number
  readonly visits: readonly [from: number, to: number]
  readonly hits: readonly [from: number, to: number]
  readonly props: readonly [from: number, to: number]
}

/** The columns to scan. */
export type DayColumns = Omit<Day, 'sums'>

export interface Visits extends Readonly<Record<VisitDimension, Column>> {
  readonly count: number
  /** Number of the visitor within the day, ascending. */
  readonly visitor: Column
  /** Number of the visit within its visitor's day; with the visitor's number it identifies the visit. */
  readonly number: Column
  /** Upper bound of visitors: one more than the highest number. */
  readonly visitors: number
  readonly pageviews: Column
  /** 1 or 0. */
  readonly bounce: Column
  /** Ms. */
  readonly duration: Column
  /** Minor units; may be negative. */
  readonly revenue: Column
  /** Number of hits with an amount above 0. */
  readonly purchases: Column
  /** Number of the person to whom the visit belongs; 0 for none. */
  readonly person: Column
  /** The hits of visit v are those from `firstHit[v]` to before `firstHit[v + 1]`. */
  readonly firstHit: Column
}

export interface Hits {
  readonly count: number
  /** Ms since the start of the day. */
  readonly at: Column
  readonly page: Column
  /** 0 is a pageview. */
  readonly event: Column
  readonly revenue: Column
  /** Ms of engaged time. */
  readonly engaged: Column
  /** Percent of the page seen; 0 if unknown. */
  readonly scroll: Column
  /** Host of the page. */
  readonly host: Column
}

/** Properties of hits, in the order of hits. */
export interface Props {
  readonly count: number
  readonly hit: Column
  readonly key: Column
  readonly value: Column
}

/** Vitals or clicks of a day, grouped by equal values; groups are sorted by page, so that all groups of one page are found at once. */
export interface MeasuredColumns {
  /** Rows in all groups. */
  readonly count: number
  /** For each group. */
  readonly page: Column
  /** Group g has the rows `first[g]` to `first[g + 1]`, exclusive. */
  readonly first: Uint32Array
  /** For each row: visitor number · 256 + visit number, or 0. Rows have no time of their own, only a visit. */
  readonly visit: Column
}
export interface VitalColumns extends MeasuredColumns {
  /** For each group: index in `vitalNames`. */
  readonly metric: Column
  readonly device: Column
  /** For each row: ms; thousandths of the score for cls. */
  readonly value: Column
}
export interface ClickColumns extends MeasuredColumns {
  /** For each group. */
  readonly selector: Column
  /** For each row: ten-thousandths of the page's width. */
  readonly x: Column
  /** For each row: pixels from the top of the page. */
  readonly y: Column
}

/** The groupings of a day's sums. Hours are counted from the start of the day. */
export type SumsName = VisitDimension | 'page' | 'event' | 'hour'

/** For a page, bounces and durations cover visits that entered there; for other groups all visits. */
export interface DaySums extends Readonly<Record<SumsName, GroupSums>> {
  readonly totals: Sums
  /** By the place of the site, of a day of a group. */
  readonly site?: GroupSums | undefined
}
