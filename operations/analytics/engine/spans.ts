/** Which days a span touches, and what part of each. */
import type { Day } from './day.ts'
import type { Span } from './query.ts'
import type { Window } from './scan.ts'

/** A day of a site and the instants it holds, as it was cut when its hits came. */
export type Cut = Pick<Day, 'day' | 'startsAt' | 'endsAt'>

/** The part of a day that a span covers: null is all of it, undefined nothing. */
export function windowOn(span: Span, { day, startsAt, endsAt }: Cut): Window | null | undefined {
  if (span.whole) return span.fromDay <= day && day <= span.toDay ? null : undefined
  if (span.from >= endsAt || span.to <= startsAt) return undefined
  if (span.from <= startsAt && endsAt <= span.to) return null
  return { from: span.from - startsAt, to: span.to - startsAt }
}

/** A day may lie beside the one its number says today, after its site moved to another time zone. */
const MOVED = 2

/** Bounds on the numbers of the days that some of these spans may touch; null where there are no spans. */
export function dayBounds(spans: readonly Span[]): { fromDay: number; toDay: number } | null {
  let fromDay = Infinity
  let toDay = -Infinity
  for (const span of spans) {
    fromDay = Math.min(fromDay, span.fromDay)
    toDay = Math.max(toDay, span.toDay)
  }
  return fromDay > toDay ? null : { fromDay: fromDay - MOVED, toDay: toDay + MOVED }
}
