/** Time ranges that alerts look at, as the engine of the reports counts them. */
import { Temporal } from 'temporal-polyfill'
import { localDay } from '../../../../storage/zones.ts'
import type { Span } from '../../../reports/stats/index.ts'

/** Part of whatever days it touches. */
export function spanBetween(zone: string, from: number, to: number): Span {
  return { from, to, fromDay: localDay(zone, from).day, toDay: localDay(zone, to - 1).day, whole: false }
}

const WEEKS = 8
const FEWEST_WEEKS = 4

/**
 * What the window [from, to) is compared with: the same weekday and time on the site's wall in each of the 8 weeks
 * before, and the windows right before and after those (docs/decisions.md §4). Series of spans that are in order and
 * share no instant; each span at most once, none that touches the window itself or lies before the site's data.
 * @param since from when on there is data
 * @returns null with less than 4 weeks of it
 */
export function baseline(zone: string, { from, to }: { from: number; to: number }, since: number): Span[][] | null {
  const length = to - from
  const ends = Temporal.Instant.fromEpochMilliseconds(to).toZonedDateTimeISO(zone)
  const weeks = Array.from({ length: WEEKS }, (_, i) => ends.subtract({ weeks: WEEKS - i }).epochMilliseconds)
  if (weeks.filter(end => end - length >= since).length < FEWEST_WEEKS) return null
  const taken = new Set<number>()
  return [-length, 0, length].map(offset => {
    const spans: Span[] = []
    for (const end of weeks.map(week => week + offset)) {
      if (end > from || end - length < since || taken.has(end)) continue
      taken.add(end)
      // Where clocks were set forward, a week is an hour shorter than a window of 7 days.
      spans.push(spanBetween(zone, Math.max(end - length, spans.at(-1)?.to ?? -Infinity), end))
    }
    return spans
  })
}
