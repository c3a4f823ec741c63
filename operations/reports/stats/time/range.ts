import { dayStart, localDay } from '../../../../storage/calendar/zones.ts'
import { MINUTE_MS } from './calendar.ts'

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
  /** Its unit: days, the last 24 hours, or calendar months, whole ones or the elapsed part of one. */
  readonly span: 'days' | 'hours' | 'months'
  /** How many calendar months; 0 where it is not counted in months. */
  readonly months: number
}

/** Exactly these local days. */
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
