/** Counts the values of a dimension over one span, a day at a time. (Every `!` is inside bounds.) */
import { reusedBuffer } from '../columns/buffers.ts'
import type { Column } from '../columns/column.ts'
import type { Day } from '../days/day.ts'
import { allReads, columnsRead, NO_COLUMNS, sumsRead } from '../days/reads.ts'
import { windowOn } from '../days/spans.ts'
import { basisRead, type BounceBasis, Tally } from '../days/tally.ts'
import type { Texts } from '../days/texts.ts'
import type { Derived } from '../vocabulary/derived.ts'
import type { Dimension } from '../vocabulary/dimensions.ts'
import type { Goal, Span } from '../vocabulary/scope.ts'
import { type OnHit, readsOfConditions, type Resolved } from './condition.ts'
import { type DayCounter, readsNothing, readsOver } from './day-counter.ts'
import { bitsOfHits, goalBits, GOALS_AT_ONCE, type GoalBits, readsOfGoals } from './goals.ts'
import type { Mask } from './mask.ts'
import { bothOf, type Narrowing, readsOfHits, readsOfNarrowing } from './narrowing.ts'
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
  /** What counts of the visits that are kept; null for all. */
  readonly narrowing: Narrowing | null
  /** For events, 1 at the ids that count; without it all do. */
  readonly found?: Uint8Array
  readonly goals: readonly Goal[]
  readonly basis: BounceBasis
  readonly texts: Texts
}

export async function groupingOf(dimension: Dimension, options: GroupingOptions): Promise<Grouping> {
  const { narrowing, basis, texts } = options
  const { level, column } = dimension
  if (level === 'goal') return byGoal(options)
  if (level === 'event') return byEvent(options)
  const key = await keyOf(dimension, texts)
  const names = await textsFor(dimension, key, texts)
  const groups = { count: names.length, basis, name: (group: number) => names[group] ?? '' }
  if (level === 'property') {
    const { kept, rest } = ownOf(narrowing, one => one.on === 'property' && one.key === key)
    return {
      ...groups,
      stored: null,
      reads: withReads(propertyScan, readsOfConditions(rest)),
      scan: (tally, scanned) => scanProperty(tally, scanned, key, { kept, met: metOf(scanned, rest), groups: null }),
    }
  }
  if (level === 'page') {
    const { pages: kept, hits } = narrowing ?? { pages: null, hits: [] }
    return {
      ...groups,
      basis: 'entered here',
      stored: { name: 'page', kept },
      reads: withReads(hitScanBy('page'), readsOfHits(hits)),
      scan(tally, scanned) {
        const { day, workspace } = scanned
        if (hits.length > 0) tally.begin(day, workspace.narrowings.revenue(day, hits))
        scanHits(tally, scanned, 'page', { kept, met: null, groups: null })
      },
    }
  }
  if (dimension.derived) return byDerived(dimension.derived, names, options)
  if (column === null) throw new Error(`dimension ${dimension.name} has no column`)
  return {
    ...groups,
    stored: { name: column, kept: null },
    reads: withReads(visitScan, allReads([columnsRead(`visits.${column}`), readsOfNarrowing(narrowing)])),
    scan: (tally, scanned) => scanVisits(tally, scanned, scanned.day.visits[column], narrowing),
  }
}

/**
 * Stored sums cannot answer this: the visitors of several values together are not the sum of each value's visitors.
 * @param names by id of what the value follows from; several may be the same
 */
function byDerived(derived: Derived, names: readonly string[], { narrowing, basis }: GroupingOptions): Grouping {
  const different = [...new Set(names)]
  const groupOf = Uint32Array.from(names, name => different.indexOf(name))
  const buffer = reusedBuffer(Uint32Array)
  const groups = ({ day, visits }: Day): Column | number => {
    if (derived.of === 'day') return groupOf[derived.placeOf(day)] ?? 0
    const column = visits[derived.of]
    const mapped = buffer(visits.count)
    for (let v = 0; v < mapped.length; v++) mapped[v] = groupOf[column[v]!]!
    return mapped
  }
  const read = derived.of === 'day' ? NO_COLUMNS : columnsRead(`visits.${derived.of}`)
  return {
    count: different.length,
    basis,
    name: group => different[group] ?? '',
    stored: null,
    reads: withReads(visitScan, allReads([read, readsOfNarrowing(narrowing)])),
    scan: (tally, scanned) => scanVisits(tally, scanned, groups(scanned.day), narrowing),
  }
}

/** What narrows a dimension by its own values, 1 for those that count, and what else a hit has to meet. */
export function ownOf(narrowing: Narrowing | null, isOwn: (one: OnHit) => boolean): { kept: Uint8Array | null; rest: readonly OnHit[] } {
  const hits = narrowing?.hits ?? []
  const own = hits.filter(isOwn)
  return {
    kept: bothOf(own.flatMap(one => ('set' in one ? [one.set] : []))),
    rest: own.length === 0 ? hits : hits.filter(one => !isOwn(one)),
  }
}

/** 1 for the hits that count; null for all. */
export const metOf = ({ day, workspace }: Scanned, hits: readonly OnHit[]) => workspace.narrowings.met(day, hits)

/** Events as they are shown: hidden ones left out, those of one name together. */
async function byEvent({ narrowing, found, basis, texts }: GroupingOptions): Promise<Grouping> {
  const { kept, rest } = ownOf(narrowing, one => one.on === 'event')
  const { shown, groups, merged } = await texts.events()
  const visible = Uint8Array.from(groups, (group, id) => (group === 0 ? 0 : (kept?.[id] ?? 1) & (found?.[id] ?? 1)))
  const groupOf = merged ? groups : null
  return {
    count: shown.length,
    basis,
    name: group => shown[group] ?? '',
    stored: merged ? null : { name: 'event', kept: visible },
    reads: withReads(hitScanBy('event'), readsOfConditions(rest)),
    scan: (tally, scanned) => scanHits(tally, scanned, 'event', { kept: visible, met: metOf(scanned, rest), groups: groupOf }),
  }
}

/**
 * What a hit has to meet beside completing one of the goals shown: nothing where the only condition asks for goals, as
 * these are the goals it asks for.
 */
export const ofGoals = (narrowing: Narrowing | null): readonly OnHit[] => {
  const hits = narrowing?.hits ?? []
  return hits.length === 1 && hits[0]?.on === 'goal' ? [] : hits
}

async function byGoal({ narrowing, goals, basis, texts }: GroupingOptions): Promise<Grouping> {
  const rest = ofGoals(narrowing)
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
    reads: withReads(bitScan, allReads([...sets.map(readsOfGoals), readsOfConditions(rest)])),
    scan(tally, scanned) {
      const met = metOf(scanned, rest)
      for (const [i, set] of sets.entries()) {
        scanBits(tally, scanned, bitsOfHits(set, scanned.day), i * GOALS_AT_ONCE, met)
      }
    },
  }
}

/** Everything as one group, and all of it: nothing of the visits is left out. */
export const everything = (basis: BounceBasis): Grouping => ({
  count: 1,
  basis,
  name: () => '',
  stored: { name: 'totals', kept: null },
  reads: visitScan,
  scan: (tally, scanned) => scanVisits(tally, scanned, 0, null),
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
