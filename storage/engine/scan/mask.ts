/** Conditions with their texts turned into ids, and which visits of a day they keep. (Every `!` is inside bounds.) */
import type { VisitDimension } from '../../tables/index.ts'
import type { Column, Day } from '../days/day.ts'
import { visitsByEvent } from './event-visits.ts'
import { bitsOfHits, type GoalBits } from './goals.ts'
import { partOfKey } from './key-hits.ts'
import { type Room, roomOf } from '../columns/buffers.ts'
import type { Mask } from './scan.ts'

/** A `set` has a 1 at every id that passes; `negated` keeps the visits that have no such hit. */
export type Resolved =
  | { readonly on: 'visit'; readonly column: VisitDimension; readonly set: Uint8Array }
  | { readonly on: 'page' | 'event'; readonly set: Uint8Array; readonly negated: boolean }
  | { readonly on: 'property'; readonly key: number; readonly set: Uint8Array; readonly negated: boolean }
  | { readonly on: 'goal'; readonly bits: GoalBits; readonly negated: boolean }
  | { readonly on: 'any'; readonly any: readonly Resolved[] }

interface Masked {
  readonly day: Day
  readonly mask: Uint8Array
  readonly room: Room<Uint8Array>
}
/** The last mask made of each list of conditions: reports that are asked together ask for the same. */
const last = new WeakMap<readonly Resolved[], Masked>()

/** Null where there is no condition. It is shared: do not change it. It is good until one of another day is asked for. */
export function maskOf(day: Day, conditions: readonly Resolved[]): Mask {
  if (conditions.length === 0) return null
  const known = last.get(conditions)
  if (known?.day === day) return known.mask
  const room = known?.room ?? roomOf(Uint8Array)
  const mask = room(day.visits.count)
  mask.set(masked(day, conditions))
  last.set(conditions, { day, mask, room })
  return mask
}

/** Masks on their way, one room each. All are free when the next day is looked at. */
const rooms: Room<Uint8Array>[] = []
let taken = 0
const blank = (length: number): Uint8Array => (rooms[taken++] ??= roomOf(Uint8Array))(length).fill(0)

function masked(day: Day, conditions: readonly Resolved[]): Uint8Array {
  taken = 0
  // What is cheap goes first, so that the hits of fewer visits are looked at.
  const ofVisits = conditions.filter(isOnVisits)
  const others = conditions.filter(isNotOnVisits)
  const [first] = others
  const mask = ofVisits.length === 0 && first ? firstMask(day, first) : passing(day, ofVisits)
  for (const condition of ofVisits.length === 0 ? others.slice(1) : others) narrow(mask, day, condition)
  return mask
}

type OnVisits = Extract<Resolved, { on: 'visit' }>
type NotOnVisits = Exclude<Resolved, OnVisits>
const isOnVisits = (condition: Resolved): condition is OnVisits => condition.on === 'visit'
const isNotOnVisits = (condition: Resolved): condition is NotOnVisits => condition.on !== 'visit'

/** The visits that pass all of these conditions. */
function passing({ visits }: Day, [first, ...others]: readonly OnVisits[]): Uint8Array {
  const mask = blank(visits.count)
  if (!first) return mask.fill(1)
  const column = visits[first.column]
  if (others.length === 0) mark(mask, column, first.set)
  else {
    const left = places(visits.count)
    let count = pass(left, column, first.set)
    for (const one of others) count = stillPass(left, count, visits[one.column], one.set)
    for (let i = 0; i < count; i++) mask[left[i]!] = 1
  }
  return mask
}

function firstMask(day: Day, condition: NotOnVisits): Uint8Array {
  if (condition.on !== 'any' && !condition.negated) return visitsWith(null, day, condition)
  const mask = blank(day.visits.count).fill(1)
  narrow(mask, day, condition)
  return mask
}

function mark(mask: Uint8Array, column: Column, set: Uint8Array): void {
  for (let v = 0; v < mask.length; v++) mask[v] = set[column[v]!]!
}

/** The visits that passed so far: every further condition looks at fewer. Masks are made one after the other. */
const places = roomOf(Uint32Array)

// No branches: a visit that does not pass is written over by the next one.
function pass(left: Uint32Array, column: Column, set: Uint8Array): number {
  let count = 0
  for (let v = 0; v < column.length; v++) {
    left[count] = v
    count += set[column[v]!]!
  }
  return count
}
function stillPass(left: Uint32Array, before: number, column: Column, set: Uint8Array): number {
  let count = 0
  for (let i = 0; i < before; i++) {
    const v = left[i]!
    left[count] = v
    count += set[column[v]!]!
  }
  return count
}

/** Takes the visits out of the mask that the condition does not keep. */
function narrow(mask: Uint8Array, day: Day, condition: Resolved): void {
  if (condition.on === 'visit') {
    narrowTo(mask, day.visits[condition.column], condition.set)
  } else if (condition.on === 'any') {
    const union = blank(mask.length)
    const kept = blank(mask.length)
    const free = taken
    for (const one of condition.any) {
      kept.set(mask)
      narrow(kept, day, one)
      taken = free
      for (let v = 0; v < mask.length; v++) union[v]! |= kept[v]!
    }
    mask.set(union)
  } else {
    const found = visitsWith(mask, day, condition)
    const wanted = condition.negated ? 0 : 1
    for (let v = 0; v < mask.length; v++) if (found[v] !== wanted) mask[v] = 0
  }
}

function narrowTo(mask: Uint8Array, column: Column, set: Uint8Array): void {
  for (let v = 0; v < mask.length; v++) mask[v]! &= set[column[v]!]!
}

type OnHits = Exclude<Resolved, { on: 'visit' | 'any' }>

/** 1 for the visits with such a hit, among those of the mask at least. */
function visitsWith(mask: Mask, day: Day, test: OnHits): Uint8Array {
  const { firstHit } = day.visits
  if (test.on === 'property') return withProperty(day, test.key, test.set)
  if (test.on === 'goal') return withBits(firstHit, bitsOfHits(test.bits, day))
  if (test.on === 'page') return withPage(mask, firstHit, day.hits.event, day.hits.page, test.set)
  return withEvent(day, ofEvents(test.set))
}

function withPage(mask: Mask, firstHit: Column, event: Column, page: Column, set: Uint8Array): Uint8Array {
  const found = blank(firstHit.length - 1)
  if (mask === null) {
    for (let h = 0, v = 0; h < page.length; h++) {
      if (set[page[h]!] !== 1 || event[h] !== 0) continue
      while (firstHit[v + 1]! <= h) v++
      found[v] = 1
      h = firstHit[v + 1]! - 1 // one is enough
    }
    return found
  }
  for (let v = 0; v < mask.length; v++) {
    if (mask[v] === 0) continue
    const end = firstHit[v + 1]!
    let h = firstHit[v]!
    while (h < end && (set[page[h]!] !== 1 || event[h] !== 0)) h++
    if (h < end) found[v] = 1
  }
  return found
}

/** To walk all hits is quicker than to stop at every visit. The set has no 1 at 0. */
function withEvent(day: Day, set: Uint8Array): Uint8Array {
  const { count, firstHit } = day.visits
  const { event } = day.hits
  const found = blank(count)
  const known = visitsByEvent(day)
  if (known === null) {
    for (let h = 0, v = 0; h < event.length; h++) {
      if (set[event[h]!] !== 1) continue
      while (firstHit[v + 1]! <= h) v++
      found[v] = 1
    }
    return found
  }
  const { from, visits } = known
  for (let e = 1; e < from.length - 1; e++) {
    if (set[e] === 1) for (let i = from[e]!; i < from[e + 1]!; i++) found[visits[i]!] = 1
  }
  return found
}

/** Pageviews are no events, whatever passes for ''. */
function ofEvents(set: Uint8Array): Uint8Array {
  if (set[0] !== 1) return set
  const events = set.slice()
  events[0] = 0
  return events
}

function withBits(firstHit: Column, bits: Uint32Array): Uint8Array {
  const found = blank(firstHit.length - 1)
  for (let h = 0, v = 0; h < bits.length; h++) {
    if (bits[h] === 0) continue
    while (firstHit[v + 1]! <= h) v++
    found[v] = 1
    h = firstHit[v + 1]! - 1
  }
  return found
}

function withProperty(day: Day, key: number, set: Uint8Array): Uint8Array {
  const found = blank(day.visits.count)
  const { places, firstHit, values } = partOfKey(day, key)
  for (let v = 0; v < places.length; v++) {
    for (let h = firstHit[v]!; h < firstHit[v + 1]!; h++) if (set[values[h]!] === 1) found[places[v]!] = 1
  }
  return found
}
