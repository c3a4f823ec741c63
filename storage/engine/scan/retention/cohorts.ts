/** The results of retention: how many persons of each cohort came back in each period, and their money. (Every `!` is inside bounds.) */
import type { Day } from '../../days/day.ts'
import type { TimeWindow } from '../../days/spans.ts'

/** How many persons of a cohort came back, from the period of the cohort itself to the last one. */
export interface Returns {
  readonly people: number
  readonly cells: readonly { readonly people: number }[]
}
export interface RetentionCohort extends Returns {
  /** Persons with a purchase, and with at least two. */
  readonly customers: number
  readonly repeated: number
  /** Revenue in minor units, of all visits of the cohort in the period. */
  readonly cells: readonly { readonly people: number; readonly revenue: number }[]
}
export interface RetentionGroup {
  readonly value: string
  readonly people: number
  /** Minor units. */
  readonly revenue: number
  readonly customers: number
  readonly repeated: number
  readonly cohorts: readonly Returns[]
}

/** Most periods: the periods in which a person came back are the bits of two numbers. */
export const MAX_PERIODS = 64
export const BITS = 32
/** States of a person: seen, and in no cohort; from here on, in a cohort. 0: not seen. */
export const [NO_COHORT, FIRST_COHORT] = [2, 3]

/** How many persons of each cohort came back, by period. */
export class Counts {
  readonly #periods: number
  readonly #people: Uint32Array
  /** By cohort, and periods after its own. */
  readonly #cells: Uint32Array

  constructor(periods: number) {
    this.#periods = periods
    this.#people = new Uint32Array(periods)
    this.#cells = new Uint32Array(periods ** 2)
  }

  /** Adds a person. @param low a bit for each of the first 32 periods, set if the person came back in it @param high for the others */
  add(cohort: number, low: number, high: number): void {
    this.#people[cohort]!++
    const from = cohort * this.#periods
    // `rest & -rest` is the lowest bit that is set, and `rest & (rest - 1)` all others.
    for (let rest = low; rest !== 0; rest = (rest & (rest - 1)) >>> 0) this.#cells[from + 31 - Math.clz32(rest & -rest)]!++
    for (let rest = high; rest !== 0; rest = (rest & (rest - 1)) >>> 0) this.#cells[from + BITS + 31 - Math.clz32(rest & -rest)]!++
  }

  /** Adds to the persons who came in a period. */
  addTo(cohort: number, period: number, people: number): void {
    this.#cells[cohort * this.#periods + period - cohort]! += people
    if (period === cohort) this.#people[cohort]! += people
  }

  cohorts(): Returns[] {
    return Array.from(this.#people, (people, i) => ({
      people,
      cells: Array.from({ length: this.#periods - i }, (_, index) => ({ people: this.#cells[i * this.#periods + index]! })),
    }))
  }
}

/** Money of the persons of cohorts. */
export class Spending {
  readonly #periods: number
  /** By person with money: its sum, and 0, 1 or 2 purchases. */
  readonly #spent = new Map<number, Spent>()
  /** By cohort and period. */
  readonly #money: Float64Array

  constructor(periods: number) {
    this.#periods = periods
    this.#money = new Float64Array(periods ** 2)
  }

  pay(who: number, { cohort, period }: { readonly cohort: number; readonly period: number }, { revenue, purchases }: Paid): void {
    if (revenue === 0 && purchases === 0) return
    this.#money[cohort * this.#periods + period]! += revenue
    const spent = this.#spent.get(who) ?? nothing
    this.#spent.set(who, { revenue: spent.revenue + revenue, bought: Math.min(2, spent.bought + purchases) })
  }

  of(who: number): Spent {
    return this.#spent.get(who) ?? nothing
  }

  /** Adds the money to each cohort. */
  with(cohorts: readonly Returns[], cohortOf: (who: number) => number): RetentionCohort[] {
    const [customers, repeated] = [new Uint32Array(this.#periods), new Uint32Array(this.#periods)]
    for (const [who, { bought }] of this.#spent) {
      if (bought >= 1) customers[cohortOf(who)]!++
      if (bought >= 2) repeated[cohortOf(who)]!++
    }
    return cohorts.map(({ people, cells }, i) => ({
      people,
      customers: customers[i]!,
      repeated: repeated[i]!,
      cells: cells.map(({ people }, index) => ({ people, revenue: this.#money[i * this.#periods + i + index]! })),
    }))
  }
}

export interface Paid {
  readonly revenue: number
  readonly purchases: number
}
interface Spent {
  readonly revenue: number
  readonly bought: number
}
const nothing: Spent = Object.freeze({ revenue: 0, bought: 0 })

export function moneyWithin({ visits, hits }: Day, visit: number, { from, to }: TimeWindow): Paid {
  const money = { revenue: 0, purchases: 0 }
  for (let h = visits.firstHit[visit]!; h < visits.firstHit[visit + 1]!; h++) {
    if (hits.at[h]! < from || hits.at[h]! >= to) continue
    money.revenue += hits.revenue[h]!
    if (hits.revenue[h]! > 0) money.purchases++
  }
  return money
}

/** When the visit's first hit came, or the first that completed a goal, in ms since the start of the day; -1 without one in the window. */
export function firstHitOf({ visits, hits }: Day, visit: number, window: TimeWindow | null, completed: Uint32Array | null): number {
  for (let h = visits.firstHit[visit]!; h < visits.firstHit[visit + 1]!; h++) {
    if (completed !== null && completed[h] === 0) continue
    const at = hits.at[h]!
    if (window === null || (at >= window.from && at < window.to)) return at
  }
  return -1
}
