import type { Day } from './day.ts'
import { maskOf, type Resolved } from './mask.ts'
import type { Span, Sums } from './query.ts'
import { type Mask, scanVisits, scanWindows, type Window } from './scan.ts'
import { windowOn } from './spans.ts'
import { type Counted, Tally } from './tally.ts'

/** Counts series of spans, a day at a time; span i of a series is group i of its tally. */
export function totalsOver(series: readonly (readonly Span[])[], conditions: readonly Resolved[], counted: Counted): {
  add(day: Day): void
  sums(): Sums[][]
} {
  const tallies = series.map(spans => new Tally(spans.length, counted))
  return {
    add(day) {
      const mask = maskOf(day, conditions)
      for (const [i, spans] of series.entries()) {
        const tally = tallies[i]
        if (tally) addDay(tally, spans, day, mask)
      }
    },
    sums: () => tallies.map(tally => Array.from({ length: tally.groups }, (_, span) => tally.of(span))),
  }
}

function addDay(tally: Tally, spans: readonly Span[], day: Day, mask: Mask): void {
  const windows: Window[] = []
  const groups: number[] = []
  tally.begin(day)
  for (const [group, span] of spans.entries()) {
    const window = windowOn(span, day)
    if (window === null) scanVisits(tally, day, mask, null, group)
    else if (window) {
      windows.push(window)
      groups.push(group)
    }
  }
  if (windows.length > 0) scanWindows(tally, day, mask, windows, groups)
}
