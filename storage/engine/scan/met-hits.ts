/** Finds the hits of a day that meet all of several conditions. (Every `!` is inside bounds.) */
import { type ReusedBuffer, reusedBuffer } from '../columns/buffers.ts'
import type { DayColumns } from '../days/day.ts'
import { type HitTest, isOnHit, type OnHit } from './condition.ts'
import { type EventVisits, type EventVisitsCache, visitsByEvent } from './event-visits.ts'
import { bitsOfHits } from './goals.ts'
import { keyHits, type KeyHitsCache } from './key-hits.ts'

interface Cached {
  readonly day: DayColumns
  readonly met: Uint8Array
  readonly buffer: ReusedBuffer<Uint8Array>
}

export class MetHits {
  readonly #keyHits: KeyHitsCache
  readonly #eventVisits: EventVisitsCache
  /** The last result of each list of conditions, because reports of one query use the same lists. */
  readonly #last = new WeakMap<readonly HitTest[], Cached>()

  constructor(keyHits: KeyHitsCache, eventVisits: EventVisitsCache) {
    this.#keyHits = keyHits
    this.#eventVisits = eventVisits
  }

  /**
   * 1 for every hit that meets all of the conditions. It is shared: do not change it. It is valid until those of
   * another day are asked for under the same conditions.
   * @param conditions one at least
   */
  of(day: DayColumns, conditions: readonly HitTest[]): Uint8Array {
    const known = this.#last.get(conditions)
    if (known?.day === day) return known.met
    const buffer = known?.buffer ?? reusedBuffer(Uint8Array)
    const met = buffer(day.hits.count).fill(0)
    for (const [i, condition] of conditions.entries()) {
      if (isOnHit(condition)) this.#raise(met, day, condition, i)
      else raiseBits(met, this.#bits(day, condition), i)
    }
    const all = conditions.length
    if (all > 1) for (let h = 0; h < met.length; h++) met[h] = met[h] === all ? 1 : 0
    this.#last.set(conditions, { day, met, buffer })
    return met
  }

  /** 1 for every hit that passes the test. */
  #bits(day: DayColumns, test: HitTest): Uint8Array {
    const bits = new Uint8Array(day.hits.count)
    switch (test.on) {
      case 'both':
      case 'either':
        bits.fill(test.on === 'both' ? 1 : 0)
        for (const each of test.tests) {
          const passing = this.#bits(day, each)
          if (test.on === 'both') for (let h = 0; h < bits.length; h++) bits[h]! &= passing[h]!
          else for (let h = 0; h < bits.length; h++) bits[h]! |= passing[h]!
        }
        return bits
      case 'visit': {
        const { firstHit, [test.column]: column } = day.visits
        for (let v = 0; v < column.length; v++) if (test.set[column[v]!] === 1) bits.fill(1, firstHit[v], firstHit[v + 1])
        return bits
      }
      case 'day':
        return bits.fill(test.passes(day.day) ? 1 : 0)
      case 'figure': {
        const { count, firstHit } = day.visits
        const passes = test.test.of(day)
        for (let v = 0; v < count; v++) if (passes(v)) bits.fill(1, firstHit[v], firstHit[v + 1])
        break
      }
      case 'page': {
        const { page } = day.hits
        for (let h = 0; h < bits.length; h++) bits[h] = test.set[page[h]!]!
        break
      }
      case 'event': {
        const { event } = day.hits
        for (let h = 0; h < bits.length; h++) bits[h] = event[h] === 0 ? 0 : test.set[event[h]!]!
        break
      }
      case 'place':
        bits.set(test.test.bits(day))
        break
      case 'goal': {
        const completed = bitsOfHits(test.bits, day)
        for (let h = 0; h < bits.length; h++) bits[h] = completed[h] === 0 ? 0 : 1
        break
      }
      case 'property': {
        const { hitPlaces, values } = keyHits(day, test.property, this.#keyHits)
        for (let i = 0; i < values.length; i++) if (test.set[values[i]!] === 1) bits[hitPlaces[i]!] = 1
      }
    }
    if (test.negated) for (let h = 0; h < bits.length; h++) bits[h] = 1 - bits[h]!
    return bits
  }

  /** Adds one to the hits that met the `before` conditions, and meet this one too. */
  #raise(met: Uint8Array, day: DayColumns, condition: OnHit, before: number): void {
    if (condition.on === 'event') raiseEvents(met, day, condition.set, before, visitsByEvent(day, this.#eventVisits))
    else if (condition.on === 'goal') {
      const bits = bitsOfHits(condition.bits, day)
      for (let h = 0; h < met.length; h++) if (bits[h] !== 0 && met[h] === before) met[h]!++
    } else if (condition.on === 'place') raiseBits(met, condition.test.bits(day), before)
    else {
      const { hitPlaces, values } = keyHits(day, condition.property, this.#keyHits)
      for (let i = 0; i < values.length; i++) {
        const h = hitPlaces[i]!
        if (condition.set[values[i]!] === 1 && met[h] === before) met[h]!++
      }
    }
  }
}

function raiseBits(met: Uint8Array, bits: Uint8Array, before: number): void {
  for (let h = 0; h < met.length; h++) if (bits[h] === 1 && met[h] === before) met[h]!++
}

/** Id 0 represents a pageview, and never passes. @param known null to scan all hits */
function raiseEvents(met: Uint8Array, { hits: { event } }: DayColumns, set: Uint8Array, before: number, known: EventVisits | null): void {
  if (known === null) {
    for (let h = 0; h < met.length; h++) if (event[h] !== 0 && set[event[h]!] === 1 && met[h] === before) met[h]!++
    return
  }
  const { from, hits } = known
  for (let e = 1; e < from.length - 1; e++) {
    if (set[e] !== 1) continue
    for (let i = from[e]!; i < from[e + 1]!; i++) if (met[hits[i]!] === before) met[hits[i]!]!++
  }
}
