import { dayStart, localDay } from '../../../../storage/calendar/zones.ts'
import { MINUTE_MS } from '../../../../storage/values/durations.ts'

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
 * A range up to now ends with the current minute, not with the day. So `data.period` describes exactly what was
 * counted, includes every hit so far, and the response stays the same for a minute (ETag).
 */
export interface Range extends Days {
  readonly from: number
  readonly to: number
  /** Whether it ends now. Then its last day has no hits after `to`, and can be read as a whole. */
  readonly elapsed: boolean
  /** Its unit: days, the last 24 hours, or a calendar week or calendar months, whole or the elapsed part. */
  readonly span: 'days' | 'hours' | 'weeks' | 'months'
  /** Number of calendar months; 0 for other units. */
  readonly months: number
}

/** Returns exactly these local days. */
export const wholeDays = (zone: string, { fromDay, toDay }: Days): Range => ({
  from: dayStart(zone, fromDay),
  to: dayStart(zone, toDay + 1),
  fromDay,
  toDay,
  elapsed: false,
  span: 'days',
  months: 0,
})

/** Returns these local days, up to the current minute if the last day is today. */
export function daysUntilNow({ zone, now }: Pick<SiteClock, 'zone' | 'now'>, days: Days): Range {
  const range = wholeDays(zone, days)
  const today = localDay(zone, now)
  return range.toDay === today.day ? { ...range, to: Math.min(nextMinute(now), today.endsAt), elapsed: true } : range
}

/** Returns the end of the current minute. */
export const nextMinute = (now: number): number => (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS

/** Whether the range contains every hit of the days `fromDay` to `toDay`, so that daily sums can answer it. */
export const coversWholeDays = (zone: string, { from, to, fromDay, toDay, elapsed }: Range): boolean =>
  from === dayStart(zone, fromDay) && (elapsed || to === dayStart(zone, toDay + 1))
