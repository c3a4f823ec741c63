/**
 * One day of one site, as columns: what the engine scans, wherever it came from. Visits stand in the order of their
 * visitors, each visit's hits together and in the order of time, so that everything is counted in one pass.
 */
import { type Column, columnOf } from '../columns/column.ts'
import type { VisitDimension } from '../../tables/index.ts'
import type { Clicks, Vitals } from './measures.ts'
import type { DaySums } from './sums.ts'

/** Ids count from 1; 0 is "no value". */
export { type Column, columnOf }

export interface Day {
  readonly day: number
  /** Epoch ms. */
  readonly startsAt: number
  readonly endsAt: number
  readonly visits: Visits
  readonly hits: Hits
  readonly props: Props
  /** Null where the day came from its rows: these are read when they are asked for (`Measures`). */
  readonly vitals: Vitals | null
  readonly clicks: Clicks | null
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
