/**
 * Retention: persons by the period of their first visit (or first completion of a goal), and how many came back in each period
 * after it. Days are read from the first one of the site on, because only then a first visit is known to be the first. (Every `!` is
 * inside bounds.)
 */
import type { Day } from '../days/day.ts'
import { reusedBuffer } from '../columns/buffers.ts'
import type { Column } from '../columns/column.ts'
import { allReads, columnsRead, NO_COLUMNS } from '../days/reads.ts'
import { type TimeWindow, windowOn } from '../days/spans.ts'
import { best } from '../scan/best.ts'
import { readsOfConditions } from '../scan/condition.ts'
import { bitsOfHits, goalBits, type GoalBits, readsOfGoals } from '../scan/goals.ts'
import { resolveAll, textsFor } from '../scan/resolve.ts'
import { dimensionOf } from '../vocabulary/dimensions.ts'
import type { Goal, Span } from '../vocabulary/scope.ts'
import type { Report } from './report.ts'

export interface RetentionQuestion {
  readonly report: 'retention'
  /** The first local day of each period, ascending, and of the one after the last. */
  readonly starts: readonly number[]
  /** From the first day of the site to the last of the periods, whole. */
  readonly span: Span
  /** A cohort begins with the first completion of this goal; null: with the first visit. */
  readonly born: Goal | null
  /** Coming back is a visit with this goal; null: any visit. */
  readonly returned: Goal | null
  /** Divides persons by this dimension of the visit that makes them part of a cohort. */
  readonly by: string | null
  /** Most values of `by`. */
  readonly limit: number
}
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
export interface Retention {
  readonly report: 'retention'
  readonly cohorts: readonly RetentionCohort[]
  /** The values of `by` with the most persons. */
  readonly groups: readonly RetentionGroup[]
}

export const retentionReport: Report<RetentionQuestion, Retention> = async ({ where }, asked, context) => {
  const { starts, span, by, limit } = asked
  const { texts, workspace } = context
  const conditions = await resolveAll(where, context)
  const bitsOf = async (goal: Goal | null) => goal && (await goalBits([goal], [1], texts))
  const [born, returned] = [await bitsOf(asked.born), await bitsOf(asked.returned)]
  const dimension = by === null ? null : dimensionOf(by)
  const column = dimension?.column ?? null
  if (by !== null && (column === null || dimension?.derived)) throw new Error(`retention is not divided by ${by}`)
  const names = dimension ? await textsFor(dimension, 0, texts) : []

  const readsOf = (bits: GoalBits | null) => (bits ? readsOfGoals(bits) : NO_COLUMNS)
  const readsBefore = allReads([columnsRead('visits.person', 'visits.firstHit', 'hits.at'), readsOf(born)])
  const readsWithin = allReads([
    readsBefore,
    columnsRead('visits.revenue', 'visits.purchases', 'hits.revenue'),
    readsOfConditions(conditions),
    readsOf(returned),
    column ? columnsRead(`visits.${column}`) : NO_COLUMNS,
  ])
  const firstDay = starts[0] ?? Infinity
  const people = new People(starts)

  return {
    spans: [span],
    reads(day) {
      if (windowOn(span, day) === undefined) return null
      return day.day < firstDay ? readsBefore : readsWithin
    },
    scans: true,
    add(day) {
      const window = windowOn(span, day)
      if (window === undefined) return
      const period = people.periodOf(day.day)
      if (period < 0) people.remember(day, window, born)
      else
        people.count(day, window, {
          period,
          born,
          returned,
          mask: workspace.masks.of(day, conditions),
          group: column && day.visits[column],
        })
    },
    answer() {
      const groups = column === null ? [] : people.largestGroups(names, limit)
      return { report: 'retention', cohorts: people.cohorts(), groups: people.groups(groups, names) }
    },
  }
}

/** Most periods: the periods in which a person came back are the bits of two numbers. */
const MAX_PERIODS = 64
const BITS = 32
/** States of a person: seen first on the present day; seen, and in no cohort; from here on, in a cohort. */
const [TODAY, NO_COHORT, FIRST_COHORT] = [1, 2, 3]
/** The numbers of a person. */
const WIDTH = 4
const [COHORT, LOW, HIGH, GROUP] = [0, 1, 2, 3]

interface Counting {
  readonly period: number
  readonly born: GoalBits | null
  readonly returned: GoalBits | null
  readonly mask: Uint8Array | null
  readonly group: Column | null
}
interface Counted {
  readonly day: Day
  readonly revenue: Column
  readonly purchases: Column
  readonly firstHit: Column
  readonly window: TimeWindow | null
  readonly period: number
  readonly completed: Uint32Array | null
}

/**
 * The state of each person: the cohort, the periods of returns, and money. Its memory grows with the persons, whatever divides
 * them.
 */
class People {
  readonly #starts: readonly number[]
  readonly #periods: number
  /**
   * By person, adjacent: 0 if not seen yet, one of the two numbers above, or the cohort plus `FIRST_COHORT`; two numbers with a bit for
   * each period after the period of the cohort in which they came back; and the group. Of a person who is seen first on the present day,
   * the two numbers are the time, ms since the start of the day, and the visit.
   */
  #states = new Int32Array(1024 * WIDTH)
  /** By person with money: its sum, and 0, 1 or 2 purchases. */
  readonly #spent = new Map<number, { revenue: number; bought: number }>()
  /** By cohort and period. */
  readonly #money: Float64Array
  /** The visits of a day whose persons are in no cohort yet. */
  readonly #unknown = reusedBuffer(Uint32Array)

  constructor(starts: readonly number[]) {
    this.#starts = starts
    this.#periods = starts.length - 1
    if (this.#periods > MAX_PERIODS) throw new Error(`retention has at most ${MAX_PERIODS} periods`)
    this.#money = new Float64Array(this.#periods ** 2)
  }

  /** The period of a local day; negative before the first, or after the last. */
  periodOf(day: number): number {
    if (day >= (this.#starts.at(-1) ?? 0)) return -1
    let period = -1
    while (day >= (this.#starts[period + 1] ?? Infinity)) period++
    return period
  }

  /** Persons who are first seen on this day are in no cohort. */
  remember(day: Day, window: TimeWindow | null, born: GoalBits | null): void {
    const { count, person } = day.visits
    const unknown = this.#unknown(count)
    let found = 0
    for (let v = 0; v < count; v++) if (person[v] !== 0 && this.#stateOf(person[v]!) === 0) unknown[found++] = v
    for (const who of this.#firstVisits(day, unknown.subarray(0, found), { window, born })) this.#states[who * WIDTH + COHORT] = NO_COHORT
  }

  /** Counts the visits of persons in a cohort, also of those who belong to one from this day on. */
  count(day: Day, window: TimeWindow | null, { period, born, returned, mask, group }: Counting): void {
    const { count, person, revenue, purchases, firstHit } = day.visits // read once, because a property of a sealed day is slow
    const counted = { day, window, period, revenue, purchases, firstHit, completed: returned && bitsOfHits(returned, day) }
    const unknown = this.#unknown(count)
    let found = 0
    for (let v = 0; v < count; v++) {
      const who = person[v]!
      if (who === 0) continue
      const state = this.#stateOf(who)
      if (state === 0) unknown[found++] = v
      else if (state >= FIRST_COHORT) this.#add(v, who, counted)
    }
    const visits = unknown.subarray(0, found)
    for (const who of this.#firstVisits(day, visits, { window, born })) {
      const visit = this.#states[who * WIDTH + HIGH]!
      this.#states[who * WIDTH + LOW] = 0
      this.#states[who * WIDTH + HIGH] = 0
      this.#states[who * WIDTH + COHORT] = mask === null || mask[visit] === 1 ? period + FIRST_COHORT : NO_COHORT
      this.#states[who * WIDTH + GROUP] = group?.[visit] ?? 0
    }
    for (const v of visits) if (this.#stateOf(person[v]!) >= FIRST_COHORT) this.#add(v, person[v]!, counted)
  }

  #stateOf(who: number): number {
    const at = who * WIDTH + COHORT
    return at < this.#states.length ? this.#states[at]! : 0
  }

  /** The persons of these visits. Of each, the earliest visit is kept, or the one that first completed the goal. */
  #firstVisits(
    day: Day,
    visits: Uint32Array,
    { window, born }: { readonly window: TimeWindow | null; readonly born: GoalBits | null },
  ): readonly number[] {
    if (visits.length === 0) return []
    const completed = born && bitsOfHits(born, day)
    const { person, firstHit } = day.visits
    const times = day.hits.at
    const isWhole = window === null && completed === null
    const found: number[] = []
    for (const v of visits) {
      const who = person[v]!
      const at = isWhole && firstHit[v]! < firstHit[v + 1]! ? times[firstHit[v]!]! : firstHitOf(day, v, window, completed)
      if (at < 0) continue
      this.#reach(who)
      const state = who * WIDTH
      if (this.#states[state + COHORT] === 0) {
        this.#states[state + COHORT] = TODAY
        found.push(who)
      } else if (at >= this.#states[state + LOW]!) continue
      this.#states[state + LOW] = at
      this.#states[state + HIGH] = v
    }
    return found
  }

  /** Counts a visit of a person in a cohort. */
  #add(visit: number, who: number, { day, window, period, revenue, purchases, firstHit, completed }: Counted): void {
    const states = this.#states
    const at = who * WIDTH
    const cohort = states[at + COHORT]! - FIRST_COHORT
    if (window !== null) {
      const money = moneyWithin(day, visit, window)
      this.#pay(who, cohort * this.#periods + period, money)
    } else if (revenue[visit] !== 0 || purchases[visit] !== 0)
      this.#pay(who, cohort * this.#periods + period, { revenue: revenue[visit]!, purchases: purchases[visit]! })
    const index = period - cohort
    const place = at + (index < BITS ? LOW : HIGH)
    const bit = 1 << (index % BITS)
    if ((states[place]! & bit) !== 0) return
    const isWhole = window === null && completed === null && firstHit[visit]! < firstHit[visit + 1]!
    if (isWhole || firstHitOf(day, visit, window, completed) >= 0) states[place]! |= bit
  }

  #pay(who: number, cell: number, { revenue, purchases }: { readonly revenue: number; readonly purchases: number }): void {
    if (revenue === 0 && purchases === 0) return
    this.#money[cell]! += revenue
    const spent = this.#spent.get(who) ?? { revenue: 0, bought: 0 }
    this.#spent.set(who, { revenue: spent.revenue + revenue, bought: Math.min(2, spent.bought + purchases) })
  }

  cohorts(): RetentionCohort[] {
    const counts = new Counts(this.#periods)
    const customers = new Uint32Array(this.#periods)
    const repeated = new Uint32Array(this.#periods)
    this.#each(who => this.#addTo(counts, who))
    for (const [who, { bought }] of this.#spent) {
      const cohort = this.#states[who * WIDTH + COHORT]! - FIRST_COHORT
      if (bought >= 1) customers[cohort]!++
      if (bought >= 2) repeated[cohort]!++
    }
    return counts.cohorts().map(({ people, cells }, i) => ({
      people,
      customers: customers[i]!,
      repeated: repeated[i]!,
      cells: cells.map((cell, index) => ({ ...cell, revenue: this.#money[i * this.#periods + i + index]! })),
    }))
  }

  /** The groups with the most persons. */
  largestGroups(names: readonly string[], limit: number): number[] {
    const sizes = new Float64Array(names.length)
    this.#each(who => sizes[this.#states[who * WIDTH + GROUP]!]!++)
    const found = Array.from(sizes.keys()).filter(group => sizes[group]! > 0)
    return best(found, (a, b) => sizes[b]! - sizes[a]! || (names[a]! < names[b]! ? -1 : 1), limit)
  }

  groups(wanted: readonly number[], names: readonly string[]): RetentionGroup[] {
    const groups = new Map(
      wanted.map(group => [
        group,
        { value: names[group] ?? '', people: 0, revenue: 0, customers: 0, repeated: 0, counts: new Counts(this.#periods) },
      ]),
    )
    this.#each(who => {
      const group = groups.get(this.#states[who * WIDTH + GROUP]!)
      if (!group) return
      group.people++
      const { revenue, bought } = this.#spent.get(who) ?? nothing
      group.revenue += revenue
      if (bought >= 1) group.customers++
      if (bought >= 2) group.repeated++
      this.#addTo(group.counts, who)
    })
    return Array.from(groups.values(), ({ counts, ...group }) => ({ ...group, cohorts: counts.cohorts() }))
  }

  /** Calls with every person of a cohort. */
  #each(call: (who: number) => void): void {
    for (let at = COHORT; at < this.#states.length; at += WIDTH) if (this.#states[at]! >= FIRST_COHORT) call(at / WIDTH)
  }

  #addTo(counts: Counts, who: number): void {
    const at = who * WIDTH
    counts.add(this.#states[at + COHORT]! - FIRST_COHORT, this.#states[at + LOW]!, this.#states[at + HIGH]!)
  }

  #reach(who: number): void {
    if (who * WIDTH < this.#states.length) return
    const states = new Int32Array(Math.max((who + 1) * WIDTH, this.#states.length * 2))
    states.set(this.#states)
    this.#states = states
  }
}
const nothing = Object.freeze({ revenue: 0, bought: 0 })

/** When the visit's first hit came, or the first that completed a goal, in ms since the start of the day; -1 without one in the window. */
function firstHitOf({ visits, hits }: Day, visit: number, window: TimeWindow | null, completed: Uint32Array | null): number {
  for (let h = visits.firstHit[visit]!; h < visits.firstHit[visit + 1]!; h++) {
    if (completed !== null && completed[h] === 0) continue
    const at = hits.at[h]!
    if (window === null || (at >= window.from && at < window.to)) return at
  }
  return -1
}

function moneyWithin({ visits, hits }: Day, visit: number, { from, to }: TimeWindow): { revenue: number; purchases: number } {
  const money = { revenue: 0, purchases: 0 }
  for (let h = visits.firstHit[visit]!; h < visits.firstHit[visit + 1]!; h++) {
    if (hits.at[h]! < from || hits.at[h]! >= to) continue
    money.revenue += hits.revenue[h]!
    if (hits.revenue[h]! > 0) money.purchases++
  }
  return money
}

/** How many persons of each cohort came back, by period. */
class Counts {
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

  cohorts(): { readonly people: number; readonly cells: readonly { readonly people: number }[] }[] {
    return Array.from(this.#people, (people, i) => ({
      people,
      cells: Array.from({ length: this.#periods - i }, (_, index) => ({ people: this.#cells[i * this.#periods + index]! })),
    }))
  }
}
