import { dayStart } from '../../../../storage/zones.ts'

/** The context for resolving a range: the site's zone and first day of the week, the clock, and its first hit. */
export interface SiteClock {
  /** IANA name. */
  readonly zone: string
  /** Epoch ms. */
  readonly now: number
  /** Epoch ms; null if the site has no hits. */
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
 * A resolved range: instants in epoch ms, `to` exclusive, and the local days that contain them, both inclusive.
 *
 * A range up to now ends with the current minute, not with the day: `data.period` then promises no more than was
 * counted, every hit so far is included, and the answer stays the same for a minute (ETag).
 */
export interface Range extends Days {
  readonly from: number
  readonly to: number
  /** It ends now: its last day has no hits after `to`, so that day can be read as a whole. */
  readonly elapsed: boolean
  /** `days`: counted in days. `hours`: the last 24. Otherwise the unit of which it is the elapsed part (today: `day`). */
  readonly span: 'days' | 'hours' | 'day' | 'month' | 'quarter' | 'year'
}

/** Exactly these local days. */
export const wholeDays = (zone: string, { fromDay, toDay }: Days): Range => ({
  from: dayStart(zone, fromDay),
  to: dayStart(zone, toDay + 1),
  fromDay,
  toDay,
  elapsed: false,
  span: 'days',
})

/** Whether the range includes every hit of the days `fromDay` to `toDay`, so that sums by day can be used. */
export const coversWholeDays = (zone: string, { from, to, fromDay, toDay, elapsed }: Range): boolean =>
  from === dayStart(zone, fromDay) && (elapsed || to === dayStart(zone, toDay + 1))
