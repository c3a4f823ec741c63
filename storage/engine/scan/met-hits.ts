/** Finds the hits of a day that meet all of several conditions. (Every `!` is inside bounds.) */
import { type ReusedBuffer, reusedBuffer } from '../columns/buffers.ts'
import type { DayColumns } from '../days/day.ts'
import type { OnHit } from './condition.ts'
import { type EventVisits, type EventVisitsCache, visitsByEvent } from './event-visits.ts'
import { bitsOfHits } from './goals.ts'
import { keyHits, type KeyHitsCache } from './key-hits.ts'

interface Remembered {
  readonly day: DayColumns
  readonly met: Uint8Array
  readonly buffer: ReusedBuffer<Uint8Array>
}

export class MetHits {
  readonly #keyHits: KeyHitsCache
  readonly #eventVisits: EventVisitsCache
  /** The last result of each list of conditions, because reports of one query use the same lists. */
  readonly #last = new WeakMap<readonly OnHit[], Remembered>()

  constructor(keyHits: KeyHitsCache, eventVisits: EventVisitsCache) {
    this.#keyHits = keyHits
    this.#eventVisits = eventVisits
  }

  /**
   * 1 for every hit that meets all of the conditions. It is shared: do not change it. It is valid until those of
   * another day are asked for under the same conditions.
   * @param conditions one at least
   */
  of(day: DayColumns, conditions: readonly OnHit[]): Uint8Array {
    const known = this.#last.get(conditions)
    if (known?.day === day) return known.met
    const buffer = known?.buffer ?? reusedBuffer(Uint8Array)
    const met = buffer(day.hits.count).fill(0)
    for (const [i, condition] of conditions.entries()) this.#raise(met, day, condition, i)
    const all = conditions.length
    if (all > 1) for (let h = 0; h < met.length; h++) met[h] = met[h] === all ? 1 : 0
    this.#last.set(conditions, { day, met, buffer })
    return met
  }

  /** Adds one to the hits that met the `before` conditions, and meet this one too. */
  #raise(met: Uint8Array, day: DayColumns, condition: OnHit, before: number): void {
    if (condition.on === 'event') raiseEvents(met, day, condition.set, before, visitsByEvent(day, this.#eventVisits))
    else if (condition.on === 'goal') {
      const bits = bitsOfHits(condition.bits, day)
      for (let h = 0; h < met.length; h++) if (bits[h] !== 0 && met[h] === before) met[h]!++
    } else {
      const { hitPlaces, values } = keyHits(day, condition.property, this.#keyHits)
      for (let i = 0; i < values.length; i++) {
        const h = hitPlaces[i]!
        if (condition.set[values[i]!] === 1 && met[h] === before) met[h]!++
      }
    }
  }
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
