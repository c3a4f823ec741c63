/**
 * Counts the distinct persons of groups, next to the sums of a tally: a person of two days is one, so they do not add up. Passes
 * over a day count into it as into a tally. (Every `!` is inside bounds.)
 */
import type { Column } from '../columns/column.ts'
import { NumberSet } from '../columns/number-set.ts'
import { columnsRead, type Reads } from '../days/reads.ts'
import type { Counts, ScanCounter } from '../days/tally.ts'
import type { CountedSums } from '../vocabulary/sums.ts'

/** Read in addition to what the pass reads. */
export const personsRead: Reads = columnsRead('visits.person')

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

  constructor(groups: number) {
    this.#sets = new Array<NumberSet | undefined>(groups)
    this.#identified = new Float64Array(groups)
    this.#last = new Float64Array(groups)
  }

  /** Makes room for groups that became known while days are counted. */
  grow(groups: number): void {
    if (groups <= this.#last.length) return
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
    const person = this.#person
    const set = (this.#sets[group] ??= new NumberSet())
    let identified = 0
    for (let i = 0, count = some?.length ?? person.length; i < count; i++) {
      const n = person[some === null ? i : some[i]!]!
      if (n === 0) continue
      identified++
      set.add(n)
    }
    this.#identified[group]! += identified
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
    return { people: this.#sets[group]?.size ?? 0, identified: this.#identified[group] ?? 0 }
  }
}

const none = new Uint8Array(0)
