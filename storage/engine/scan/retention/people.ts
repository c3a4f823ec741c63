/**
 * Persons by the visit that makes them part of a cohort, where a goal, a filter or a division decides which visit it is. (Every `!` is
 * inside bounds.)
 */
import { reusedBuffer } from '../../columns/buffers.ts'
import type { Column } from '../../columns/column.ts'
import type { Day } from '../../days/day.ts'
import type { TimeWindow } from '../../days/spans.ts'
import { best } from '../best.ts'
import { bitsOfHits, type GoalBits } from '../goals.ts'
import {
  BITS,
  Counts,
  FIRST_COHORT,
  firstHitOf,
  moneyWithin,
  NO_COHORT,
  type RetentionCohort,
  type RetentionGroup,
  Spending,
} from './cohorts.ts'

/** A state next to the states of cohorts: seen first on the present day. */
const TODAY = 1
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
export class People {
  readonly #periods: number
  /**
   * By person, adjacent: 0 if not seen yet, `TODAY`, `NO_COHORT`, or the cohort plus `FIRST_COHORT`; two numbers with a bit for
   * each period after the period of the cohort in which they came back; and the group. Of a person who is seen first on the present day,
   * the two numbers are the time, ms since the start of the day, and the visit.
   */
  #states = new Int32Array(1024 * WIDTH)
  readonly #spending: Spending
  /** The visits of a day whose persons are in no cohort yet. */
  readonly #unknown = reusedBuffer(Uint32Array)

  constructor(starts: readonly number[]) {
    this.#periods = starts.length - 1
    this.#spending = new Spending(this.#periods)
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
    if (window !== null) this.#spending.pay(who, { cohort, period }, moneyWithin(day, visit, window))
    else if (revenue[visit] !== 0 || purchases[visit] !== 0)
      this.#spending.pay(who, { cohort, period }, { revenue: revenue[visit]!, purchases: purchases[visit]! })
    const index = period - cohort
    const place = at + (index < BITS ? LOW : HIGH)
    const bit = 1 << (index % BITS)
    if ((states[place]! & bit) !== 0) return
    const isWhole = window === null && completed === null && firstHit[visit]! < firstHit[visit + 1]!
    if (isWhole || firstHitOf(day, visit, window, completed) >= 0) states[place]! |= bit
  }

  cohorts(): RetentionCohort[] {
    const counts = new Counts(this.#periods)
    this.#each(who => this.#addTo(counts, who))
    return this.#spending.with(counts.cohorts(), who => this.#states[who * WIDTH + COHORT]! - FIRST_COHORT)
  }

  /** The groups with the most persons. */
  largestGroups(names: readonly string[], limit: number): number[] {
    const sizes = new Float64Array(names.length)
    this.#each(who => sizes[this.#states[who * WIDTH + GROUP]!]!++)
    const found = Array.from(sizes.keys()).filter(group => sizes[group]! > 0)
    return best(found, (a, b) => sizes[b]! - sizes[a]! || (names[a]! < names[b]! ? -1 : 1), limit)
  }

  groups(wanted: readonly number[], names: readonly string[]): RetentionGroup[] {
    if (wanted.length === 0) return []
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
      const { revenue, bought } = this.#spending.of(who)
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
