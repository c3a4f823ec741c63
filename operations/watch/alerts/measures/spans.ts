/** Time ranges that alerts measure, as spans of the reports' engine. */
import { Temporal } from 'temporal-polyfill'
import { localDay } from '../../../../storage/calendar/zones.ts'
import type { Db } from '../../../../storage/store.ts'
import { everythingOf, presentDays, type Scope, type Span } from '../../../reports/stats/index.ts'
import type { LiveSite } from '../../../sites/sites/records.ts'

/** A span from one instant to another, covering its first and last day in part. */
export function spanBetween(zone: string, from: number, to: number): Span {
  return { from, to, fromDay: localDay(zone, from).day, toDay: localDay(zone, to - 1).day, whole: false }
}

/** All visits of a site in these spans, by days of its present time zone, as in reports. */
export async function scopeOf(db: Db, site: LiveSite, spans: readonly Span[]): Promise<Scope> {
  const fromDay = Math.min(...spans.map(span => span.fromDay))
  const toDay = Math.max(...spans.map(span => span.toDay))
  const calendarOf = async (one: LiveSite) => (spans.length === 0 ? undefined : presentDays(db, one, { fromDay, toDay }))
  const { members, ...all } = everythingOf(site)
  if (!members) return { ...all, calendar: await calendarOf(site) }
  const calendars = await Promise.all((site.members ?? []).map(calendarOf))
  return { ...all, members: members.map((one, i) => ({ ...one, calendar: calendars[i] })) }
}

const WEEKS = 8
const MIN_WEEKS = 4

/**
 * The spans to compare the window [from, to) with: the same weekday and local time in each of the 8 weeks before, and
 * the windows directly before and after those (docs/decisions.md §4). The spans of a series are in order and do not
 * overlap; none touches the window itself or lies before the site's data.
 * @param since the start of the site's data
 * @returns null if there are less than 4 weeks of data
 */
export function baseline(zone: string, { from, to }: { from: number; to: number }, since: number): Span[][] | null {
  const length = to - from
  const ends = Temporal.Instant.fromEpochMilliseconds(to).toZonedDateTimeISO(zone)
  const weeks = Array.from({ length: WEEKS }, (_, i) => ends.subtract({ weeks: WEEKS - i }).epochMilliseconds)
  if (weeks.filter(end => end - length >= since).length < MIN_WEEKS) return null
  const taken = new Set<number>()
  return [-length, 0, length].map(offset => {
    const spans: Span[] = []
    for (const end of weeks.map(week => week + offset)) {
      if (end > from || end - length < since || taken.has(end)) continue
      taken.add(end)
      // After clocks were set forward, a week is an hour shorter than a window of 7 days.
      spans.push(spanBetween(zone, Math.max(end - length, spans.at(-1)?.to ?? -Infinity), end))
    }
    return spans
  })
}
