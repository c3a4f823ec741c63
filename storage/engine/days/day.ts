/**
 * One day of one site, as columns: what the engine scans, wherever it came from. Visits stand in the order of their
 * visitors, each visit's hits together and in the order of time, so that everything is counted in one pass.
 */
import type { Column } from '../columns/column.ts'
import type { VisitDimension } from '../../tables/index.ts'
import type { GroupSums } from '../columns/group-sums.ts'
import type { Sums } from '../vocabulary/sums.ts'

/** A day of a site and the instants it holds, as it was cut when its hits came: `endsAt` is the next one's. Epoch ms. */
export interface DayBounds {
  /** Days since 1970-01-01 of the site's calendar. */
  readonly day: number
  readonly startsAt: number
  readonly endsAt: number
}

export interface Day extends DayBounds {
  readonly visits: Visits
  readonly hits: Hits
  readonly props: Props
  /** Null where the day came from its rows: these are read when they are asked for (`Measures`). */
  readonly vitals: VitalColumns | null
  readonly clicks: ClickColumns | null
  /** What is counted of it without conditions, once: when it is sealed, or first asked for. */
  readonly sums: DaySums
  /** How much memory the columns take. */
  readonly bytes: number
}

/** What is scanned. */
export type DayColumns = Omit<Day, 'sums'>

export interface Visits extends Readonly<Record<VisitDimension, Column>> {
  readonly count: number
  /** Number of the visitor within the day, ascending. */
  readonly visitor: Column
  /** Number of the visit within its visitor's day: with the visitor's it is what rows of the day call it by. */
  readonly number: Column
  /** How many visitors there can be at most: one more than the highest number. */
  readonly visitors: number
  readonly pageviews: Column
  /** 1 or 0. */
  readonly bounce: Column
  /** Ms. */
  readonly duration: Column
  /** Minor units; may be negative. */
  readonly revenue: Column
  /** Of its hits those with an amount above 0. */
  readonly purchases: Column
  /** The hits of visit v are those from `firstHit[v]` to before `firstHit[v + 1]`. */
  readonly firstHit: Column
}

export interface Hits {
  readonly count: number
  /** Ms since the day began. */
  readonly at: Column
  readonly page: Column
  /** 0 is a pageview. */
  readonly event: Column
  readonly revenue: Column
  /** Ms of attention. */
  readonly engaged: Column
  /** Percent of the page that was seen; 0 where nothing told. */
  readonly scroll: Column
}

/** Properties of hits, in the order of the hits. */
export interface Props {
  readonly count: number
  readonly hit: Column
  readonly key: Column
  readonly value: Column
}

/**
 * Those of a day. What is alike stands together, a group each; the groups come in the order of their pages, so that
 * those of one page are found at once.
 */
export interface MeasuredColumns {
  /** How many there are, in all groups. */
  readonly count: number
  /** Of each group. */
  readonly page: Column
  /** Those of group g are those from `first[g]` to before `first[g + 1]`. */
  readonly first: Uint32Array
  /**
   * Of each one: number of the visitor · 256 + number of the visit, or 0. They carry no time, only the visit they
   * belong to.
   */
  readonly visit: Column
}
export interface VitalColumns extends MeasuredColumns {
  /** Of each group: place in `vitalNames`. */
  readonly metric: Column
  readonly device: Column
  /** Of each one: ms; thousandths of the score for cls. */
  readonly value: Column
}
export interface ClickColumns extends MeasuredColumns {
  /** Of each group. */
  readonly selector: Column
  /** Of each one: ten-thousandths of the page's width. */
  readonly x: Column
  /** Pixels from the top of the page. */
  readonly y: Column
}

/** What a day's sums are kept by. Hours are those since the day began. */
export type SumsName = VisitDimension | 'page' | 'event' | 'hour'

/** Bounces and durations of a page are those of the visits that entered there, of every other group those of all. */
export interface DaySums extends Readonly<Record<SumsName, GroupSums>> {
  readonly totals: Sums
}
