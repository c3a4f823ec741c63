/**
 * Passes over a day. Each walks the selected visits and counts visits or hits into a tally; a window limits it to a
 * part of the day. Each declares what it reads. (Every `!` reads a typed array inside its bounds.)
 */
import type { Column } from '../columns/column.ts'
import type { DayColumns } from '../days/day.ts'
import { allReads, columnsRead, type Reads } from '../days/reads.ts'
import type { TimeWindow } from '../days/spans.ts'
import { hitsCounted, type ScanCounter, visitsCounted } from '../days/tally.ts'
import { keyHits, keyHitsRead, type Property } from './key-hits.ts'
import type { Mask } from './mask.ts'
import type { Narrowing } from './narrowing.ts'
import type { PeopleTally } from './people.ts'
import type { Workspace } from './workspace.ts'
import { MINUTE_MS } from '../../values/durations.ts'

/** The part of a day to count: visits selected by a mask, and their hits in a window; null is the whole day. */
export interface Scanned {
  readonly day: DayColumns
  readonly mask: Mask
  readonly window: TimeWindow | null
  readonly workspace: Workspace
}

/** Columns that a pass reads, without its mask: of a whole day, and of a part of one. */
export interface PassReads {
  readonly whole: Reads
  readonly part: Reads
}
export const withReads = ({ whole, part }: PassReads, more: Reads): PassReads => ({
  whole: allReads([whole, more]),
  part: allReads([part, more]),
})

/** The selected visits as a list, if the mask selects few; null for all. Valid until the next call. */
export function keptBy(mask: Mask, { keptVisits }: Workspace): Uint32Array | null {
  if (mask === null) return null
  const places = keptVisits(mask.length)
  const aligned = mask.byteOffset % 4 === 0 ? mask : mask.slice()
  const fours = new Uint32Array(aligned.buffer, aligned.byteOffset, mask.length >> 2)
  let count = 0
  for (let f = 0; f < fours.length; f++) {
    if (fours[f] === 0) continue // skip four visits at once
    // Without branches: a visit that is not selected is overwritten by the next.
    for (let v = f * 4; v < f * 4 + 4; v++) {
      places[count] = v
      count += mask[v]!
    }
  }
  for (let v = fours.length * 4; v < mask.length; v++) if (mask[v] !== 0) places[count++] = v
  return places.subarray(0, count)
}

interface Timed {
  readonly hits: Pick<DayColumns['hits'], 'at' | 'event'>
}

/** For the whole day no times are read: a placeholder lies inside every window. */
export function timesIn(window: TimeWindow | null, { hits }: Timed): TimeWindow & { readonly at: ArrayLike<number> } {
  return window ? { ...window, at: hits.at } : { from: -Infinity, to: Infinity, at: hits.event }
}

/**
 * Visits, each in the group its column names; without a column all in one.
 * @param narrowing what counts of them; null for all
 */
export function scanVisits(tally: ScanCounter, scanned: Scanned, group: Column | number, narrowing: Narrowing | null): void {
  const { day, mask, window, workspace } = scanned
  if (window) return scanVisitsWithin(tally, scanned, window, group, narrowing)
  const { pageviews, revenue, purchases } = narrowing ? workspace.narrowings.visits(day, mask, narrowing) : day.visits
  const { count } = day.visits
  const some = keptBy(mask, workspace)
  if (typeof group === 'number') return tally.visits(group, some, pageviews, revenue, purchases)
  for (let i = 0, visits = some === null ? count : some.length; i < visits; i++) {
    const v = some === null ? i : some[i]!
    tally.visit(group[v]!, v, pageviews[v]!, revenue[v]!, purchases[v]!)
  }
}

/** Persons of the selected visits, each in the group its column names: as `scanVisits`, without the figures of visits. */
export function scanPersons(people: PeopleTally, { day, mask, window, workspace }: Scanned, group: Column | number): void {
  const some = keptBy(mask, workspace)
  if (window === null) return typeof group === 'number' ? people.visits(group, some) : people.visitsBy(group, some)
  const isIn = hasHitIn(day, window)
  for (let i = 0, visits = some === null ? day.visits.count : some.length; i < visits; i++) {
    const v = some === null ? i : some[i]!
    if (isIn(v)) people.visit(typeof group === 'number' ? group : group[v]!, v)
  }
}

/** Whether a visit has a hit in the window. */
function hasHitIn({ visits: { firstHit }, hits: { at } }: DayColumns, { from, to }: TimeWindow): (visit: number) => boolean {
  return v => {
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) if (at[h]! >= from && at[h]! < to) return true
    return false
  }
}

export const peopleScan = (groups: Reads): PassReads => ({
  whole: groups,
  part: allReads([groups, columnsRead('visits.firstHit', 'hits.at')]),
})

export const visitScan: PassReads = {
  whole: allReads([visitsCounted, columnsRead('visits.pageviews', 'visits.revenue', 'visits.purchases')]),
  part: allReads([visitsCounted, columnsRead('visits.firstHit', 'hits.at', 'hits.event', 'hits.revenue')]),
}

/** A visit counts when one of its hits lies in the window, and brings only those. */
function scanVisitsWithin(
  tally: ScanCounter,
  { day, mask, workspace }: Scanned,
  { from, to }: TimeWindow,
  group: Column | number,
  narrowing: Narrowing | null,
): void {
  const pages = narrowing?.pages ?? null
  const met = narrowing && workspace.narrowings.met(day, narrowing.hits)
  const there = narrowing && workspace.narrowings.met(day, narrowing.views)
  const { count, firstHit } = day.visits
  const { at, event, revenue } = day.hits
  const page = pages === null ? event : day.hits.page
  const some = keptBy(mask, workspace)
  for (let i = 0, visits = some === null ? count : some.length; i < visits; i++) {
    const v = some === null ? i : some[i]!
    let hits = 0
    let pageviews = 0
    let amount = 0
    let bought = 0
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      if (at[h]! < from || at[h]! >= to) continue
      hits++
      if (event[h] === 0 && (pages === null || pages[page[h]!] === 1) && (there === null || there[h] === 1)) pageviews++
      if (met !== null && met[h] === 0) continue
      amount += revenue[h]!
      if (revenue[h]! > 0) bought++
    }
    if (hits > 0) tally.visit(typeof group === 'number' ? group : group[v]!, v, pageviews, amount, bought)
  }
}

/** Which hits count, and in which group. */
export interface Picked {
  /** 1 for the pages, events or values that count; null for all. */
  readonly kept: Uint8Array | null
  /** 1 for the hits that count; null for all. */
  readonly met: Uint8Array | null
  /** The group of an id; null: of its own number. */
  readonly groups: Uint32Array | null
  /** 1 for the pageviews that count; null for all. */
  readonly views?: Uint8Array | null
}

/** Pageviews by their page, or events by their name. */
export function scanHits(tally: ScanCounter, { day, mask, window, workspace }: Scanned, dimension: 'page' | 'event', picked: Picked): void {
  const { kept, met, groups, views = null } = picked
  const some = keptBy(mask, workspace)
  if (window) return scanHitsWithin(tally, day, some, window, dimension, picked)
  const { count, firstHit } = day.visits
  const { event } = day.hits
  const ids = day.hits[dimension]
  const pages = dimension === 'page'
  for (let i = 0, visits = some === null ? count : some.length; i < visits; i++) {
    const v = some === null ? i : some[i]!
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      if (met !== null && met[h] === 0) continue
      const id = ids[h]!
      if (kept !== null && kept[id] !== 1) continue
      const group = groups === null ? id : groups[id]!
      if ((event[h] === 0) !== pages) {
        if (pages) tally.money(group, h)
      } else if (views === null || views[h] === 1) tally.hit(group, v, h)
    }
  }
}

const hitScan: PassReads = {
  whole: allReads([hitsCounted, columnsRead('visits.firstHit')]),
  part: allReads([hitsCounted, columnsRead('visits.firstHit', 'hits.at')]),
}
export const hitScanBy = (dimension: 'page' | 'event'): PassReads => withReads(hitScan, columnsRead(`hits.${dimension}`))

function scanHitsWithin(
  tally: ScanCounter,
  day: DayColumns,
  some: Uint32Array | null,
  { from, to }: TimeWindow,
  dimension: 'page' | 'event',
  { kept, met, groups, views = null }: Picked,
): void {
  const { count, firstHit } = day.visits
  const { at, event } = day.hits
  const ids = day.hits[dimension]
  const pages = dimension === 'page'
  for (let i = 0, visits = some === null ? count : some.length; i < visits; i++) {
    const v = some === null ? i : some[i]!
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      if (at[h]! < from || at[h]! >= to || (met !== null && met[h] === 0)) continue
      const id = ids[h]!
      if (kept !== null && kept[id] !== 1) continue
      const group = groups === null ? id : groups[id]!
      if ((event[h] === 0) !== pages) {
        if (pages) tally.money(group, h)
      } else if (views === null || views[h] === 1) tally.hit(group, v, h)
    }
  }
}

/** Counts hits with the property by value, or by the group that `groups` gives for it. */
export function scanProperty(
  tally: ScanCounter,
  { day, mask, window, workspace }: Scanned,
  property: Property,
  { kept, met, groups }: Picked,
): void {
  const found = keyHits(day, property, workspace.keyHits)
  const { places, firstHit, hitPlaces, values } = found
  const { at, from, to } = timesIn(window, found)
  tally.begin(found)
  for (let v = 0; v < places.length; v++) {
    if (mask !== null && mask[places[v]!] === 0) continue
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      if (met !== null && met[hitPlaces[h]!] === 0) continue
      const g = values[h]!
      if ((kept === null || kept[g] === 1) && at[h]! >= from && at[h]! < to) tally.hit(groups === null ? g : groups[g]!, v, h)
    }
  }
}

export const propertyScan = (property: Property): PassReads => ({
  whole: allReads([keyHitsRead(property), hitsCounted]),
  part: allReads([keyHitsRead(property), hitsCounted, columnsRead('hits.at')]),
})

/** Pageviews and events by a column of groups; those beyond the tally's groups are left out. */
export function scanPlaces(tally: ScanCounter, { day, mask, window, workspace }: Scanned, groups: Column, met: Uint8Array | null): void {
  const { count, firstHit } = day.visits
  const { at, from, to } = timesIn(window, day)
  const some = keptBy(mask, workspace)
  for (let i = 0, visits = some === null ? count : some.length; i < visits; i++) {
    const v = some === null ? i : some[i]!
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      if (at[h]! < from || at[h]! >= to || (met !== null && met[h] === 0)) continue
      tally.hit(groups[h]!, v, h)
    }
  }
}

/** Without the column of groups. */
export const placeScan: PassReads = hitScan

/** Which bits of hits count, and where. */
export interface PickedBits {
  readonly bits: Uint32Array
  /** Bit b counts in the group `first + b`. */
  readonly first: number
  /** As in `Picked`. */
  readonly met: Uint8Array | null
  /** The worth of a hit in a group; null: its revenue. */
  readonly worth: ((group: number, hit: number) => number | undefined) | null
}

/** Hits by the bits that are set for them. */
export function scanBits(tally: ScanCounter, { day, mask, window, workspace }: Scanned, { bits, first, met, worth }: PickedBits): void {
  const { count, firstHit } = day.visits
  const { at, from, to } = timesIn(window, day)
  const some = keptBy(mask, workspace)
  for (let i = 0, visits = some === null ? count : some.length; i < visits; i++) {
    const v = some === null ? i : some[i]!
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      if (bits[h] === 0 || at[h]! < from || at[h]! >= to || (met !== null && met[h] === 0)) continue
      for (let rest = bits[h]!; rest !== 0; rest = (rest & (rest - 1)) >>> 0) {
        const group = first + 31 - Math.clz32(rest & -rest)
        tally.hit(group, v, h, worth?.(group, h))
      }
    }
  }
}

/** Without the bits themselves. */
export const bitScan: PassReads = hitScan

/** A counter of single hits. */
export type HitCounter = Pick<ScanCounter, 'hit'>

/** Hits by the window they lie in. Windows are in order and apart; window i counts in the group `groups[i]`. */
export function scanWindows(
  tally: HitCounter,
  { day, mask, workspace }: Omit<Scanned, 'window'>,
  windows: readonly TimeWindow[],
  groups: readonly number[],
): void {
  const { count, firstHit } = day.visits
  const { at } = day.hits
  const starts = Float64Array.from(windows, window => window.from)
  const ends = Float64Array.from(windows, window => window.to)
  const first = firstWindows(ends, workspace.minutes(Math.ceil((day.endsAt - day.startsAt) / MINUTE_MS)))
  const some = keptBy(mask, workspace)
  for (let i = 0, visits = some === null ? count : some.length; i < visits; i++) {
    const v = some === null ? i : some[i]!
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      const time = at[h]!
      let w = first[Math.floor(time / MINUTE_MS)]!
      while (ends[w]! <= time) w++
      if (starts[w]! <= time) tally.hit(groups[w]!, v, h)
    }
  }
}

export const windowScan: Reads = hitScan.part

/** For each minute of a day, the first window that ends after its start. */
function firstWindows(ends: Float64Array, first: Uint32Array): Uint32Array {
  for (let minute = 0, w = 0; minute < first.length; minute++) {
    while (ends[w]! <= minute * MINUTE_MS) w++
    first[minute] = w
  }
  return first
}
