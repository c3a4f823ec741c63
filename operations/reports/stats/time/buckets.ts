import { dayStart } from '../../../../storage/calendar/zones.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../storage/values/durations.ts'
import { MONDAY, startOf } from './calendar.ts'
import type { Interval } from './interval.ts'
import { localTime } from './label.ts'
import type { Days, Range } from './range.ts'

/** One point of a series: instants in epoch ms, `to` exclusive; local days, both inclusive. */
export interface Bucket extends Days {
  readonly from: number
  readonly to: number
  /** Start as ISO 8601 with the local offset. */
  readonly label: string
  /** Whether the range covers its hour, day, week … only in part. */
  readonly partial: boolean
}

type Unit = Omit<Bucket, 'label' | 'partial'>

interface Series {
  readonly range: Range
  readonly interval: Interval
  readonly zone: string
  /** Defaults to Monday. */
  readonly weekStart?: number | undefined
}

/** Limits a unit to the range; null if nothing remains. */
export const cut = (unit: Unit, range: Range, zone: string): Bucket | null => {
  const from = Math.max(unit.from, range.from)
  const to = Math.min(unit.to, range.to)
  if (from >= to) return null
  const fromDay = Math.max(unit.fromDay, range.fromDay)
  const toDay = Math.min(unit.toDay, range.toDay)
  return { from, to, fromDay, toDay, label: localTime(zone, from), partial: from > unit.from || to < unit.to }
}

/** Yields units of `step` ms from midnight to midnight: 25 hours on a long day; the last one may be shorter. */
function* elapsing(step: number, { fromDay, toDay }: Days, zone: string): Generator<Unit> {
  for (let day = fromDay; day <= toDay; day++) {
    const ends = dayStart(zone, day + 1)
    for (let from = dayStart(zone, day); from < ends; from += step) {
      yield { from, to: Math.min(from + step, ends), fromDay: day, toDay: day }
    }
  }
}

function* units({ range, interval, zone, weekStart }: Series & { readonly weekStart: number }): Generator<Unit> {
  if (interval === 'minute') return yield* elapsing(MINUTE_MS, range, zone)
  if (interval === 'hour') return yield* elapsing(HOUR_MS, range, zone)
  for (let fromDay = startOf({ unit: interval, day: range.fromDay, by: 0, weekStart }); fromDay <= range.toDay; ) {
    const next = startOf({ unit: interval, day: fromDay, by: 1, weekStart })
    yield { from: dayStart(zone, fromDay), to: dayStart(zone, next), fromDay, toDay: next - 1 }
    fromDay = next
  }
}

/** Yields the buckets of a range one by one, for callers that may not need all. */
export function* eachBucket({ range, interval, zone, weekStart = MONDAY }: Series): Generator<Bucket> {
  for (const unit of units({ range, interval, zone, weekStart })) {
    const bucket = cut(unit, range, zone)
    if (bucket) yield bucket
  }
}

/** Returns the buckets of a range in order, without gaps. No bucket is empty, so a day that does not exist has none. */
export const buckets = (series: Series): Bucket[] => [...eachBucket(series)]
