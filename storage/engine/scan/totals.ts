import type { Day } from '../days/day.ts'
import { maskOf, type Resolved } from './mask.ts'
import type { Span, Sums } from '../vocabulary/question.ts'
import { type Mask, scanVisits, scanWindows, type Window } from './scan.ts'
import { type Cut, isAfter, isBefore, windowOn } from '../days/spans.ts'
import { HOUR_MS } from '../days/sums.ts'
import { type Counted, Tally } from '../days/tally.ts'

/**
 * Counts series of spans, a day at a time; span i of a series is group i of its tally. The spans of a series are in
 * order.
 */
export function totalsOver(series: readonly (readonly Span[])[], conditions: readonly Resolved[], counted: Counted): {
  add(day: Day): void
  sums(): Sums[][]
} {
  const stored = conditions.length === 0 && counted === 'all'
  const counting = series.map(spans => ({ spans, first: 0, tally: new Tally(spans.length, counted) }))
  return {
    add(day) {
      let mask: Mask | undefined
      const masked = () => (mask === undefined ? (mask = maskOf(day, conditions)) : mask)
      for (const one of counting) {
        const { spans, tally } = one
        for (let span = spans[one.first]; span && isBefore(span, day); span = spans[one.first]) one.first++
        const parts = partsOn(spans, one.first, day)
        if (parts.length === 0) continue
        if (stored && addStored(tally, day, parts)) continue
        tally.begin(day)
        for (const { group, window } of parts) if (window === null) scanVisits(tally, day, masked(), null, group)
        const cut = parts.filter((part): part is Part & { window: Window } => part.window !== null)
        if (cut.length > 0) scanWindows(tally, day, masked(), cut.map(part => part.window), cut.map(part => part.group))
      }
    },
    sums: () => counting.map(({ tally }) => Array.from({ length: tally.groups }, (_, span) => tally.of(span))),
  }
}

/** What a span covers of a day; null is all of it. */
interface Part {
  readonly group: number
  readonly window: Window | null
}

function partsOn(spans: readonly Span[], first: number, day: Cut): Part[] {
  const parts: Part[] = []
  for (let group = first; group < spans.length; group++) {
    const span = spans[group]
    if (!span || isAfter(span, day)) break
    const window = windowOn(span, day)
    if (window !== undefined) parts.push({ group, window })
  }
  return parts
}

/** From what a sealed day has counted: all of it, or whole hours. @returns false where that will not do */
function addStored(tally: Tally, day: Day, parts: readonly Part[]): boolean {
  const { sums } = day
  for (const { window } of parts) if (window !== null && !isHour(window, day)) return false
  for (const { group, window } of parts) {
    if (window === null) tally.addSums(group, sums.totals)
    else tally.addGroup(group, sums.hour, window.from / HOUR_MS)
  }
  return true
}

/** Whether a window is one of the hours since the day began, the last one perhaps cut short. */
const isHour = ({ from, to }: Window, { startsAt, endsAt }: Cut): boolean =>
  from >= 0 && from % HOUR_MS === 0 && (to === from + HOUR_MS || Math.min(to, from + HOUR_MS) >= endsAt - startsAt)
