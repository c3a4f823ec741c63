/**
 * Persons by the period of their first visit, where it makes no difference which visit of a day that is. A visit touches any person:
 * what decides is how many of them the processor's caches hold, and that no branch depends on the person. (Every `!` is inside bounds.)
 */
import { asUint32, reusedBuffer, type Zeros } from '../../columns/buffers.ts'
import type { Day } from '../../days/day.ts'
import type { TimeWindow } from '../../days/spans.ts'
import { Counts, FIRST_COHORT, firstHitOf, MAX_PERIODS, moneyWithin, NO_COHORT, type RetentionCohort, Spending } from './cohorts.ts'

/** The number of persons that memory is first reserved for. */
const FEW_PERSONS = 16_384
/** Bits of the state; those above have the last period with a visit, plus 1. */
const STATE_BITS = 8
const STATE = 2 ** STATE_BITS - 1

interface Given {
  readonly zeros: Zeros
  readonly paying: (day: Day) => Uint32Array
}

export class Returning {
  readonly #periods: number
  /** By person. Number 0 means no person, and is in no cohort. */
  #persons: Uint16Array
  /** By period, and state. */
  readonly #counts: Int32Array
  readonly #spending: Spending
  readonly #given: Given
  /** Columns of a day. */
  readonly #people = reusedBuffer(Uint32Array)
  readonly #firstHits = reusedBuffer(Uint32Array)

  constructor(starts: readonly number[], given: Given) {
    this.#periods = starts.length - 1
    if (this.#periods > MAX_PERIODS) throw new Error(`retention has at most ${MAX_PERIODS} periods`)
    this.#given = given
    this.#persons = this.#zeros(FEW_PERSONS)
    this.#persons[0] = NO_COHORT
    this.#counts = new Int32Array(this.#periods * (STATE + 1))
    this.#spending = new Spending(this.#periods)
  }

  /** Counts the visits of a day. Periods come in order. @param period negative: persons first seen are in no cohort */
  count(day: Day, period: number, window: TimeWindow | null): void {
    const person = asUint32(day.visits.person, this.#people)
    this.#reach(highest(person))
    if (window === null) this.#countWhole(day, person, period)
    else
      for (let v = 0; v < person.length; v++) {
        if (firstHitOf(day, v, window, null) >= 0) this.#come(person[v]!, period)
        if (period >= 0 && person[v] !== 0) this.#pay(person[v]!, period, moneyWithin(day, v, window))
      }
  }

  #countWhole(day: Day, person: Uint32Array, period: number): void {
    const firstHit = asUint32(day.visits.firstHit, this.#firstHits)
    const persons = this.#persons
    const [first, last] = period < 0 ? [NO_COHORT, 0] : [FIRST_COHORT + period, period + 1]
    const counts = period < 0 ? new Int32Array(STATE + 1) : this.#countsOf(period)
    for (let v = 0; v < person.length; v++) {
      if (firstHit[v] === firstHit[v + 1]) continue
      // As `#come`, which takes twice as long.
      const before = persons[person[v]!]!
      const known = before & STATE
      const state = known | (first & ((known - 1) >> 31))
      const difference = (before >> STATE_BITS) ^ last
      counts[state]! += (difference + STATE) >> STATE_BITS
      persons[person[v]!] = (last << STATE_BITS) | state
    }
    if (period < 0) return
    const { revenue, purchases } = day.visits
    for (const v of this.#given.paying(day)) this.#pay(person[v]!, period, { revenue: revenue[v]!, purchases: purchases[v]! })
  }

  #come(who: number, period: number): void {
    const before = this.#persons[who]!
    const state = before & STATE || (period < 0 ? NO_COHORT : FIRST_COHORT + period)
    if (period >= 0 && before >> STATE_BITS !== period + 1) this.#countsOf(period)[state]!++
    this.#persons[who] = ((period < 0 ? 0 : period + 1) << STATE_BITS) | state
  }

  #pay(who: number, period: number, paid: { readonly revenue: number; readonly purchases: number }): void {
    const cohort = this.#cohortOf(who)
    if (cohort >= 0) this.#spending.pay(who, { cohort, period }, paid)
  }

  /** Negative: none. */
  #cohortOf(who: number): number {
    return (this.#persons[who]! & STATE) - FIRST_COHORT
  }

  #countsOf(period: number): Int32Array {
    return this.#counts.subarray(period * (STATE + 1), (period + 1) * (STATE + 1))
  }

  cohorts(): RetentionCohort[] {
    const counts = new Counts(this.#periods)
    for (let period = 0; period < this.#periods; period++) {
      const ofPeriod = this.#countsOf(period)
      for (let cohort = 0; cohort <= period; cohort++) counts.addTo(cohort, period, ofPeriod[FIRST_COHORT + cohort]!)
    }
    return this.#spending.with(counts.cohorts(), who => this.#cohortOf(who))
  }

  #reach(who: number): void {
    if (who < this.#persons.length) return
    const longer = this.#zeros(Math.max(who + 1, this.#persons.length * 2))
    longer.set(this.#persons)
    this.#persons = longer
  }

  #zeros(length: number): Uint16Array {
    const { buffer, byteOffset } = this.#given.zeros(Math.ceil(length / 4))
    return new Uint16Array(buffer, byteOffset, length)
  }
}

function highest(numbers: Uint32Array): number {
  let max = 0
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! > max) max = numbers[i]!
  return max
}
