/**
 * One day of one site, as columns: what the engine scans, wherever it came from. Visits stand in the order of their
 * visitors, each visit's hits together and in the order of time, so that everything is counted in one pass.
 */
import type { VisitDimension } from '../../../storage/tables.ts'

/** Numbers of one kind, the narrowest that holds them. Ids count from 1; 0 is "no value". */
export type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array

export interface Day {
  readonly day: number
  /** Epoch ms. */
  readonly startsAt: number
  readonly endsAt: number
  readonly visits: Visits
  readonly hits: Hits
  readonly props: Props
  /** How much memory the columns take. */
  readonly bytes: number
}

export interface Visits extends Readonly<Record<VisitDimension, Column>> {
  readonly count: number
  /** Number of the visitor within the day, ascending. */
  readonly visitor: Column
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
  readonly firstHit: Uint32Array
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
}

/** Properties of hits, in the order of the hits. */
export interface Props {
  readonly count: number
  readonly hit: Uint32Array
  readonly key: Column
  readonly value: Column
}

/** A column of the narrowest kind for these numbers. */
export function columnOf(numbers: readonly number[]): Column {
  let most = 0
  let whole = true
  for (const n of numbers) {
    if (n > most) most = n
    if (n < 0 || !Number.isInteger(n)) whole = false
  }
  if (!whole || most > 0xffff_ffff) return Float64Array.from(numbers)
  if (most > 0xffff) return Uint32Array.from(numbers)
  return most > 0xff ? Uint16Array.from(numbers) : Uint8Array.from(numbers)
}
