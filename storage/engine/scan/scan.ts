/**
 * The passes over a day. Each walks the visits a mask keeps and counts into a tally, a visit or hit at a time; a
 * window narrows it to the hits of a part of the day. (Every `!` reads a typed array inside its bounds.)
 */
import type { Column, DayColumns } from '../days/day.ts'
import { partOfKey } from './key-hits.ts'
import { roomOf } from '../columns/buffers.ts'
import type { Tally } from '../days/tally.ts'

/** 1 for every visit that is kept; null keeps all. */
export type Mask = Uint8Array | null

/** The visits that the scan at hand keeps; scans run one after the other, so that one list does for all. */
const room = roomOf(Uint32Array)

/**
 * Where a mask keeps few visits, to walk this list is to skip the rest; null for all of them. It is good until the next
 * call.
 */
function keptBy(mask: Mask): Uint32Array | null {
  if (mask === null) return null
  const places = room(mask.length)
  const aligned = mask.byteOffset % 4 === 0 ? mask : mask.slice()
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, mask.length >> 2)
  let count = 0
  for (let w = 0; w < words.length; w++) {
    if (words[w] === 0) continue // four visits that are not kept
    for (let v = w * 4; v < w * 4 + 4; v++) if (mask[v] !== 0) places[count++] = v
  }
  for (let v = words.length * 4; v < mask.length; v++) if (mask[v] !== 0) places[count++] = v
  return places.subarray(0, count)
}

/** Ms since the day began, `to` exclusive; null is the whole day. */
export interface Window {
  readonly from: number
  readonly to: number
}

interface Timed {
  readonly hits: Pick<DayColumns['hits'], 'at' | 'event'>
}

/** Over the whole day no times are looked at: what stands in their place is inside every window. */
function timesIn(window: Window | null, { hits }: Timed): Window & { readonly at: ArrayLike<number> } {
  return window ? { ...window, at: hits.at } : { from: -Infinity, to: Infinity, at: hits.event }
}

/** Visits, each in the group its column names; without a column all in one. */
export function scanVisits(tally: Tally, day: DayColumns, mask: Mask, window: Window | null, group: Column | number): void {
  if (window) return scanVisitsWithin(tally, day, mask, window, group)
  const { count, pageviews, revenue } = day.visits
  const some = keptBy(mask)
  for (let i = 0, visits = some === null ? count : some.length; i < visits; i++) {
    const v = some === null ? i : some[i]!
    tally.visit(typeof group === 'number' ? group : group[v]!, v, pageviews[v]!, revenue[v]!)
  }
}

/** A visit counts when one of its hits lies in the window, and brings only those. */
function scanVisitsWithin(tally: Tally, day: DayColumns, mask: Mask, { from, to }: Window, group: Column | number): void {
  const { count, firstHit } = day.visits
  const { at, event, revenue } = day.hits
  const some = keptBy(mask)
  for (let i = 0, visits = some === null ? count : some.length; i < visits; i++) {
    const v = some === null ? i : some[i]!
    let hits = 0
    let pageviews = 0
    let amount = 0
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      if (at[h]! < from || at[h]! >= to) continue
      hits++
      if (event[h] === 0) pageviews++
      amount += revenue[h]!
    }
    if (hits > 0) tally.visit(typeof group === 'number' ? group : group[v]!, v, pageviews, amount)
  }
}

/**
 * Pageviews by their page, or events by their name; only those `kept` has a 1 for, where it is given. An id counts in
 * the group of its own number, or in the one `groups` says.
 */
export function scanHits(
  tally: Tally, day: DayColumns, mask: Mask, window: Window | null, dimension: 'page' | 'event', kept: Uint8Array | null,
  groups: Uint32Array | null = null,
): void {
  if (window) return scanHitsWithin(tally, day, mask, window, dimension, kept, groups)
  const { count, firstHit } = day.visits
  const { event } = day.hits
  const ids = day.hits[dimension]
  const pages = dimension === 'page'
  const some = keptBy(mask)
  for (let i = 0, visits = some === null ? count : some.length; i < visits; i++) {
    const v = some === null ? i : some[i]!
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      if ((event[h] === 0) !== pages) continue
      const id = ids[h]!
      if (kept === null || kept[id] === 1) tally.hit(groups === null ? id : groups[id]!, v, h)
    }
  }
}

function scanHitsWithin(
  tally: Tally, day: DayColumns, mask: Mask, { from, to }: Window, dimension: 'page' | 'event', kept: Uint8Array | null,
  groups: Uint32Array | null,
): void {
  const { count, firstHit } = day.visits
  const { at, event } = day.hits
  const ids = day.hits[dimension]
  const pages = dimension === 'page'
  const some = keptBy(mask)
  for (let i = 0, visits = some === null ? count : some.length; i < visits; i++) {
    const v = some === null ? i : some[i]!
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      if ((event[h] === 0) !== pages || at[h]! < from || at[h]! >= to) continue
      const id = ids[h]!
      if (kept === null || kept[id] === 1) tally.hit(groups === null ? id : groups[id]!, v, h)
    }
  }
}

/** Hits that carry the property, by its value. */
export function scanProperty(
  tally: Tally, day: DayColumns, mask: Mask, window: Window | null, key: number, kept: Uint8Array | null,
): void {
  const part = partOfKey(day, key)
  const { places, firstHit, values } = part
  const { at, from, to } = timesIn(window, part)
  tally.begin(part)
  for (let v = 0; v < places.length; v++) {
    if (mask !== null && mask[places[v]!] === 0) continue
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      const g = values[h]!
      if ((kept === null || kept[g] === 1) && at[h]! >= from && at[h]! < to) tally.hit(g, v, h)
    }
  }
}

/** Hits by the bits that are set for them: bit b counts in the group `first + b`. */
export function scanBits(
  tally: Tally, day: DayColumns, mask: Mask, window: Window | null, bits: Uint32Array, first: number,
): void {
  const { count, firstHit } = day.visits
  const { at, from, to } = timesIn(window, day)
  const some = keptBy(mask)
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

const MINUTE_MS = 60_000

/** Hits by the window they lie in. Windows are in order and apart; window i counts in the group `groups[i]`. */
export function scanWindows(
  tally: Tally, day: DayColumns, mask: Mask, windows: readonly Window[], groups: readonly number[],
): void {
  const { count, firstHit } = day.visits
  const { at } = day.hits
  const starts = Float64Array.from(windows, window => window.from)
  const ends = Float64Array.from(windows, window => window.to)
  const first = firstWindows(ends, day.endsAt - day.startsAt)
  const some = keptBy(mask)
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

const minutes = roomOf(Uint32Array)

/** For each minute of a day the first window that ends after it began. */
function firstWindows(ends: Float64Array, length: number): Uint32Array {
  const first = minutes(Math.ceil(length / MINUTE_MS))
  for (let minute = 0, w = 0; minute < first.length; minute++) {
    while (ends[w]! <= minute * MINUTE_MS) w++
    first[minute] = w
  }
  return first
}
