/**
 * Local calendars. A day is a number: days since 1970-01-01 in the site's local calendar, so that 2026-11-20 is the
 * same number in every zone. Beginnings of days come from time-zone data and are never derived from UTC hours: days
 * last 23, 23.5, 24.5 or 25 hours, and some do not exist at all (Pacific/Apia had no 2011-12-30).
 */
import { Temporal } from 'temporal-polyfill'
import { DAY_MS, HOUR_MS } from '../values/durations.ts'

/** A local day and its time range, in epoch ms: it includes `startsAt`, but not `endsAt`. */
export interface LocalDay {
  readonly day: number
  readonly startsAt: number
  readonly endsAt: number
}

interface Calendar {
  readonly zone: string
  readonly starts: Map<number, number>
  latest: LocalDay
}

// A process uses a handful of zones, and of each the days of the requested ranges.
const ZONES = 1024
const DAYS_A_ZONE = 4096
const calendars = new Map<string, Calendar>()

const EPOCH = Temporal.PlainDate.from('1970-01-01')
const NO_DAY: LocalDay = Object.freeze({ day: 0, startsAt: 0, endsAt: 0 })
const IANA_NAME = /^(?!systemv\/)[a-z][\w+-]*(\/[\w+-]+)*$/i

const remember = <K, V>(map: Map<K, V>, limit: number, key: K, value: V): V => {
  if (map.size >= limit) map.clear()
  map.set(key, value)
  return value
}

const calendarOf = (zone: string): Calendar =>
  calendars.get(zone) ?? remember(calendars, ZONES, zone, { zone, starts: new Map(), latest: NO_DAY })

const startIn = ({ zone, starts }: Calendar, day: number): number =>
  starts.get(day) ?? remember(starts, DAYS_A_ZONE, day, EPOCH.add({ days: day }).toZonedDateTime(zone).epochMilliseconds)

/**
 * The start of a local day, in epoch ms: its first midnight or, if the clock skipped that, the first instant after. A
 * day that does not exist starts where the next one does. Throws RangeError for a name that is not `isZone` and for a
 * day outside the calendar.
 */
export const dayStart = (zone: string, day: number): number => startIn(calendarOf(zone), day)

/**
 * The local day of an instant (epoch ms). Days tile time: where the clock was set back over midnight (America/St_Johns
 * until 2011), the repeated minutes stay in the day that had begun. Throws RangeError like `dayStart`. About 30 ns
 * while the zone's day stays the same.
 */
export const localDay = (zone: string, at: number): LocalDay => {
  const calendar = calendarOf(zone)
  const { latest } = calendar
  if (at >= latest.startsAt && at < latest.endsAt) return latest

  let day = Math.floor(at / DAY_MS) + 1 // no zone is a whole day ahead of UTC
  while (startIn(calendar, day) > at) day--
  calendar.latest = Object.freeze({ day, startsAt: startIn(calendar, day), endsAt: startIn(calendar, day + 1) })
  return calendar.latest
}

/** The hour of the clock at an instant, 0 to 23. Days of 24 hours need no time-zone data. */
export function hourAt(zone: string, at: number): number {
  const { startsAt, endsAt } = localDay(zone, at)
  if (endsAt - startsAt === DAY_MS) return Math.floor((at - startsAt) / HOUR_MS)
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).hour
}

/** The time that the clock shows at an instant, as the instant at which a clock in UTC shows the same. Days of 24 hours need no time-zone data. */
export function clockTime(zone: string, at: number): number {
  const { day, startsAt, endsAt } = localDay(zone, at)
  if (endsAt - startsAt === DAY_MS) return day * DAY_MS + at - startsAt
  return at + Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(zone).offsetNanoseconds / 1_000_000
}

/**
 * An IANA time zone name in its usual case (`europe/berlin` → `Europe/Berlin`), with links unchanged (`Asia/Calcutta`);
 * null for anything else, including offsets such as `+01:00`.
 */
export const canonicalZone = (name: string): string | null => {
  if (name.length > 64 || !IANA_NAME.test(name)) return null
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return null
  }
}

/** Whether this is an IANA time zone, in any case, that this process has data for. */
export const isZone = (name: string): boolean => canonicalZone(name) !== null

/** The number of a calendar day `YYYY-MM-DD`; null if there is no such day (2026-02-30). */
export const dayOf = (date: string): number | null => {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return null
  const day = Date.parse(date) / DAY_MS
  return Number.isInteger(day) && dateOf(day) === date ? day : null
}

/** A day number as `YYYY-MM-DD`, for the years 0 to 9999. */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
