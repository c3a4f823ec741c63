/** Counts the values of a dimension over one span, a day at a time. */
import type { Day } from '../days/day.ts'
import { allReads, columnsRead, sumsRead } from '../days/reads.ts'
import { windowOn } from '../days/spans.ts'
import { basisRead, type BounceBasis, Tally } from '../days/tally.ts'
import type { Texts } from '../days/texts.ts'
import type { Dimension } from '../vocabulary/dimensions.ts'
import type { Goal, Span } from '../vocabulary/scope.ts'
import { readsOfConditions, type Resolved } from './condition.ts'
import { type DayCounter, readsNothing, readsOver } from './day-counter.ts'
import { bitsOfHits, goalBits, GOALS_AT_ONCE, type GoalBits, readsOfGoals } from './goals.ts'
import type { Mask } from './mask.ts'
import { type Context, keyOf, textsFor } from './resolve.ts'
import {
  bitScan,
  hitScanBy,
  type PassReads,
  propertyScan,
  scanBits,
  scanHits,
  scanProperty,
  type Scanned,
  scanVisits,
  visitScan,
  withReads,
} from './scan.ts'
import { addStoredSums, type Stored, storedUnder } from './stored-sums.ts'

/** How a dimension's groups are counted on a day, and their names. */
export interface Grouping {
  readonly count: number
  readonly basis: BounceBasis
  name(group: number): string
  /** The stored sums of a sealed day; null if it must be scanned. */
  readonly stored: Stored | null
  /** What `scan` reads. */
  readonly reads: PassReads
  scan(tally: Tally, scanned: Scanned & { readonly day: Day }): void
}

export interface GroupingOptions {
  /** For pages, events and properties: the ids to count; null for all. */
  readonly kept: Uint8Array | null
  readonly goals: readonly Goal[]
  readonly basis: BounceBasis
  readonly texts: Texts
}

export async function groupingOf(dimension: Dimension, { kept, goals, basis, texts }: GroupingOptions): Promise<Grouping> {
  const { level, column } = dimension
  if (level === 'goal') return byGoal(goals, basis, texts)
  if (level === 'event') return byEvent(kept, basis, texts)
  const key = await keyOf(dimension, texts)
  const names = await textsFor(dimension, key, texts)
  const groups = { count: names.length, basis, name: (group: number) => names[group] ?? '' }
  if (level === 'property') {
    return { ...groups, stored: null, reads: propertyScan, scan: (tally, day) => scanProperty(tally, day, key, kept) }
  }
  if (level === 'page') {
    return {
      ...groups,
      basis: 'entered here',
      stored: { name: 'page', kept },
      reads: hitScanBy('page'),
      scan: (tally, day) => scanHits(tally, day, 'page', kept),
    }
  }
  if (column === null) throw new Error(`dimension ${dimension.name} has no column`)
  return {
    ...groups,
    stored: { name: column, kept: null },
    reads: withReads(visitScan, columnsRead(`visits.${column}`)),
    scan: (tally, scanned) => scanVisits(tally, scanned, scanned.day.visits[column]),
  }
}

/** Events by shown name: hidden ones left out, equal names merged. */
async function byEvent(kept: Uint8Array | null, basis: BounceBasis, texts: Texts): Promise<Grouping> {
  const { shown, groups, merged } = await texts.events()
  const visible = Uint8Array.from(groups, (group, id) => (group === 0 ? 0 : (kept?.[id] ?? 1)))
  const groupOf = merged ? groups : null
  return {
    count: shown.length,
    basis,
    name: group => shown[group] ?? '',
    stored: merged ? null : { name: 'event', kept: visible },
    reads: hitScanBy('event'),
    scan: (tally, scanned) => scanHits(tally, scanned, 'event', visible, groupOf),
  }
}

async function byGoal(goals: readonly Goal[], basis: BounceBasis, texts: Texts): Promise<Grouping> {
  const sets: GoalBits[] = []
  for (let first = 0; first < goals.length; first += GOALS_AT_ONCE) {
    const some = goals.slice(first, first + GOALS_AT_ONCE)
    sets.push(
      await goalBits(
        some,
        some.map((_, bit) => 2 ** bit),
        texts,
      ),
    )
  }
  return {
    count: goals.length,
    basis,
    name: group => goals[group]?.id ?? '',
    stored: null,
    reads: withReads(bitScan, allReads(sets.map(readsOfGoals))),
    scan(tally, scanned) {
      for (const [i, set] of sets.entries()) {
        scanBits(tally, scanned, bitsOfHits(set, scanned.day), i * GOALS_AT_ONCE)
      }
    },
  }
}

/** A single group for everything. */
export const everything = (basis: BounceBasis): Grouping => ({
  count: 1,
  basis,
  name: () => '',
  stored: { name: 'totals', kept: null },
  reads: visitScan,
  scan: (tally, scanned) => scanVisits(tally, scanned, 0),
})

export interface Counting extends DayCounter {
  /** One for each grouping. */
  readonly tallies: readonly Tally[]
}

/** Counts a span under conditions by several groupings at once. */
export function countOver(
  span: Span,
  conditions: readonly Resolved[],
  groupings: readonly Grouping[],
  { zeros, workspace }: Pick<Context, 'zeros' | 'workspace'>,
): Counting {
  const ofMask = readsOfConditions(conditions)
  const each = groupings.map(grouping => {
    const { count, basis, reads } = grouping
    const stored = storedUnder(conditions, grouping)
    const { whole, part } = withReads(reads, allReads([ofMask, basisRead(basis)]))
    return {
      ...grouping,
      stored,
      tally: new Tally(count, basis, zeros),
      reads: { whole: stored ? sumsRead(stored.name) : whole, part },
    }
  })
  const reads = {
    whole: allReads(each.map(one => one.reads.whole)),
    part: allReads(each.map(one => one.reads.part)),
  }
  return {
    tallies: each.map(one => one.tally),
    reads: each.length === 0 ? readsNothing : readsOver(span, reads),
    scans: each.some(one => one.stored === null),
    add(day) {
      const window = windowOn(span, day)
      if (window === undefined) return
      let mask: Mask | undefined
      for (const { tally, stored, scan } of each) {
        if (stored && window === null) addStoredSums(tally, day.sums, stored)
        else {
          if (mask === undefined) mask = workspace.masks.of(day, conditions)
          tally.begin(day)
          scan(tally, { day, mask, window, workspace })
        }
      }
    },
  }
}
