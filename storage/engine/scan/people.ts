/**
 * Counts the distinct persons of groups, next to the sums of a tally: a person of two days is one, so they do not add up. Passes
 * over a day count into it as into a tally. (Every `!` is inside bounds.)
 */
import { asUint32, reusedBuffer } from '../columns/buffers.ts'
import type { Column } from '../columns/column.ts'
import { NumberSet } from '../columns/number-set.ts'
import { columnsRead, type Reads } from '../days/reads.ts'
import type { Counts, ScanCounter } from '../days/tally.ts'
import type { CountedSums } from '../vocabulary/sums.ts'

/** Read in addition to what the pass reads. */
export const personsRead: Reads = columnsRead('visits.person')

/** Persons of a group, and of all, that are added to their sets together. */
const [MOST_WAITING, ALL_WAITING] = [2_048, 262_144]

export class PeopleTally implements ScanCounter {
  readonly #sets: (NumberSet | undefined)[]
  /** Visits of each group that belong to a person. */
  #identified: Float64Array
  /** The ordinal of the last visit of each group, from 1. */
  #last: Float64Array
  #base = 1
  #next = 1
  #visits: Counts['visits'] | null = null
  #person: Column = none
  #waiting = new Uint32Array(0)
  #counts = new Uint32Array(0)
  #most = 0
  readonly #copies = [reusedBuffer(Uint32Array), reusedBuffer(Uint32Array)]

  constructor(groups: number) {
    this.#sets = new Array<NumberSet | undefined>(groups)
    this.#identified = new Float64Array(groups)
    this.#last = new Float64Array(groups)
  }

  /** Makes room for groups that became known while days are counted. */
  grow(groups: number): void {
    if (groups <= this.#last.length) return
    for (let group = 0; group < this.#counts.length; group++) this.#store(group)
    this.#waiting = new Uint32Array(0)
    const longer = (numbers: Float64Array) => {
      const all = new Float64Array(groups * 2)
      all.set(numbers)
      return all
    }
    this.#identified = longer(this.#identified)
    this.#last = longer(this.#last)
  }

  begin({ visits }: Counts): void {
    this.#base = this.#next
    this.#next += visits.count
    this.#visits = visits
  }

  visit(group: number, visit: number): void {
    if (this.#visits !== null) this.#read(this.#visits)
    const person = this.#person[visit]!
    if (person === 0) return
    this.#identified[group]!++
    ;(this.#sets[group] ??= new NumberSet()).add(person)
  }

  visits(group: number, some: Uint32Array | null): void {
    if (this.#visits !== null) this.#read(this.#visits)
    const persons = asUint32(this.#person, this.#copies[0]!)
    const count = some?.length ?? persons.length
    const known = this.#copies[1]!(count)
    let identified = 0
    // Without branches: visits of unknown persons are as many as others, and each is overwritten by the next.
    for (let i = 0; i < count; i++) {
      const who = persons[some === null ? i : some[i]!]!
      known[identified] = who
      identified += 1 - (Math.clz32(who) >>> 5)
    }
    this.#identified[group]! += identified
    ;(this.#sets[group] ??= new NumberSet()).addAll(known.subarray(0, identified))
  }

  /** These visits of a day, or all, each in the group that a column names. */
  visitsBy(group: Column, some: Uint32Array | null): void {
    if (this.#visits !== null) this.#read(this.#visits)
    const [groups, persons] = [asUint32(group, this.#copies[0]!), asUint32(this.#person, this.#copies[1]!)]
    const [waiting, counts, room] = this.#room()
    const identified = this.#identified
    for (let i = 0, count = some?.length ?? persons.length; i < count; i++) {
      const v = some === null ? i : some[i]!
      const [who, to] = [persons[v]!, groups[v]!]
      if (who === 0) continue
      identified[to]!++
      if (counts[to] === room) this.#store(to)
      waiting[to * room + counts[to]!++] = who
    }
  }

  /** Persons that wait, by group, how many of each group do, and how many can: none without memory for it. */
  #room(): readonly [Uint32Array, Uint32Array, number] {
    const groups = this.#last.length
    if (this.#waiting.length === 0) {
      this.#most = Math.max(1, Math.min(MOST_WAITING, Math.floor(ALL_WAITING / groups)))
      this.#waiting = new Uint32Array(groups * this.#most)
      this.#counts = new Uint32Array(groups)
    }
    return [this.#waiting, this.#counts, this.#most]
  }

  /** Adds the persons of a group that wait: many at once, so that its set is in the processor's caches meanwhile. */
  #store(group: number): void {
    const count = this.#counts[group] ?? 0
    if (count === 0) return
    const from = group * this.#most
    ;(this.#sets[group] ??= new NumberSet()).addAll(this.#waiting.subarray(from, from + count))
    this.#counts[group] = 0
  }

  hit(group: number, visit: number): void {
    const ordinal = this.#base + visit
    if (this.#last[group] === ordinal) return
    this.#last[group] = ordinal
    this.visit(group, visit)
  }

  /** Money of a hit that no visit of the group has: no person is counted for it. */
  money(): void {}
  brought(): void {}

  #read(visits: Counts['visits']): void {
    this.#person = visits.person
    this.#visits = null
  }

  of(group: number): Pick<CountedSums, 'people' | 'identified'> {
    this.#store(group)
    return { people: this.#sets[group]?.size ?? 0, identified: this.#identified[group] ?? 0 }
  }
}

const none = new Uint8Array(0)
