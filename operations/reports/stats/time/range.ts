import { dayStart } from '../../../../storage/zones.ts'

/** What a range is resolved against: the site's zone and first day of the week, the clock, and its first hit. */
export interface SiteClock {
  /** IANA name. */
  readonly zone: string
  /** Epoch ms. */
  readonly now: number
  /** Epoch ms; null while the site has no hit. */
  readonly firstHitAt: number | null
  /** ISO weekday, 1 (Monday, the default) to 7. */
  readonly weekStart?: number
}

/** Local days, both inclusive. */
export interface Days {
  readonly fromDay: number
  readonly toDay: number
}

/**
 * A resolved range: instants in epoch ms, `to` exclusive, and the local days they lie in, both inclusive.
 *
 * A range that runs up to the present ends with the minute under way, not with the day: `data.period` then promises
 * no more than was counted, holds every hit there is, and the answer is the same bytes for a minute (ETag).
 */
export interface Range extends Days {
  readonly from: number
  readonly to: number
  /** Runs up to the present: its last day has no hits beyond `to`, so it may be read as a whole day. */
  readonly elapsed: boolean
  /** `days`: counted in days. `hours`: the last 24. Otherwise the unit it is the elapsed part of (today: `day`). */
  readonly span: 'days' | 'hours' | 'day' | 'month' | 'quarter' | 'year'
}

/** Exactly these local days, whole. */
export const wholeDays = (zone: string, { fromDay, toDay }: Days): Range => ({
  from: dayStart(zone, fromDay),
  to: dayStart(zone, toDay + 1),
  fromDay,
  toDay,
  elapsed: false,
  span: 'days',
})

/** Whether every hit of the days `fromDay` to `toDay` lies in the range: what is kept by the day answers for it. */
export const coversWholeDays = (zone: string, { from, to, fromDay, toDay, elapsed }: Range): boolean =>
  from === dayStart(zone, fromDay) && (elapsed || to === dayStart(zone, toDay + 1))
