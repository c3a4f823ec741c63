/**
 * The visits of some persons as far back as a path reaches: for each person a list, the latest first. Its memory grows with the
 * visits of those days, and those that no path reaches any more are overwritten. (Every `!` is inside bounds.)
 */
import type { Column } from '../columns/column.ts'
import type { NumberSet } from '../columns/number-set.ts'
import type { Day } from '../days/day.ts'
import { MAX_TOUCHES } from '../vocabulary/attribution.ts'

interface Stretch {
  readonly endsAt: number
  /** The number of its first visit. */
  readonly first: number
}

/** The known visits of a person. */
export interface Path {
  /** The number of visits in the arrays, the latest first. */
  count: number
  /** Start, epoch ms. */
  readonly at: Float64Array
  readonly group: Uint32Array
  readonly isDirect: Uint8Array
}

export const blankPath = (max: number): Path => ({
  count: 0,
  at: new Float64Array(max),
  group: new Uint32Array(max),
  isDirect: new Uint8Array(max),
})

export class Touches {
  readonly #persons: NumberSet
  readonly #reachMs: number
  /** By place of the person, the number of the latest visit; 0 for none. Visits are numbered from 1, and number n has the place n modulo the size. */
  #latest = new Uint32Array(0)
  #size = 4096
  #at = new Float64Array(this.#size)
  #group = new Uint32Array(this.#size)
  #isDirect = new Uint8Array(this.#size)
  /** The number of the person's visit before; 0 for none. */
  #before = new Uint32Array(this.#size)
  #next = 1
  /** Numbers below were overwritten. */
  #oldest = 1
  #days: Stretch[] = []

  /**
   * @param persons whose visits are kept; complete before the first day
   * @param reachMs how long before the latest day visits may begin
   */
  constructor(persons: NumberSet, reachMs: number) {
    this.#persons = persons
    this.#reachMs = reachMs
  }

  /** @param isDirect 1 at the ids of channels that are direct */
  add(day: Day, groups: Column, { channel, isDirect }: { readonly channel: Column; readonly isDirect: Uint8Array }): void {
    const { startsAt, endsAt, cut, visits, hits } = day
    this.#forget(startsAt - this.#reachMs)
    this.#days.push({ endsAt, first: this.#next })
    const { count, person, firstHit } = visits
    const { at: times } = hits
    const persons = this.#persons
    if (this.#latest.length === 0) this.#latest = new Uint32Array(persons.places)
    for (let v = 0; v < count; v++) {
      const who = persons.placeOf(person[v]!)
      if (who === 0) continue
      const at = startsAt + times[firstHit[v]!]!
      if (cut && (at < cut.from || at >= cut.to)) continue // a view of another day has it
      this.#put(who, at, groups[v]!, isDirect[channel[v]!]!)
    }
  }

  /**
   * Appends the visits of a person that began in this time to a path, the latest first, until it is full. Of an id that a crowd shares,
   * more visits may be later on the same day than a path has: it then looks no further.
   */
  collect(person: number, { from, before }: { readonly from: number; readonly before: number }, into: Path): void {
    const mask = this.#size - 1
    const max = into.at.length
    let skipped = 0
    for (
      let n = this.#latest[this.#persons.placeOf(person)] ?? 0;
      n >= this.#oldest && into.count < max && skipped < max;
      n = this.#before[n & mask]!
    ) {
      const place = n & mask
      const at = this.#at[place]!
      if (at < from) return
      if (at >= before) {
        skipped++
        continue
      }
      into.at[into.count] = at
      into.group[into.count] = this.#group[place]!
      into.isDirect[into.count] = this.#isDirect[place]!
      into.count++
    }
  }

  #put(who: number, at: number, group: number, isDirect: number): void {
    if (this.#next - this.#oldest >= this.#size) this.#grow()
    const mask = this.#size - 1
    const own = this.#next++
    const place = own & mask
    this.#at[place] = at
    this.#group[place] = group
    this.#isDirect[place] = isDirect
    // Nearly always the latest: others belong to another device on the same day. An id that a crowd shares has no order beyond a path.
    let after = 0
    let before = this.#latest[who]!
    for (let steps = 0; steps < MAX_TOUCHES && before >= this.#oldest && this.#at[before & mask]! > at; steps++) {
      after = before
      before = this.#before[before & mask]!
    }
    this.#before[place] = before
    if (after === 0) this.#latest[who] = own
    else this.#before[after & mask] = own
  }

  #forget(before: number): void {
    let gone = 0
    while ((this.#days[gone]?.endsAt ?? Infinity) <= before) gone++
    if (gone === 0) return
    this.#days.splice(0, gone)
    this.#oldest = this.#days[0]?.first ?? this.#next
  }

  #grow(): void {
    const [from, to] = [this.#size - 1, this.#size * 2 - 1]
    const moved = <A extends Uint8Array | Uint32Array | Float64Array>(wider: A, old: A) => {
      for (let n = this.#oldest; n < this.#next; n++) wider[n & to] = old[n & from]!
      return wider
    }
    this.#size *= 2
    this.#at = moved(new Float64Array(this.#size), this.#at)
    this.#group = moved(new Uint32Array(this.#size), this.#group)
    this.#isDirect = moved(new Uint8Array(this.#size), this.#isDirect)
    this.#before = moved(new Uint32Array(this.#size), this.#before)
  }
}
