/** Counts the values of a dimension over one span, a day at a time. (Every `!` is inside bounds.) */
import { reusedBuffer } from '../columns/buffers.ts'
import type { Column } from '../columns/column.ts'
import type { Day } from '../days/day.ts'
import { allReads, columnsRead, NO_COLUMNS, type Reads, sumsRead } from '../days/reads.ts'
import type { Elsewhere, RemoteScan, RemoteSums } from '../days/remote-scan.ts'
import { windowOn } from '../days/spans.ts'
import { basisRead, type BounceBasis, type ScanCounter, Tally } from '../days/tally.ts'
import type { Texts } from '../days/texts.ts'
import type { Derived } from '../vocabulary/derived.ts'
import type { Dimension } from '../vocabulary/dimensions.ts'
import type { Goal, Span } from '../vocabulary/scope.ts'
import { hasRow } from '../vocabulary/sums.ts'
import { type HitTest, isOnHit, readsOfConditions, type ResolvedCondition } from './condition.ts'
import { type DayCounter, readsNothing, readsOver } from './day-counter.ts'
import { figureOf, type Known } from './figures.ts'
import { bitsOfHits, GOALS_AT_ONCE, readsOfGoals, setsOfGoals } from './goals.ts'
import { worthsOf } from './worths.ts'
import type { Mask } from './mask.ts'
import { bothOf, type Narrowing, readsOfHits, readsOfNarrowing, readsOfViews } from './narrowing.ts'
import { isPlace, type Places, placesOf } from './places.ts'
import { pagesScan, sumsIn, totalsScan, valuesScan } from './remote.ts'
import { PeopleTally, personsRead } from './people.ts'
import { type Context, propertyOf, textsFor } from './resolve.ts'
import {
  bitScan,
  hitScanBy,
  type PassReads,
  placeScan,
  propertyScan,
  scanBits,
  peopleScan,
  scanHits,
  scanPersons,
  scanPlaces,
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
  /** Columns that `scan` reads. */
  readonly reads: PassReads
  scan(tally: ScanCounter, scanned: Scanned & { readonly day: Day }): void
  /** Columns that `scanPeople` reads, if it reads less than `scan`. */
  readonly people?: PassReads
  /** Counts persons only, for which less is read. */
  scanPeople?(people: PeopleTally, scanned: Scanned & { readonly day: Day }): void
  /** A whole day as SQL of a cluster, by group, or by day if there is one group. Missing or null if there is no SQL for it. */
  remote?(conditions: readonly ResolvedCondition[], reads: Reads): RemoteScan | null
}

export interface GroupingOptions {
  /** Which parts of selected visits count; null for all. */
  readonly narrowing: Narrowing | null
  /** For events, 1 at the ids that count; without it all do. */
  readonly found?: Uint8Array
  readonly goals: readonly Goal[]
  readonly basis: BounceBasis
  readonly texts: Texts
  /** For the numbers of visits. */
  readonly known: Known
}

export async function groupingOf(dimension: Dimension, options: GroupingOptions): Promise<Grouping> {
  const { narrowing, basis, texts } = options
  const { level, column } = dimension
  if (level === 'goal') return byGoal(options)
  if (level === 'event') return byEvent(options)
  if (isPlace(dimension.name)) return byPlace(await placesOf(dimension.name, texts), options)
  const property = await propertyOf(dimension, texts)
  const names = await textsFor(dimension, property.key, texts)
  const groups = { count: names.length, basis, name: (group: number) => names[group] ?? '' }
  if (level === 'property') {
    const { kept, rest } = ownOf(narrowing, one => one.on === 'property' && one.property.key === property.key)
    return {
      ...groups,
      stored: null,
      reads: withReads(propertyScan(property), readsOfConditions(rest)),
      scan: (tally, scanned) => scanProperty(tally, scanned, property, { kept, met: metOf(scanned, rest), groups: null }),
    }
  }
  if (level === 'page') {
    const { pages: kept, views, hits } = narrowing ?? { pages: null, views: [], hits: [] }
    return {
      ...groups,
      basis: 'entered here',
      stored: kept === null ? { name: 'page', kept } : null,
      reads: withReads(hitScanBy('page'), allReads([readsOfHits(hits), readsOfViews(views)])),
      scan(tally, scanned) {
        const { day, workspace } = scanned
        if (hits.length > 0) tally.begin(day, workspace.narrowings.revenue(day, hits))
        scanHits(tally, scanned, 'page', { kept, met: null, groups: null, views: metOf(scanned, views) })
      },
      remote: (conditions, reads) => pagesScan({ conditions, narrowing, reads }),
    }
  }
  if (dimension.derived) return byDerived(dimension.derived, names, options)
  if (column === null) throw new Error(`dimension ${dimension.name} has no column`)
  return {
    ...groups,
    stored: { name: column, kept: null },
    reads: withReads(visitScan, allReads([columnsRead(`visits.${column}`), readsOfNarrowing(narrowing)])),
    scan: (tally, scanned) => scanVisits(tally, scanned, scanned.day.visits[column], narrowing),
    people: peopleScan(columnsRead(`visits.${column}`)),
    scanPeople: (people, scanned) => scanPersons(people, scanned, scanned.day.visits[column]),
    remote: (conditions, reads) => valuesScan(column, { conditions, narrowing, basis, reads }),
  }
}

/** Pageviews and events by host or address. Addresses are numbered while days are scanned, so the tally grows. */
function byPlace(places: Places, { narrowing, basis }: GroupingOptions): Grouping {
  const tests = placeTests(places, narrowing)
  return {
    count: places.count(),
    basis,
    name: places.name,
    stored: null,
    reads: withReads(placeScan, allReads([places.reads, readsOfConditions(tests)])),
    scan(tally, scanned) {
      const column = places.column(scanned.day)
      tally.grow(places.count())
      scanPlaces(tally, scanned, column, metOf(scanned, tests))
    },
  }
}

/** The tests of hits that count in rows of places: also those on the dimension itself, which otherwise may only choose visits. */
export const placeTests = (places: Places, narrowing: Narrowing | null): readonly HitTest[] => {
  const { hits = [], views = [] } = narrowing ?? {}
  const own = views.filter(({ test }) => test.of === places.of && !hits.some(one => one.on === 'place' && one.test === test))
  return own.length === 0 ? hits : [...hits, ...own]
}

/**
 * Stored sums cannot answer this: the visitors of several values together are not the sum of each value's visitors.
 * @param names by id of what the value follows from; several may be the same
 */
function byDerived(derived: Derived, names: readonly string[], { narrowing, basis, known }: GroupingOptions): Grouping {
  const different = [...new Set(names)]
  const groupOf = Uint32Array.from(names, name => different.indexOf(name))
  const buffer = reusedBuffer(Uint32Array)
  const figure = derived.of === 'figure' ? figureOf(derived.figure, known) : null
  const groups = (of: Day): Column | number => {
    const { day, visits } = of
    if (derived.of === 'day') return groupOf[derived.placeOf(day)] ?? 0
    if (derived.of === 'figure') return placesOfFigure(buffer(visits.count), figure?.of(of) ?? (() => 0), derived.placeOf)
    const column = visits[derived.of]
    const mapped = buffer(visits.count)
    for (let v = 0; v < mapped.length; v++) mapped[v] = groupOf[column[v]!]!
    return mapped
  }
  const read = figure ? figure.reads : derived.of === 'day' || derived.of === 'figure' ? NO_COLUMNS : columnsRead(`visits.${derived.of}`)
  return {
    count: different.length,
    basis,
    name: group => different[group] ?? '',
    stored: derived.of === 'figure' && derived.values === 'sites' ? { name: 'site', kept: null } : null,
    reads: withReads(visitScan, allReads([read, readsOfNarrowing(narrowing)])),
    scan: (tally, scanned) => scanVisits(tally, scanned, groups(scanned.day), narrowing),
    people: peopleScan(read),
    scanPeople: (people, scanned) => scanPersons(people, scanned, groups(scanned.day)),
  }
}

/** The place of the value that each visit's number means. */
export function placesOfFigure(into: Uint32Array, numberOf: (visit: number) => number, placeOf: (number: number) => number): Uint32Array {
  for (let v = 0; v < into.length; v++) into[v] = placeOf(numberOf(v))
  return into
}

/** The values of the dimension that count (1 each), and the other conditions that a hit must meet. */
export function ownOf(
  narrowing: Narrowing | null,
  isOwn: (one: HitTest) => boolean,
): { kept: Uint8Array | null; rest: readonly HitTest[] } {
  const hits = narrowing?.hits ?? []
  const own = hits.filter(isOnHit).filter(isOwn)
  return {
    kept: bothOf(own.flatMap(one => ('set' in one ? [one.set] : []))),
    rest: own.length === 0 ? hits : hits.filter(one => !own.some(each => each === one)),
  }
}

/** 1 for the hits that count; null for all. */
export const metOf = ({ day, workspace }: Scanned, hits: readonly HitTest[]) => workspace.narrowings.met(day, hits)

/** Events as they are shown: without hidden ones, and with events of one name together. */
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
 * The conditions a hit must meet besides completing one of the goals shown: none where the only condition asks for goals, as
 * these are the goals it asks for.
 */
export const ofGoals = (narrowing: Narrowing | null): readonly HitTest[] => {
  const hits = narrowing?.hits ?? []
  return hits.length === 1 && hits[0]?.on === 'goal' && !hits[0].negated ? [] : hits
}

async function byGoal({ narrowing, goals, basis, texts }: GroupingOptions): Promise<Grouping> {
  const rest = ofGoals(narrowing)
  const sets = await setsOfGoals(goals, texts)
  const worths = await worthsOf(goals, texts)
  return {
    count: goals.length,
    basis,
    name: group => goals[group]?.id ?? '',
    stored: null,
    reads: withReads(bitScan, allReads([...sets.map(readsOfGoals), worths.reads, readsOfConditions(rest)])),
    scan(tally, scanned) {
      const met = metOf(scanned, rest)
      const worth = worths.on(scanned.day)
      for (const [i, set] of sets.entries()) {
        scanBits(tally, scanned, { bits: bitsOfHits(set, scanned.day), first: i * GOALS_AT_ONCE, met, worth })
      }
    },
  }
}

/** Counts everything of the visits as one group. */
export const everything = (basis: BounceBasis): Grouping => ({
  count: 1,
  basis,
  name: () => '',
  stored: { name: 'totals', kept: null },
  reads: visitScan,
  scan: (tally, scanned) => scanVisits(tally, scanned, 0, null),
  people: peopleScan(NO_COLUMNS),
  scanPeople: (people, scanned) => scanPersons(people, scanned, 0),
  remote: (conditions, reads) => totalsScan({ conditions, narrowing: null, basis, reads }),
})

export interface Counting extends DayCounter {
  /** One for each grouping. */
  readonly tallies: readonly Tally[]
  /** One for each grouping, if persons are counted. */
  readonly people: readonly PeopleTally[]
}

/** Counts a span under conditions by several groupings at once. */
export function countOver(
  span: Span,
  conditions: readonly ResolvedCondition[],
  groupings: readonly Grouping[],
  { zeros, workspace, isPeopleCounted = false }: Pick<Context, 'zeros' | 'workspace'> & { readonly isPeopleCounted?: boolean | undefined },
): Counting {
  const ofMask = readsOfConditions(conditions)
  const each = groupings.map(grouping => {
    const { count, basis, reads } = grouping
    const stored = storedUnder(conditions, grouping)
    const scanned = withReads(reads, allReads([ofMask, basisRead(basis)]))
    const own = { whole: stored ? sumsRead(stored.name) : scanned.whole, part: scanned.part }
    const people = isPeopleCounted ? new PeopleTally(count) : null
    const ofPeople = withReads(grouping.people ?? scanned, allReads([ofMask, personsRead]))
    return {
      ...grouping,
      stored,
      tally: new Tally(count, basis, zeros),
      people,
      reads: people === null ? own : { whole: allReads([own.whole, ofPeople.whole]), part: allReads([own.part, ofPeople.part]) },
    }
  })
  const reads = {
    whole: allReads(each.map(one => one.reads.whole)),
    part: allReads(each.map(one => one.reads.part)),
  }
  const scanned = each.filter(one => one.stored === null)
  const summed = each.filter(one => one.stored !== null)
  /** Days that the cluster has scanned. */
  const done = new Set<number>()
  const readsOfDone = summed.length === 0 ? null : allReads(summed.map(one => one.reads.whole))
  const readsHere = each.length === 0 ? readsNothing : readsOver(span, reads)
  const elsewhere: Elsewhere = {
    scans() {
      const scans = scanned.map(one => one.remote?.(conditions, one.reads.whole) ?? null)
      return scans.includes(null) ? null : withTotal(scans.flatMap(scan => scan ?? []))
    },
    wants: day => windowOn(span, day) === null,
    add(days, found) {
      for (const [i, { tally }] of scanned.entries()) addRemoteSums(tally, found[i] ?? found[0], !found[i])
      for (const day of days.keys()) done.add(day)
    },
  }
  return {
    tallies: each.map(one => one.tally),
    people: each.flatMap(one => one.people ?? []),
    reads: day => (done.has(day.day) ? readsOfDone : readsHere(day)),
    scans: scanned.length > 0 || isPeopleCounted,
    elsewhere: scanned.length > 0 && !isPeopleCounted ? [elsewhere] : [],
    add(day) {
      const window = windowOn(span, day)
      if (window === undefined) return
      let mask: Mask | undefined
      const masked = () => (mask === undefined ? (mask = workspace.masks.of(day, conditions)) : mask)
      for (const { tally, people, stored, scan, scanPeople = scan } of done.has(day.day) ? summed : each) {
        if (stored && window === null) addStoredSums(tally, day.sums, stored)
        else {
          tally.begin(day)
          scan(tally, { day, mask: masked(), window, workspace })
        }
        if (people === null) continue
        people.begin(day)
        scanPeople(people, { day, mask: masked(), window, workspace })
      }
    },
  }
}

/** One scan for the values of a column and for all visits, where both count the same of a visit. */
function withTotal(scans: readonly RemoteScan[]): readonly RemoteScan[] {
  const [values, all] = scans
  if (scans.length !== 2 || !values || values.hits || all?.group !== 'day') return scans
  const { visitors: _, ...alike } = all.sums
  return Object.entries(alike).every(([name, of]) => values.sums[name] === of) ? [{ ...values, hasTotal: true }] : scans
}

/** @param isTotal whether only the total is wanted */
function addRemoteSums(tally: Tally, found: RemoteSums | undefined, isTotal: boolean): void {
  for (let row = 0; found && row < found.rows; row++) {
    const group = found.groups[row] ?? 0
    if ((group === -1) !== isTotal) continue
    const sums = sumsIn(found, row)
    if (hasRow(sums)) tally.addSums(isTotal || found.scan.group === 'day' ? 0 : group, sums)
  }
}
