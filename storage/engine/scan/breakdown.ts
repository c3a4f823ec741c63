/** Counts the values of one dimension over one span, a day at a time. */
import type { Dimension } from '../vocabulary/dimensions.ts'
import type { Day } from '../days/day.ts'
import { bitsOfHits, goalBits, GOALS_AT_ONCE, type GoalBits } from './goals.ts'
import { maskOf, type Resolved } from './mask.ts'
import type { Goal, Span } from '../vocabulary/question.ts'
import { keyOf, type Resolver, textsFor } from './resolve.ts'
import { type Mask, scanBits, scanHits, scanProperty, scanVisits, type Window } from './scan.ts'
import { windowOn } from '../days/spans.ts'
import { addStored, type Stored, storedUnder } from './stored-sums.ts'
import { type Counted, Tally } from '../days/tally.ts'
import type { Texts } from '../days/texts.ts'

/** How the groups of a dimension are counted on a day, and what each is called. */
export interface Grouping {
  readonly count: number
  readonly counted: Counted
  name(group: number): string
  /** What a sealed day has counted of it; null where it has to be scanned. */
  readonly stored?: Stored | null
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
  const of = (scan: Grouping['scan'], stored: Stored | null = null, over: Counted = counted): Grouping =>
    ({ count: names.length, counted: over, name: group => names[group] ?? '', stored, scan })
  const { level, column } = dimension
  if (level === 'property') return of((...scanned) => scanProperty(...scanned, key, kept))
  if (level === 'page') return of((...scanned) => scanHits(...scanned, 'page', kept), { name: 'page', kept }, 'entered here')
  if (level === 'event') return byEvent(kept, counted, texts)
  if (column === null) throw new Error(`dimension ${dimension.name} has no column`)
  const stored = { name: column, kept: null }
  return of((tally, day, mask, window) => scanVisits(tally, day, mask, window, day.visits[column]), stored)
}

/** Events as they are shown: hidden ones left out, those of one name together. */
async function byEvent(kept: Uint8Array | null, counted: Counted, texts: Texts): Promise<Grouping> {
  const { shown, groups, merged } = await texts.events()
  const visible = Uint8Array.from(groups, (group, id) => (group === 0 ? 0 : (kept?.[id] ?? 1)))
  const groupOf = merged ? groups : null
  return {
    count: shown.length,
    counted,
    name: group => shown[group] ?? '',
    stored: merged ? null : { name: 'event', kept: visible },
    scan: (...scanned) => scanHits(...scanned, 'event', visible, groupOf),
  }
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
  ({
    count: 1, counted, name: () => '', stored: { name: 'totals', kept: null },
    scan: (tally, day, mask, window) => scanVisits(tally, day, mask, window, 0),
  })

/** Counts a span under conditions by several groupings at once: a tally each. */
export function countOver(
  span: Span, conditions: readonly Resolved[], groupings: readonly Grouping[], { lend }: Pick<Resolver, 'lend'>,
): {
  readonly tallies: readonly Tally[]
  add(day: Day): void
} {
  const tallies = groupings.map(({ count, counted }) => new Tally(count, counted, lend))
  const stored = groupings.map(grouping => storedUnder(conditions, grouping))
  return {
    tallies,
    add(day) {
      const window = windowOn(span, day)
      if (window === undefined) return
      let mask: Mask | undefined
      for (const [i, { scan }] of groupings.entries()) {
        const tally = tallies[i]
        const known = stored[i]
        if (!tally) continue
        if (known && window === null) addStored(tally, day.sums, known)
        else {
          if (mask === undefined) mask = maskOf(day, conditions)
          tally.begin(day)
          scan(tally, day, mask, window)
        }
      }
    },
  }
}
