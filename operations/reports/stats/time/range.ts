import { dayStart, localDay } from '../../../../storage/zones.ts'
import { MINUTE_MS } from './calendar.ts'

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
  /** What it is counted in: days, the last 24 hours, or calendar months, which it is made of or the elapsed part of. */
  readonly span: 'days' | 'hours' | 'months'
  /** How many calendar months; 0 where it is not counted in months. */
  readonly months: number
}

/** Exactly these local days, whole. */
export const wholeDays = (zone: string, { fromDay, toDay }: Days): Range => ({
  from: dayStart(zone, fromDay),
  to: dayStart(zone, toDay + 1),
  fromDay,
  toDay,
  elapsed: false,
  span: 'days',
  months: 0,
})

/** These local days, up to the minute under way where the last of them is today. */
export function daysUntilNow({ zone, now }: Pick<SiteClock, 'zone' | 'now'>, days: Days): Range {
  const range = wholeDays(zone, days)
  const today = localDay(zone, now)
  return range.toDay === today.day ? { ...range, to: Math.min(nextMinute(now), today.endsAt), elapsed: true } : range
}

/** When the minute under way ends. */
export const nextMinute = (now: number): number => (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS

/** Whether every hit of the days `fromDay` to `toDay` lies in the range: what is kept by the day answers for it. */
export const coversWholeDays = (zone: string, { from, to, fromDay, toDay, elapsed }: Range): boolean =>
  from === dayStart(zone, fromDay) && (elapsed || to === dayStart(zone, toDay + 1))
