/** Counts the values of one dimension over one span, a day at a time. */
import type { Dimension } from '../dimensions.ts'
import type { Day } from './day.ts'
import { bitsOfHits, goalBits, GOALS_AT_ONCE, type GoalBits } from './goals.ts'
import { maskOf, type Resolved } from './mask.ts'
import type { Goal, Span } from './query.ts'
import { keyOf, textsFor } from './resolve.ts'
import { type Mask, scanBits, scanHits, scanProperty, scanVisits, type Window } from './scan.ts'
import { windowOn } from './spans.ts'
import { type Counted, Tally } from './tally.ts'
import type { Texts } from './texts.ts'

/** How the groups of a dimension are counted on a day, and what each is called. */
export interface Grouping {
  readonly count: number
  readonly counted: Counted
  name(group: number): string
  scan(tally: Tally, day: Day, mask: Mask, window: Window | null): void
}

export interface GroupingOptions {
  /** For pages, events and properties the ids that count; null for all. */
  readonly kept: Uint8Array | null
  readonly goals: readonly Goal[]
  readonly counted: Counted
  readonly texts: Texts
}

export async function groupingOf(
  dimension: Dimension, { kept, goals, counted, texts }: GroupingOptions,
): Promise<Grouping> {
  if (dimension.level === 'goal') return byGoal(goals, counted, texts)
  const key = await keyOf(dimension, texts)
  const names = await textsFor(dimension, key, texts)
  const of = (scan: Grouping['scan'], over: Counted = counted): Grouping =>
    ({ count: names.length, counted: over, name: group => names[group] ?? '', scan })
  const { level, column } = dimension
  if (level === 'property') return of((...scanned) => scanProperty(...scanned, key, kept))
  if (level === 'page') return of((...scanned) => scanHits(...scanned, 'page', kept), 'entered here')
  if (level === 'event') return of((...scanned) => scanHits(...scanned, 'event', kept))
  if (column === null) throw new Error(`dimension ${dimension.name} has no column`)
  return of((tally, day, mask, window) => scanVisits(tally, day, mask, window, day.visits[column]))
}

async function byGoal(goals: readonly Goal[], counted: Counted, texts: Texts): Promise<Grouping> {
  const sets: GoalBits[] = []
  for (let first = 0; first < goals.length; first += GOALS_AT_ONCE) {
    const some = goals.slice(first, first + GOALS_AT_ONCE)
    sets.push(await goalBits(some, some.map((_, bit) => 2 ** bit), texts))
  }
  return {
    count: goals.length,
    counted,
    name: group => goals[group]?.id ?? '',
    scan(tally, day, mask, window) {
      for (const [i, set] of sets.entries()) {
        scanBits(tally, day, mask, window, bitsOfHits(set, day), i * GOALS_AT_ONCE)
      }
    },
  }
}

/** Everything as one group. */
export const together = (counted: Counted): Grouping =>
  ({ count: 1, counted, name: () => '', scan: (tally, day, mask, window) => scanVisits(tally, day, mask, window, 0) })

/** Counts a span under conditions by several groupings at once: a tally each. */
export function countOver(span: Span, conditions: readonly Resolved[], groupings: readonly Grouping[]): {
  readonly tallies: readonly Tally[]
  add(day: Day): void
} {
  const tallies = groupings.map(({ count, counted }) => new Tally(count, counted))
  return {
    tallies,
    add(day) {
      const window = windowOn(span, day)
      if (window === undefined) return
      const mask = maskOf(day, conditions)
      for (const [i, { scan }] of groupings.entries()) {
        const tally = tallies[i]
        if (!tally) continue
        tally.begin(day)
        scan(tally, day, mask, window)
      }
    },
  }
}
