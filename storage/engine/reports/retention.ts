/**
 * Retention: persons by the period of their first visit (or first completion of a goal), and how many came back in each period
 * after it. Days are read from the first one of the site on, because only then a first visit is known to be the first. (Every `!` is
 * inside bounds.)
 */
import type { Day } from '../days/day.ts'
import type { Column } from '../columns/column.ts'
import { allReads, columnsRead, NO_COLUMNS } from '../days/reads.ts'
import { type TimeWindow, windowOn } from '../days/spans.ts'
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
export interface RetentionCell {
  readonly people: number
  /** Minor units, of all visits of the cohort in the period. */
  readonly revenue: number
}
export interface RetentionCohort {
  readonly people: number
  /** Persons with a purchase, and with at least two. */
  readonly customers: number
  readonly repeated: number
  /** From the period of the cohort itself to the last one. */
  readonly cells: readonly RetentionCell[]
}
export interface RetentionGroup {
  readonly value: string
  readonly cohorts: readonly RetentionCohort[]
}
export interface Retention {
  readonly report: 'retention'
  readonly cohorts: readonly RetentionCohort[]
  /** The values of `by` with the most persons. */
  readonly groups: readonly RetentionGroup[]
  /** Values of `by` in all. */
  readonly values: number
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

  const goalReads = [born, returned].map(bits => (bits ? readsOfGoals(bits) : NO_COLUMNS))
  const before = allReads([columnsRead('visits.person', 'visits.firstHit', 'hits.at'), ...goalReads.slice(0, 1)])
  const within = allReads([
    before,
    columnsRead('visits.revenue', 'visits.purchases', 'hits.revenue'),
    readsOfConditions(conditions),
    ...goalReads,
    column ? columnsRead(`visits.${column}`) : NO_COLUMNS,
  ])
  const firstDay = starts[0] ?? Infinity
  const people = new People(starts)

  return {
    spans: [span],
    reads: day => (windowOn(span, day) === undefined ? null : day.day < firstDay ? before : within),
    scans: true,
    add(day) {
      const window = windowOn(span, day)
      if (window === undefined) return
      const period = people.periodOf(day.day)
      const births = people.firstVisits(day, window, born)
      if (period < 0) return people.remember(births)
      people.begin(births, { period, mask: workspace.masks.of(day, conditions), group: column && day.visits[column] })
      people.count(day, window, { period, returned })
    },
    answer() {
      const groups = [...people.groups].filter(([, cohorts]) => cohorts.some(({ people }) => people > 0))
      const sizeOf = (cohorts: readonly Counted[]) => cohorts.reduce((sum, { people }) => sum + people, 0)
      const nameOf = (group: number) => names[group] ?? ''
      const top = groups.sort(([a, x], [b, y]) => sizeOf(y) - sizeOf(x) || (nameOf(a) < nameOf(b) ? -1 : 1))
      return {
        report: 'retention',
        cohorts: sumOf(
          groups.map(([, cohorts]) => cohorts),
          starts.length - 1,
        ),
        groups: column === null ? [] : top.slice(0, limit).map(([group, cohorts]) => ({ value: nameOf(group), cohorts })),
        values: column === null ? 0 : groups.length,
      }
    },
  }
}

interface Counted extends RetentionCohort {
  people: number
  customers: number
  repeated: number
  readonly cells: { people: number; revenue: number }[]
}
const blank = (periods: number): Counted[] =>
  Array.from({ length: periods }, (_, i) => ({
    people: 0,
    customers: 0,
    repeated: 0,
    cells: Array.from({ length: periods - i }, () => ({ people: 0, revenue: 0 })),
  }))

function sumOf(all: readonly (readonly Counted[])[], periods: number): Counted[] {
  const [first, ...others] = all
  if (first && others.length === 0) return [...first]
  const sum = blank(periods)
  for (const cohorts of all) {
    for (const [i, { people, customers, repeated, cells }] of cohorts.entries()) {
      const one = sum[i]!
      one.people += people
      one.customers += customers
      one.repeated += repeated
      for (const [k, cell] of cells.entries()) {
        one.cells[k]!.people += cell.people
        one.cells[k]!.revenue += cell.revenue
      }
    }
  }
  return sum
}

/** A visit that may make its person part of a cohort. */
interface Birth {
  readonly at: number
  readonly visit: number
}

/** The state of each person. Days come in order, so a person is counted once in a period by comparing with the last one. */
class People {
  readonly groups = new Map<number, Counted[]>()
  readonly #starts: readonly number[]
  /** By person: 0 if not seen yet, 1 if in no cohort, otherwise the cohort plus 2. */
  #cohort = new Uint16Array(1024)
  #group = new Uint32Array(1024)
  /** By person: the last period of a return, plus 1. */
  #last = new Uint16Array(1024)
  /** By person: 0, 1 or 2 purchases. */
  #bought = new Uint8Array(1024)

  constructor(starts: readonly number[]) {
    this.#starts = starts
  }

  /** The period of a local day; negative before the first, or after the last. */
  periodOf(day: number): number {
    if (day >= (this.#starts.at(-1) ?? 0)) return -1
    let period = -1
    while (day >= (this.#starts[period + 1] ?? Infinity)) period++
    return period
  }

  /** For each person who is in no cohort yet: the earliest visit of the day, or the one that first completed the goal. */
  firstVisits(day: Day, window: TimeWindow | null, born: GoalBits | null): Map<number, Birth> {
    const { count, person } = day.visits
    const completed = born && bitsOfHits(born, day)
    const births = new Map<number, Birth>()
    for (let v = 0; v < count; v++) {
      const who = person[v]!
      if (who === 0 || (this.#cohort[who] ?? 0) !== 0) continue
      const at = firstHitOf(day, v, window, completed)
      if (at < 0) continue
      const known = births.get(who)
      if (known === undefined || at < known.at) births.set(who, { at, visit: v })
    }
    return births
  }

  /** Persons of these first visits are in no cohort. */
  remember(births: ReadonlyMap<number, Birth>): void {
    for (const who of births.keys()) {
      this.#reach(who)
      this.#cohort[who] = 1
    }
  }

  begin(
    births: ReadonlyMap<number, Birth>,
    { period, mask, group }: { readonly period: number; readonly mask: Uint8Array | null; readonly group: Column | null },
  ): void {
    for (const [who, { visit }] of births) {
      this.#reach(who)
      if (mask !== null && mask[visit] === 0) {
        this.#cohort[who] = 1
        continue
      }
      this.#cohort[who] = period + 2
      this.#group[who] = group?.[visit] ?? 0
      this.#cohortOf(who).people++
    }
  }

  count(day: Day, window: TimeWindow | null, { period, returned }: { readonly period: number; readonly returned: GoalBits | null }): void {
    const { count, person, revenue, purchases } = day.visits
    const completed = returned && bitsOfHits(returned, day)
    for (let v = 0; v < count; v++) {
      const who = person[v]!
      const cohort = (this.#cohort[who] ?? 0) - 2
      if (who === 0 || cohort < 0) continue
      const money = window === null ? { revenue: revenue[v]!, purchases: purchases[v]! } : moneyWithin(day, v, window)
      const counted = this.#cohortOf(who)
      const cell = counted.cells[period - cohort]!
      cell.revenue += money.revenue
      for (let i = 0; i < money.purchases && this.#bought[who]! < 2; i++) {
        this.#bought[who]!++
        if (this.#bought[who] === 1) counted.customers++
        else counted.repeated++
      }
      if (this.#last[who] === period + 1 || firstHitOf(day, v, window, completed) < 0) continue
      this.#last[who] = period + 1
      cell.people++
    }
  }

  #cohortOf(who: number): Counted {
    const group = this.#group[who]!
    const known = this.groups.get(group) ?? blank(this.#starts.length - 1)
    this.groups.set(group, known)
    return known[this.#cohort[who]! - 2]!
  }

  #reach(who: number): void {
    if (who < this.#cohort.length) return
    const length = Math.max(who + 1, this.#cohort.length * 2)
    const grown = <A extends Uint8Array | Uint16Array | Uint32Array>(wider: A, old: A) => {
      wider.set(old)
      return wider
    }
    this.#cohort = grown(new Uint16Array(length), this.#cohort)
    this.#group = grown(new Uint32Array(length), this.#group)
    this.#last = grown(new Uint16Array(length), this.#last)
    this.#bought = grown(new Uint8Array(length), this.#bought)
  }
}

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
