/**
 * Passes over a day. Each walks the selected visits and counts visits or hits into a tally; a window limits it to a
 * part of the day. Each declares what it reads. (Every `!` reads a typed array inside its bounds.)
 */
import type { Column } from '../columns/column.ts'
import type { DayColumns } from '../days/day.ts'
import { allReads, columnsRead, type Reads } from '../days/reads.ts'
import type { TimeWindow } from '../days/spans.ts'
import { hitsCounted, type Tally, visitsCounted } from '../days/tally.ts'
import { keyHits, keyHitsRead } from './key-hits.ts'
import type { Mask } from './mask.ts'
import type { Workspace } from './workspace.ts'

/** What to count of a day: visits selected by a mask, and their hits in a window; null is the whole day. */
export interface Scanned {
  readonly day: DayColumns
  readonly mask: Mask
  readonly window: TimeWindow | null
  readonly workspace: Workspace
}

/** What a pass reads, without its mask: of a whole day, and of a part of one. */
export interface PassReads {
  readonly whole: Reads
  readonly part: Reads
}
export const withReads = ({ whole, part }: PassReads, more: Reads): PassReads => ({
  whole: allReads([whole, more]),
  part: allReads([part, more]),
})

/** The selected visits as a list, if the mask selects few; null for all. Valid until the next call. */
function keptBy(mask: Mask, { keptVisits }: Workspace): Uint32Array | null {
  if (mask === null) return null
  const places = keptVisits(mask.length)
  const aligned = mask.byteOffset % 4 === 0 ? mask : mask.slice()
  const fours = new Uint32Array(aligned.buffer, aligned.byteOffset, mask.length >> 2)
  let count = 0
  for (let f = 0; f < fours.length; f++) {
    if (fours[f] === 0) continue // skip four visits at once
    for (let v = f * 4; v < f * 4 + 4; v++) if (mask[v] !== 0) places[count++] = v
  }
  for (let v = fours.length * 4; v < mask.length; v++) if (mask[v] !== 0) places[count++] = v
  return places.subarray(0, count)
}

interface Timed {
  readonly hits: Pick<DayColumns['hits'], 'at' | 'event'>
}

/** For the whole day no times are read: a placeholder lies inside every window. */
function timesIn(window: TimeWindow | null, { hits }: Timed): TimeWindow & { readonly at: ArrayLike<number> } {
  return window ? { ...window, at: hits.at } : { from: -Infinity, to: Infinity, at: hits.event }
}

/** Counts visits in the groups of a column; without a column all in one. */
export function scanVisits(tally: Tally, { day, mask, window, workspace }: Scanned, group: Column | number): void {
  const some = keptBy(mask, workspace)
  if (window) return scanVisitsWithin(tally, day, some, window, group)
  const { count, pageviews, revenue, purchases } = day.visits
  for (let i = 0, visits = some === null ? count : some.length; i < visits; i++) {
    const v = some === null ? i : some[i]!
    tally.visit(typeof group === 'number' ? group : group[v]!, v, pageviews[v]!, revenue[v]!, purchases[v]!)
  }
}

export const visitScan: PassReads = {
  whole: allReads([visitsCounted, columnsRead('visits.pageviews', 'visits.revenue', 'visits.purchases')]),
  part: allReads([visitsCounted, columnsRead('visits.firstHit', 'hits.at', 'hits.event', 'hits.revenue')]),
}

/** Counts a visit if one of its hits lies in the window, and only those hits. */
function scanVisitsWithin(tally: Tally, day: DayColumns, some: Uint32Array | null, { from, to }: TimeWindow, group: Column | number): void {
  const { count, firstHit } = day.visits
  const { at, event, revenue } = day.hits
  for (let i = 0, visits = some === null ? count : some.length; i < visits; i++) {
    const v = some === null ? i : some[i]!
    let hits = 0
    let pageviews = 0
    let amount = 0
    let bought = 0
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      if (at[h]! < from || at[h]! >= to) continue
      hits++
      if (event[h] === 0) pageviews++
      amount += revenue[h]!
      if (revenue[h]! > 0) bought++
    }
    if (hits > 0) tally.visit(typeof group === 'number' ? group : group[v]!, v, pageviews, amount, bought)
  }
}

/**
 * Counts pageviews by page, or events by name; if `kept` is given, only ids with a 1 in it. The group is the id, or
 * `groups[id]`.
 */
export function scanHits(
  tally: Tally,
  { day, mask, window, workspace }: Scanned,
  dimension: 'page' | 'event',
  kept: Uint8Array | null,
  groups: Uint32Array | null = null,
): void {
  const some = keptBy(mask, workspace)
  if (window) return scanHitsWithin(tally, day, some, window, dimension, kept, groups)
  const { count, firstHit } = day.visits
  const { event } = day.hits
  const ids = day.hits[dimension]
  const pages = dimension === 'page'
  for (let i = 0, visits = some === null ? count : some.length; i < visits; i++) {
    const v = some === null ? i : some[i]!
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      if ((event[h] === 0) !== pages) continue
      const id = ids[h]!
      if (kept === null || kept[id] === 1) tally.hit(groups === null ? id : groups[id]!, v, h)
    }
  }
}

const hitScan: PassReads = {
  whole: allReads([hitsCounted, columnsRead('visits.firstHit')]),
  part: allReads([hitsCounted, columnsRead('visits.firstHit', 'hits.at')]),
}
export const hitScanBy = (dimension: 'page' | 'event'): PassReads => withReads(hitScan, columnsRead(`hits.${dimension}`))

function scanHitsWithin(
  tally: Tally,
  day: DayColumns,
  some: Uint32Array | null,
  { from, to }: TimeWindow,
  dimension: 'page' | 'event',
  kept: Uint8Array | null,
  groups: Uint32Array | null,
): void {
  const { count, firstHit } = day.visits
  const { at, event } = day.hits
  const ids = day.hits[dimension]
  const pages = dimension === 'page'
  for (let i = 0, visits = some === null ? count : some.length; i < visits; i++) {
    const v = some === null ? i : some[i]!
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      if ((event[h] === 0) !== pages || at[h]! < from || at[h]! >= to) continue
      const id = ids[h]!
      if (kept === null || kept[id] === 1) tally.hit(groups === null ? id : groups[id]!, v, h)
    }
  }
}

/** Counts hits with the property by value, or by the group that `groups` gives for it. */
export function scanProperty(
  tally: Tally,
  { day, mask, window, workspace }: Scanned,
  key: number,
  kept: Uint8Array | null,
  groups: Uint32Array | null = null,
): void {
  const found = keyHits(day, key, workspace.keyHits)
  const { places, firstHit, values } = found
  const { at, from, to } = timesIn(window, found)
  tally.begin(found)
  for (let v = 0; v < places.length; v++) {
    if (mask !== null && mask[places[v]!] === 0) continue
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      const g = values[h]!
      if ((kept === null || kept[g] === 1) && at[h]! >= from && at[h]! < to) tally.hit(groups === null ? g : groups[g]!, v, h)
    }
  }
}

export const propertyScan: PassReads = {
  whole: allReads([keyHitsRead, hitsCounted]),
  part: allReads([keyHitsRead, hitsCounted, columnsRead('hits.at')]),
}

/** Counts hits by their bits: bit b in the group `first + b`. */
export function scanBits(tally: Tally, { day, mask, window, workspace }: Scanned, bits: Uint32Array, first: number): void {
  const { count, firstHit } = day.visits
  const { at, from, to } = timesIn(window, day)
  const some = keptBy(mask, workspace)
  for (let i = 0, visits = some === null ? count : some.length; i < visits; i++) {
    const v = some === null ? i : some[i]!
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      if (bits[h] === 0 || at[h]! < from || at[h]! >= to) continue
      for (let rest = bits[h]!; rest !== 0; rest = (rest & (rest - 1)) >>> 0) {
        tally.hit(first + 31 - Math.clz32(rest & -rest), v, h)
      }
    }
  }
}

/** Without the bits themselves. */
export const bitScan: PassReads = hitScan

const MINUTE_MS = 60_000

/** Counts hits by window. Windows are in order without overlaps; window i counts in the group `groups[i]`. */
export function scanWindows(
  tally: Tally,
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
