/** Selects the visits of a day that pass conditions. (Every `!` is inside bounds.) */
import { type ReusedBuffer, reusedBuffer } from '../columns/buffers.ts'
import type { Column } from '../columns/column.ts'
import type { Day } from '../days/day.ts'
import type { ResolvedCondition } from './condition.ts'
import { type EventVisits, type EventVisitsCache, visitsByEvent } from './event-visits.ts'
import { bitsOfHits } from './goals.ts'
import { type KeyHits, type KeyHitsCache, keyHits } from './key-hits.ts'
import type { MetHits } from './met-hits.ts'
import type { SeenPages } from './seen-pages.ts'

/** 1 for every selected visit; null selects all. */
export type Mask = Uint8Array | null

interface Cached {
  readonly day: Day
  readonly mask: Uint8Array
  readonly buffer: ReusedBuffer<Uint8Array>
}
type OnVisits = Extract<ResolvedCondition, { on: 'visit' }>
type NotOnVisits = Exclude<ResolvedCondition, OnVisits>
type OfHits = Exclude<ResolvedCondition, { on: 'visit' | 'day' | 'figure' | 'any' }>
const isOnVisits = (condition: ResolvedCondition): condition is OnVisits => condition.on === 'visit'
const isNotOnVisits = (condition: ResolvedCondition): condition is NotOnVisits => condition.on !== 'visit'

/** Computes masks in its own memory, which is overwritten with every day. */
export class Masks {
  readonly #keyHits: KeyHitsCache
  readonly #eventVisits: EventVisitsCache
  readonly #met: MetHits
  readonly #seen: SeenPages
  /** The last mask of each list of conditions, because reports of one query use the same masks. */
  readonly #last = new WeakMap<readonly ResolvedCondition[], Cached>()
  /** A buffer for each mask in progress; all are free again when the next one begins. */
  readonly #buffers: ReusedBuffer<Uint8Array>[] = []
  #inUse = 0
  /** The visits that passed so far; each further condition checks only these. */
  readonly #left = reusedBuffer(Uint32Array)

  constructor(keyHits: KeyHitsCache, eventVisits: EventVisitsCache, met: MetHits, seen: SeenPages) {
    this.#keyHits = keyHits
    this.#eventVisits = eventVisits
    this.#met = met
    this.#seen = seen
  }

  /**
   * Null without conditions. The mask is shared, so do not change it; it is valid until the next day's mask for the
   * same conditions.
   */
  of(day: Day, conditions: readonly ResolvedCondition[]): Mask {
    if (conditions.length === 0) return null
    const known = this.#last.get(conditions)
    if (known?.day === day) return known.mask
    const buffer = known?.buffer ?? reusedBuffer(Uint8Array)
    const mask = buffer(day.visits.count)
    mask.set(this.#made(day, conditions))
    this.#last.set(conditions, { day, mask, buffer })
    return mask
  }

  #blank(length: number): Uint8Array {
    return (this.#buffers[this.#inUse++] ??= reusedBuffer(Uint8Array))(length).fill(0)
  }

  #made(day: Day, conditions: readonly ResolvedCondition[]): Uint8Array {
    this.#inUse = 0
    // Cheap conditions first, so that hits of fewer visits are scanned.
    const ofVisits = conditions.filter(isOnVisits)
    const others = conditions.filter(isNotOnVisits)
    const [first] = others
    const mask = ofVisits.length === 0 && first ? this.#firstMask(day, first) : this.#passing(day, ofVisits)
    for (const condition of ofVisits.length === 0 ? others.slice(1) : others) this.#narrow(mask, day, condition)
    return mask
  }

  /** The visits that pass all of these conditions. */
  #passing({ visits }: Day, [first, ...others]: readonly OnVisits[]): Uint8Array {
    const mask = this.#blank(visits.count)
    if (!first) return mask.fill(1)
    const column = visits[first.column]
    if (others.length === 0) mark(mask, column, first.set)
    else {
      const left = this.#left(visits.count)
      let count = pass(left, column, first.set)
      for (const one of others) count = stillPass(left, count, visits[one.column], one.set)
      for (let i = 0; i < count; i++) mask[left[i]!] = 1
    }
    return mask
  }

  #firstMask(day: Day, condition: NotOnVisits): Uint8Array {
    if (condition.on === 'hits' || (condition.on !== 'any' && condition.on !== 'day' && condition.on !== 'figure' && !condition.negated))
      return this.#visitsWith(null, day, condition)
    const mask = this.#blank(day.visits.count).fill(1)
    this.#narrow(mask, day, condition)
    return mask
  }

  /** Removes visits from the mask that do not pass the condition. */
  #narrow(mask: Uint8Array, day: Day, condition: ResolvedCondition): void {
    if (condition.on === 'visit') {
      narrowTo(mask, day.visits[condition.column], condition.set)
    } else if (condition.on === 'day') {
      if (!condition.passes(day.day)) mask.fill(0)
    } else if (condition.on === 'figure') {
      const passes = condition.test.of(day)
      for (let v = 0; v < mask.length; v++) if (mask[v] === 1 && passes(v) === condition.negated) mask[v] = 0
    } else if (condition.on === 'any') {
      const union = this.#blank(mask.length)
      const kept = this.#blank(mask.length)
      const inUse = this.#inUse
      for (const one of condition.any) {
        kept.set(mask)
        this.#narrow(kept, day, one)
        this.#inUse = inUse
        for (let v = 0; v < mask.length; v++) union[v]! |= kept[v]!
      }
      mask.set(union)
    } else {
      const found = this.#visitsWith(mask, day, condition)
      const wanted = condition.on !== 'hits' && condition.negated ? 0 : 1
      for (let v = 0; v < mask.length; v++) if (found[v] !== wanted) mask[v] = 0
    }
  }

  /** 1 for the visits with such a hit, at least among the visits of the mask. */
  #visitsWith(mask: Mask, day: Day, test: OfHits): Uint8Array {
    const { count, firstHit } = day.visits
    const found = this.#blank(count)
    if (test.on === 'property') markHits(found, keyHits(day, test.property, this.#keyHits), test.set)
    else if (test.on === 'place') markMarked(found, firstHit, test.test.bits(day))
    else if (test.on === 'goal') markMarked(found, firstHit, bitsOfHits(test.bits, day))
    else if (test.on === 'hits') markMarked(found, firstHit, this.#met.of(day, test.all))
    else if (test.on === 'page') {
      if (mask === null) markSeen(found, this.#seen.of(day, test.set))
      else markPages(found, mask, firstHit, day.hits.event, day.hits.page, test.set)
    } else markEvents(found, day, withoutPageviews(test.set), visitsByEvent(day, this.#eventVisits))
    return found
  }
}

function mark(mask: Uint8Array, column: Column, set: Uint8Array): void {
  for (let v = 0; v < mask.length; v++) mask[v] = set[column[v]!]!
}

// Without branches: a visit that does not pass is overwritten by the next. Four at a time: a read that comes after a write waits for it.
function pass(left: Uint32Array, column: Column, set: Uint8Array): number {
  const fours = column.length & ~3
  let count = 0
  for (let v = 0; v < fours; v += 4) {
    const [first, second, third, fourth] = [set[column[v]!]!, set[column[v + 1]!]!, set[column[v + 2]!]!, set[column[v + 3]!]!]
    left[count] = v
    left[(count = (count + first) | 0)] = v + 1
    left[(count = (count + second) | 0)] = v + 2
    left[(count = (count + third) | 0)] = v + 3
    count = (count + fourth) | 0
  }
  for (let v = fours; v < column.length; v++) {
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

function narrowTo(mask: Uint8Array, column: Column, set: Uint8Array): void {
  for (let v = 0; v < mask.length; v++) mask[v]! &= set[column[v]!]!
}

function markSeen(found: Uint8Array, views: Uint32Array): void {
  for (let v = 0; v < found.length; v++) found[v] = 1 - (Math.clz32(views[v]!) >>> 5) // 1 where there is one, without a branch
}

/** Marks those visits of the mask that have such a hit. */
function markPages(found: Uint8Array, mask: Uint8Array, firstHit: Column, event: Column, page: Column, set: Uint8Array): void {
  for (let v = 0; v < mask.length; v++) {
    if (mask[v] === 0) continue
    const end = firstHit[v + 1]!
    let h = firstHit[v]!
    while (h < end && (set[page[h]!] !== 1 || event[h] !== 0)) h++
    if (h < end) found[v] = 1
  }
}

/**
 * @param set has no 1 at 0
 * @param known null to scan all hits, which is faster than stopping at every visit
 */
function markEvents(found: Uint8Array, day: Day, set: Uint8Array, known: EventVisits | null): void {
  if (known === null) {
    const { firstHit } = day.visits
    const { event } = day.hits
    for (let h = 0, v = 0; h < event.length; h++) {
      if (set[event[h]!] !== 1) continue
      while (firstHit[v + 1]! <= h) v++
      found[v] = 1
    }
    return
  }
  const { from, visits } = known
  for (let e = 1; e < from.length - 1; e++) {
    if (set[e] === 1) for (let i = from[e]!; i < from[e + 1]!; i++) found[visits[i]!] = 1
  }
}

/** Returns the ids of a condition on events without 0, which represents pageviews and never passes. */
function withoutPageviews(set: Uint8Array): Uint8Array {
  if (set[0] !== 1) return set
  const events = set.slice()
  events[0] = 0
  return events
}

function markMarked(found: Uint8Array, firstHit: Column, marks: Uint32Array | Uint8Array): void {
  for (let h = 0, v = 0; h < marks.length; h++) {
    if (marks[h] === 0) continue
    while (firstHit[v + 1]! <= h) v++
    found[v] = 1
    h = firstHit[v + 1]! - 1
  }
}

function markHits(found: Uint8Array, { places, firstHit, values }: KeyHits, set: Uint8Array): void {
  for (let v = 0; v < places.length; v++) {
    for (let h = firstHit[v]!; h < firstHit[v + 1]!; h++) if (set[values[h]!] === 1) found[places[v]!] = 1
  }
}
