/** Which days a span touches, and what part of each. */
import type { Day } from './day.ts'
import type { Span } from '../vocabulary/question.ts'
import type { Window } from '../scan/scan.ts'

/** A day of a site and the instants it holds, as it was cut when its hits came. */
export type Cut = Pick<Day, 'day' | 'startsAt' | 'endsAt'>

/** The part of a day that a span covers: null is all of it, undefined nothing. */
export function windowOn(span: Span, { day, startsAt, endsAt }: Cut): Window | null | undefined {
  if (span.whole) return span.fromDay <= day && day <= span.toDay ? null : undefined
  if (span.from >= endsAt || span.to <= startsAt) return undefined
  if (span.from <= startsAt && endsAt <= span.to) return null
  return { from: span.from - startsAt, to: span.to - startsAt }
}

/** Whether a span ends before a day and all that follow. */
export const isBefore = (span: Span, { day, startsAt }: Cut): boolean =>
  (span.whole ? span.toDay < day : span.to <= startsAt)

/** Whether a span, and with it those that come after it, begins after a day. */
export const isAfter = (span: Span, { day, endsAt }: Cut): boolean =>
  (span.whole ? span.fromDay > day + MOVED : span.from >= endsAt)

/** A day may lie beside the one its number says today, after its site moved to another time zone. */
export const MOVED = 2

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

/** What spans say of a day, whatever their number. */
export interface Coverage {
  /** Whether one of them touches the day. */
  touches(day: Cut): boolean
  /** Whether one of them covers a part of the day only. */
  cuts(day: Cut): boolean
  /** Whether one of them begins or ends between one day and another, so that it covers a part of those days. */
  divides(first: Cut, last: Cut): boolean
}

export function coverageOf(spans: readonly Span[]): Coverage {
  const ofDays: Stretch[] = []
  const ofInstants: Stretch[] = []
  for (const { whole, fromDay, toDay, from, to } of spans) {
    if (whole) ofDays.push([fromDay, toDay + 1])
    else if (from < to) ofInstants.push([from, to])
  }
  const [days, instants] = [covering(ofDays), covering(ofInstants)]
  return {
    touches: ({ day, startsAt, endsAt }) => days.overlap(day, day + 1) || instants.overlap(startsAt, endsAt),
    cuts: ({ startsAt, endsAt }) => instants.divide(startsAt, endsAt),
    divides: (first, last) => days.divide(first.day, last.day + 1) || instants.divide(first.startsAt, last.endsAt),
  }
}

type Stretch = readonly [from: number, to: number]

/** Stretches of numbers: whether one of them overlaps another stretch, or begins or ends inside of it. */
interface Covering {
  overlap(from: number, to: number): boolean
  divide(from: number, to: number): boolean
}
const nowhere: Covering = Object.freeze({ overlap: () => false, divide: () => false })

function covering(stretches: readonly Stretch[]): Covering {
  const [first] = stretches
  if (!first) return nowhere
  if (stretches.length === 1) { // most often: nothing to put in order
    return {
      overlap: (from, to) => first[0] < to && from < first[1],
      divide: (from, to) => (from < first[0] && first[0] < to) || (from < first[1] && first[1] < to),
    }
  }
  const apart = joined(stretches)
  const edges = stretches.flat().sort((a, b) => a - b)
  return {
    overlap: (from, to) => apart.some(stretch => stretch[0] < to && from < stretch[1]),
    divide: (from, to) => (edges[firstAfter(edges, from)] ?? Infinity) < to,
  }
}

/** Stretches that touch become one. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const apart: Stretch[] = []
  for (const [from, to] of stretches.toSorted((a, b) => a[0] - b[0])) {
    const last = apart.at(-1)
    if (last && from <= last[1]) apart[apart.length - 1] = [last[0], Math.max(last[1], to)]
    else apart.push([from, to])
  }
  return apart
}

/** Place of the first number that is greater. */
function firstAfter(sorted: readonly number[], than: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= than) low = middle + 1
    else high = middle
  }
  return low
}
