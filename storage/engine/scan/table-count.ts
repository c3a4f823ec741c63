/**
 * Counts the groups of a table, a day at a time: one pass for all points of time that the day touches. (Every `!` is inside
 * bounds.)
 */
import type { Column } from '../columns/column.ts'
import { idsOf } from '../columns/group-sums.ts'
import { reusedBuffer } from '../columns/buffers.ts'
import type { Day, DayBounds } from '../days/day.ts'
import { allReads, columnsRead, NO_COLUMNS, type Reads, sumsRead } from '../days/reads.ts'
import { basisRead, type BounceBasis, type Counts, Tally, type TallyBasis } from '../days/tally.ts'
import { sumsBy } from '../days/sums.ts'
import type { TimeWindow } from '../days/spans.ts'
import type { MetricName } from '../vocabulary/metrics.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { CountedSums, Sums } from '../vocabulary/sums.ts'
import { readsOfConditions, type ResolvedCondition } from './condition.ts'
import type { DayCounter } from './day-counter.ts'
import { Keys, NONE } from './keys.ts'
import { type Narrowing, readsOfHits, readsOfNarrowing, readsOfViews } from './narrowing.ts'
import type { Context } from './resolve.ts'
import { keptBy } from './scan.ts'
import { storedUnder } from './stored-sums.ts'
import { MAX_GROUPS, type TableGroups } from './table-groups.ts'
import { type PairSums, TableTally } from './table-tally.ts'
import { isHour, partsOn } from './totals.ts'
import type { completionsOf } from './viewing-visits.ts'
import { HOUR_MS, MINUTE_MS } from '../../values/durations.ts'

/** Figures that have to be counted besides visitors and visits. */
export interface Needs {
  readonly pageviews: boolean
  readonly bounces: boolean
  readonly durations: boolean
  readonly money: boolean
  readonly engagement: boolean
  /** Pageviews of whole visits, where a filter narrows them. */
  readonly wholes: boolean
  /** The results of visits: their revenue, their events and the goals that they completed. */
  readonly brought: boolean
}

/** Only visitors and visits. */
export const nothingElse: Needs = Object.freeze({
  ...{ pageviews: false, bounces: false, durations: false, money: false, engagement: false, wholes: false, brought: false },
})

export function needsOf(
  names: readonly MetricName[],
  { isOfHits }: TableGroups,
  { narrowing, isOverGoals }: { readonly narrowing: Narrowing | null; readonly isOverGoals: boolean },
): Needs {
  const has = (...some: MetricName[]) => names.some(name => some.includes(name))
  return {
    pageviews: has('pageviews', 'views_per_visit', 'exit_rate', 'conversions'),
    bounces: has('bounce_rate', 'visit_duration'),
    durations: has('visit_duration'),
    money: has('revenue', 'purchases', 'average_order', 'visit_revenue'),
    engagement: has('time_on_page'),
    wholes: has('views_per_visit') && !isOfHits && (narrowing?.pages != null || (narrowing?.views.length ?? 0) > 0),
    brought: !isOverGoals && (has('visit_revenue', 'conversions') || (has('events') && !isOfHits)),
  }
}

/** Most pairs of dimensions whose sums are kept for a day. */
const MAX_PAIRS = 8
/** Days whose pairs are added up. The first is a multiple of this. */
const DAYS_A_RUN = 32
/** Fewer days are as fast to add one by one. */
const MIN_RUN = 4

const compact: readonly MetricName[] = ['visitors', 'visits', 'pageviews', 'share']

/** Whether a `TableTally` counts all that these need. */
export const areCompact = (names: readonly MetricName[]): boolean => names.every(name => compact.includes(name))

export interface TableCount extends DayCounter {
  /** Number of points. */
  readonly points: number
  /** Whether there is one point, so that each group of values is a group. */
  readonly isSingle: boolean
  /** Number of groups, with a point each. */
  count(): number
  /** The place of the point, and the group without it. */
  partsOf(group: number): { readonly point: number; readonly values: number }
  sumsOf(group: number): CountedSums
  /** One of them. */
  figure(group: number, name: keyof Sums): number
  /** The groups that have a row, ascending. */
  rows(): number[]
  isFull(): boolean
}

export interface CountTable {
  /** In order, not overlapping; null for points without a counterpart. One if the table has no time. */
  readonly points: readonly (Span | null)[]
  readonly conditions: readonly ResolvedCondition[]
  readonly narrowing: Narrowing | null
  readonly groups: TableGroups
  /** Numbers of pairs of values and points; counts of the same table share them. */
  readonly pairs: Keys
  readonly needs: Needs
  readonly basis: BounceBasis
  /** If the results of visits are needed. */
  readonly completing: Awaited<ReturnType<typeof completionsOf>> | null
}

/** @param points of the table */
export const pairsOf = (points: number): Keys => new Keys(points === 1 ? 0 : Number.MAX_SAFE_INTEGER, MAX_GROUPS, points === 1)

export function countTable(
  { points, conditions, narrowing, groups, pairs, needs, basis, completing }: CountTable,
  { workspace }: Pick<Context, 'workspace'>,
): TableCount {
  const spans = points.flatMap(span => span ?? [])
  const places = points.flatMap((span, place) => (span ? [place] : []))
  const width = points.length
  const values = (group: number) => (width === 1 ? group : Math.floor(pairs.keyOf(group) / width))
  const tallyBasis: TallyBasis = groups.hasPage ? { pageOf: group => groups.pageOf(values(group)) } : basis
  const small = groups.isCompact ? new TableTally() : null
  const full = small === null ? new Tally(0, tallyBasis) : null
  const rows = small ?? full!
  let scratch: TableTally | null = null
  /** Sums of days of one run that are not added yet. */
  const pending: PairSums[] = []
  let runOfPending = 0
  const wholes = needs.wholes ? new Tally(0) : null
  const brought = needs.brought ? new Tally(0) : null
  const [knownAt, ofVisits] = [reusedBuffer(Uint32Array), reusedBuffer(Uint32Array)]
  const zeros: (length: number) => Column = reusedBuffer(Uint8Array) // never written to
  const tallies: readonly Pick<Tally, 'grow'>[] = [rows, ...(wholes ? [wholes] : []), ...(brought ? [brought] : [])]

  const { stored: name } = groups
  const asStored = name && { name, kept: null }
  const found = brought || !asStored ? null : storedUnder(conditions, { stored: asStored, basis: name === 'page' ? 'entered here' : basis })
  const stored = found && found.total === undefined && found.kept === null ? found : null
  const hits = narrowing?.hits ?? []
  const views = narrowing?.views ?? []
  const whole = readsOf(false)
  const part = readsOf(true)
  const both = allReads([whole, part])
  const ofStored = stored && sumsRead(stored.name)
  const ofHours = sumsRead('hour')
  const isStored = (window: TimeWindow | null, day: DayBounds) =>
    stored !== null && (window === null || (stored.name === 'totals' && isHour(window, day)))

  function readsOf(isPart: boolean): Reads {
    const visits = columnsRead(
      'visits.visitor',
      ...(needs.bounces || needs.durations ? (['visits.bounce'] as const) : []),
      ...(needs.durations ? (['visits.duration'] as const) : []),
    )
    const times = isPart ? columnsRead('hits.at') : NO_COLUMNS
    const ofHits = columnsRead('visits.firstHit', 'hits.event', 'hits.revenue', ...(needs.engagement ? (['hits.engaged'] as const) : []))
    const ofWhole = allReads([
      needs.pageviews || needs.wholes ? columnsRead('visits.pageviews') : NO_COLUMNS,
      needs.money ? columnsRead('visits.revenue', 'visits.purchases') : NO_COLUMNS,
      readsOfNarrowing(narrowing),
    ])
    return allReads([
      ...[visits, times, groups.reads, readsOfConditions(conditions), basisRead(tallyBasis)],
      ...(groups.isOfHits ? [ofHits, readsOfHits(hits), readsOfViews(views)] : isPart ? [ofHits, readsOfNarrowing(narrowing)] : [ofWhole]),
      ...(brought ? [ofHits, readsOfHits(hits), completing!.reads] : []),
    ])
  }

  /** The group of values at a point. */
  const at = (group: number, place: number) => (width === 1 ? group : pairs.of(group * width + place))
  const grow = () => {
    const max = width === 1 ? groups.count : pairs.count
    for (const tally of tallies) tally.grow(max)
  }

  function addStored({ sums }: Day, place: number, window: TimeWindow | null): void {
    const { name } = stored!
    const group = at(0, place)
    if (name === 'totals') {
      grow()
      if (window === null) full!.addSums(group, sums.totals)
      else full!.addGroup(group, sums.hour, window.from / HOUR_MS)
      return
    }
    const groups = sumsBy(sums, name)
    const to = Uint32Array.from(idsOf(groups), id => at(id, place))
    grow()
    if (pairs.isFull) return
    full!.addGroupsTo(to, groups)
  }

  function addScanned(day: Day, windows: readonly { place: number; window: TimeWindow | null }[]): void {
    const mask = workspace.masks.of(day, conditions)
    const some = mask === null ? null : keptBy(mask, workspace)!.slice()
    const met = workspace.narrowings.met(day, hits)
    const placeOf = placesIn(windows, day)
    const isWhole = windows[0]?.window === null
    const revenue = groups.isOfPages && hits.length > 0 ? workspace.narrowings.revenue(day, hits) : null
    if (small !== null) small.begin(day, revenue)
    else {
      const counts = countsOf(day)
      for (const tally of [full!, wholes, brought]) tally?.begin(counts, tally === full ? revenue : null)
    }
    if (small !== null && isWhole && width === 1 && addPairs(small, day, { mask, some })) return
    if (groups.isOfHits) addHits(day, { some, met, placeOf })
    else if (isWhole) addVisits(day, { mask, some, place: windows[0]!.place })
    else addParts(day, { some, met, placeOf })
    if (brought) addBrought(day, { some, met, placeOf })
  }

  /** Counts pairs of ids without a number for each visit or hit. @returns false if more decides what counts */
  function addPairs(
    tally: TableTally,
    day: Day,
    { mask, some }: { readonly mask: Uint8Array | null; readonly some: Uint32Array | null },
  ): boolean {
    const { pair } = groups
    if (pair === null || (groups.isOfHits && (!groups.isOfPages || hits.length > 0 || views.length > 0))) return false
    const [first, second] = [pair.first.idsOn(day, workspace.keyHits), pair.second.idsOn(day, workspace.keyHits)]
    if (typeof first === 'number' || typeof second === 'number') return false
    grow()
    const { size } = pair
    if (groups.isOfPages) {
      const [page, of] = pair.first.isPage ? [first, second] : [second, first]
      tally.pagePairs({ page, of, isPageFirst: pair.first.isPage, size }, { firstHit: day.visits.firstHit, some })
    } else {
      const counted = narrowing ? workspace.narrowings.visits(day, mask, narrowing) : day.visits
      const pageviews = needs.pageviews ? counted.pageviews : zeros(day.visits.count)
      const [one, other] = [pair.first.stored, pair.second.stored]
      const areStored = one !== null && other !== null && one !== 'site' && other !== 'site'
      const isKept = areStored && some === null && narrowing === null && groups.count <= day.visits.count
      if (!isKept) tally.visitPairs({ first, second, size }, some, pageviews)
      else addToRun(day, keptPairs(day, `${one} ${other}`, { first, second, size, pageviews }))
    }
    return true
  }

  /** Sums of adjacent days are added up once, and kept. */
  function addToRun(day: Day, sums: PairSums): void {
    const run = Math.floor(day.day / DAYS_A_RUN)
    if (run !== runOfPending) flush()
    runOfPending = run
    pending.push(sums)
  }

  function flush(): void {
    const [first] = pending
    if (!first) return
    const { size } = groups.pair!
    const before = workspace.pairRuns.get(first)
    const isSame = before?.parts.length === pending.length && before.parts.every((part, i) => part === pending[i])
    let sums = isSame ? before.sums : null
    if (sums === null && pending.length >= MIN_RUN) {
      const adding = scratchOf()
      for (const part of pending) adding.addPairs(part, size)
      sums = adding.takePairs(
        size,
        pending.every(({ pageviews }) => pageviews !== null),
      )
      workspace.pairRuns.set(first, { parts: [...pending], sums })
    }
    for (const part of sums === null ? pending : [sums]) small!.addPairs(part, size)
    pending.length = 0
  }

  function scratchOf(): TableTally {
    scratch ??= new TableTally()
    scratch.grow(groups.count)
    return scratch
  }

  /** The sums of all visits of a day, counted once while the day is in memory. */
  function keptPairs(
    day: Day,
    names: string,
    { pageviews, ...pairs }: { readonly first: Column; readonly second: Column; readonly size: number; readonly pageviews: Column },
  ): PairSums {
    let ofDay = workspace.pairSums.get(day)
    if (!ofDay) workspace.pairSums.set(day, (ofDay = new Map()))
    const before = ofDay.get(names)
    if (before && (before.pageviews !== null || !needs.pageviews)) return before
    const counting = scratchOf()
    counting.begin(day)
    counting.visitPairs(pairs, null, pageviews)
    const found = counting.takePairs(pairs.size, needs.pageviews)
    if (ofDay.size >= MAX_PAIRS) ofDay.clear()
    ofDay.set(names, found)
    return found
  }

  /** Columns that are not needed are not read: they are zeros. */
  function countsOf({ visits, hits }: Day): Counts {
    return {
      visits: {
        count: visits.count,
        visitors: visits.visitors,
        visitor: visits.visitor,
        bounce: needs.bounces || needs.durations ? visits.bounce : zeros(visits.count),
        duration: needs.durations ? visits.duration : zeros(visits.count),
        get entry_page() {
          return visits.entry_page
        },
        get exit_page() {
          return visits.exit_page
        },
        get person() {
          return visits.person
        },
      },
      hits: {
        get event() {
          return hits.event
        },
        get revenue() {
          return hits.revenue
        },
        get engaged() {
          return needs.engagement ? hits.engaged : zeros(hits.count)
        },
      },
    }
  }

  interface Selected {
    readonly some: Uint32Array | null
    readonly met: Uint8Array | null
    /** The place of the point in which a hit lies; `NONE` outside of all. */
    readonly placeOf: (hit: number) => number
  }

  function addHits(day: Day, { some, met, placeOf }: Selected): void {
    const { event } = day.hits
    const ofPages = groups.isOfPages
    const there = ofPages ? workspace.narrowings.met(day, views) : null
    groups.eachHit(day, { some, met: ofPages ? null : met, cache: workspace.keyHits }, (v, h, group, worth) => {
      const place = placeOf(h)
      if (place === NONE) return
      const to = at(group, place)
      if (to === NONE) return
      if (to >= rows.groups) grow()
      if (ofPages && event[h] !== 0) rows.money(to, h)
      else if (there === null || there[h] === 1) rows.hit(to, v, h, worth)
    })
  }

  function addVisits(day: Day, { mask, some, place }: { mask: Uint8Array | null; some: Uint32Array | null; place: number }): void {
    const { visits } = day
    const counted = narrowing ? workspace.narrowings.visits(day, mask, narrowing) : visits
    const pageviews = needs.pageviews ? counted.pageviews : zeros(visits.count)
    const [revenue, purchases] = needs.money ? [counted.revenue, counted.purchases] : [zeros(visits.count), zeros(visits.count)]
    const ids = groups.ofVisits(day, some, workspace.keyHits)
    grow()
    if (typeof ids === 'number') {
      const to = at(ids, place)
      grow()
      rows.visits(to, some, pageviews, revenue, purchases)
      wholes?.visits(to, some, visits.pageviews, zeros(visits.count), zeros(visits.count))
      return
    }
    const to = width === 1 ? ids : atPlace(ids, some, place)
    grow()
    rows.visitsBy(to, some, {
      pageviews: needs.pageviews ? pageviews : null,
      revenue: needs.money ? revenue : null,
      purchases: needs.money ? purchases : null,
      hasBounces: needs.bounces || needs.durations,
    })
    wholes?.visitsBy(to, some, { pageviews: visits.pageviews, revenue: null, purchases: null, hasBounces: false })
  }

  /** The group of each visit at a point: each group is looked up once a day. */
  function atPlace(ids: Column, some: Uint32Array | null, place: number): Column {
    const known = knownAt(groups.count).fill(NONE)
    const into = ofVisits(ids.length)
    for (let i = 0, all = some === null ? ids.length : some.length; i < all; i++) {
      const v = some === null ? i : some[i]!
      const id = ids[v]!
      if (id === NONE) into[v] = NONE
      else {
        if (known[id] === NONE) known[id] = at(id, place)
        into[v] = known[id]!
      }
    }
    return into
  }

  /** A visit counts at each point in which one of its hits lies, and brings only those. */
  function addParts(day: Day, { some, met, placeOf }: Selected): void {
    const { firstHit, count } = day.visits
    const { event, revenue } = day.hits
    const pages = narrowing?.pages ?? null
    const page = pages === null ? event : day.hits.page
    const there = workspace.narrowings.met(day, views)
    const ids = groups.ofVisits(day, some, workspace.keyHits)
    for (let i = 0, all = some === null ? count : some.length; i < all; i++) {
      const v = some === null ? i : some[i]!
      const group = typeof ids === 'number' ? ids : ids[v]!
      if (group === NONE) continue
      for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
        const place = placeOf(h)
        if (place === NONE) continue
        const to = at(group, place)
        if (to === NONE) continue
        if (to >= rows.groups) grow()
        const isView = event[h] === 0
        const amount = met === null || met[h] === 1 ? revenue[h]! : 0
        rows.part(to, v, isView && (pages === null || pages[page[h]!] === 1) && (there === null || there[h] === 1) ? 1 : 0, amount)
        wholes?.part(to, v, isView ? 1 : 0, 0)
      }
    }
  }

  function addBrought(day: Day, { some, met, placeOf }: Selected): void {
    const { firstHit, count } = day.visits
    const { event, revenue } = day.hits
    const completed = completing!.of(day, workspace.narrowings.met(day, completing!.hits))
    let [visit, point, amount, completions, events] = [-1, NONE, 0, 0, 0]
    const add = (v: number, h: number, group: number) => {
      const place = placeOf(h)
      if (place === NONE) return
      const to = at(group, place)
      if (to === NONE) return
      if (to >= brought!.groups) grow()
      if (v !== visit || place !== point) {
        visit = v
        point = place
        amount = 0
        completions = 0
        events = 0
        for (let one = firstHit[v]!, end = firstHit[v + 1]!; one < end; one++) {
          if (placeOf(one) !== place) continue
          completions += completed[one]!
          if (met !== null && met[one] === 0) continue
          amount += revenue[one]!
          if (event[one] !== 0) events++
        }
      }
      brought!.brought(to, v, amount, completions, events)
    }
    if (groups.isOfHits) {
      const ofPages = groups.isOfPages
      const there = ofPages ? workspace.narrowings.met(day, views) : null
      groups.eachHit(day, { some, met: ofPages ? null : met, cache: workspace.keyHits }, (v, h, group) => {
        if (!ofPages || (event[h] === 0 && (there === null || there[h] === 1))) add(v, h, group)
      })
      return
    }
    const ids = groups.ofVisits(day, some, workspace.keyHits)
    for (let i = 0, all = some === null ? count : some.length; i < all; i++) {
      const v = some === null ? i : some[i]!
      const group = typeof ids === 'number' ? ids : ids[v]!
      if (group !== NONE) for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) add(v, h, group)
    }
  }

  const isFull = () => groups.isFull || pairs.isFull
  let known: number[] | null = null
  const counted = () => {
    flush()
    return rows
  }
  const groupsFound = () => (known ??= counted().rows())
  return {
    points: width,
    isSingle: width === 1,
    reads(day) {
      if (isFull()) return null
      const parts = partsOn(spans, day)
      if (parts.length === 0) return null
      if (ofStored && parts.every(({ window }) => isStored(window, day)))
        return parts.every(({ window }) => window === null) ? ofStored : allReads([ofStored, ofHours])
      const wholes = parts.filter(({ window }) => window === null).length
      return wholes === parts.length ? whole : wholes === 0 ? part : both
    },
    scans: stored === null,
    add(day) {
      const windows = partsOn(spans, day).map(({ group, window }) => ({ place: places[group]!, window }))
      if (windows.length > 0 && windows.every(({ window }) => isStored(window, day)))
        for (const { place, window } of windows) addStored(day, place, window)
      else {
        // A day of other boundaries may be one point as a whole, and have parts at others.
        for (const one of windows) if (one.window === null) addScanned(day, [one])
        const cut = windows.filter(({ window }) => window !== null)
        if (cut.length > 0) addScanned(day, cut)
      }
    },
    count: () => (width === 1 ? groups.count : pairs.count),
    partsOf: group => (width === 1 ? { point: 0, values: group } : { point: pairs.keyOf(group) % width, values: values(group) }),
    sumsOf: group => ({
      ...counted().of(group),
      ...(wholes && { viewsOfVisits: wholes.figure(group, 'pageviews') }),
      ...(brought && { visitRevenue: brought.figure(group, 'revenue'), completions: brought.figure(group, 'events') }),
      ...(brought && !groups.isOfHits && { events: brought.figure(group, 'pageviews') }),
    }),
    figure: (group, name) => counted().figure(group, name),
    rows: groupsFound,
    isFull: () => isFull() || (groups.isCompact && groupsFound().length > MAX_GROUPS),
  }
}

/** The place of the point in which each hit lies. Windows are in order and apart. */
function placesIn(windows: readonly { place: number; window: TimeWindow | null }[], day: Day): (hit: number) => number {
  const [first] = windows
  if (!first || first.window === null) return () => first?.place ?? NONE
  const { at } = day.hits
  const starts = Float64Array.from(windows, ({ window }) => window?.from ?? 0)
  const ends = Float64Array.from(windows, ({ window }) => window?.to ?? 0)
  const places = windows.map(({ place }) => place)
  const ofMinute = new Uint32Array(Math.ceil((day.endsAt - day.startsAt) / MINUTE_MS) + 1)
  for (let minute = 0, w = 0; minute < ofMinute.length; minute++) {
    while (w < ends.length && ends[w]! <= minute * MINUTE_MS) w++
    ofMinute[minute] = w
  }
  return hit => {
    const time = at[hit]!
    let w = ofMinute[Math.floor(time / MINUTE_MS)]!
    while (w < ends.length && ends[w]! <= time) w++
    return w < ends.length && starts[w]! <= time ? places[w]! : NONE
  }
}
