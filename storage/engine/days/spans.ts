/** The days that a span touches, and the part of each. */
import type { DayBounds } from './day.ts'
import { type Span, ZONE_CHANGE_DAYS } from '../vocabulary/scope.ts'

/** Ms since the start of the day, `to` exclusive. */
export interface TimeWindow {
  readonly from: number
  readonly to: number
}

/** The part of a day that a span covers: null for all of it, undefined for nothing. */
export function windowOn(span: Span, { day, startsAt, endsAt, cut }: DayBounds): TimeWindow | null | undefined {
  if (cut) {
    const isWithin = span.whole && span.fromDay <= day && day <= span.toDay
    const from = isWithin ? cut.from : Math.max(cut.from, span.whole ? Infinity : span.from)
    const to = isWithin ? cut.to : Math.min(cut.to, span.to)
    return from < to ? { from: from - startsAt, to: to - startsAt } : undefined
  }
  if (span.whole) return span.fromDay <= day && day <= span.toDay ? null : undefined
  if (span.from >= endsAt || span.to <= startsAt) return undefined
  if (span.from <= startsAt && endsAt <= span.to) return null
  return { from: span.from - startsAt, to: span.to - startsAt }
}

/** Whether a span ends before a day and all later ones. */
export const isBefore = (span: Span, { day, startsAt }: DayBounds): boolean => (span.whole ? span.toDay < day : span.to <= startsAt)

/** Whether a span, and so every later one, begins after a day. */
export const isAfter = (span: Span, { day, endsAt }: DayBounds): boolean =>
  span.whole ? span.fromDay > day + ZONE_CHANGE_DAYS : span.from >= endsAt

/** The lowest and highest day that these spans may touch; null without spans. */
export function dayNumbers(spans: readonly Span[]): { fromDay: number; toDay: number } | null {
  let fromDay = Infinity
  let toDay = -Infinity
  for (const span of spans) {
    fromDay = Math.min(fromDay, span.fromDay)
    toDay = Math.max(toDay, span.toDay)
  }
  return fromDay > toDay ? null : { fromDay: fromDay - ZONE_CHANGE_DAYS, toDay: toDay + ZONE_CHANGE_DAYS }
}

/** Whether one of these spans begins or ends between the first and last day, and so covers these days only in part. */
export function divisionsOf(spans: readonly Span[]): (first: DayBounds, last: DayBounds) => boolean {
  const ofDays: number[] = []
  const ofInstants: number[] = []
  for (const { whole, fromDay, toDay, from, to } of spans) {
    if (whole) ofDays.push(fromDay, toDay + 1)
    else if (from < to) ofInstants.push(from, to)
  }
  for (const edges of [ofDays, ofInstants]) edges.sort((a, b) => a - b)
  return (first, last) => hasWithin(ofDays, first.day, last.day + 1) || hasWithin(ofInstants, first.startsAt, last.endsAt)
}

/** Whether a number lies between two others, exclusive. */
function hasWithin(sorted: readonly number[], after: number, before: number): boolean {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= after) low = middle + 1
    else high = middle
  }
  return (sorted[low] ?? Infinity) < before
}
