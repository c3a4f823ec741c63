/**
 * Retention: persons by the period of their first visit (or first completion of a goal), and how many came back in each period
 * after it. Days are read from the first one of the site on, because only then a first visit is known to be the first.
 */
import { allReads, columnsRead, NO_COLUMNS } from '../days/reads.ts'
import { windowOn } from '../days/spans.ts'
import { readsOfConditions } from '../scan/condition.ts'
import { goalBits, type GoalBits, readsOfGoals } from '../scan/goals.ts'
import type { RetentionCohort, RetentionGroup } from '../scan/retention/cohorts.ts'
import { People } from '../scan/retention/people.ts'
import { Returning } from '../scan/retention/returning.ts'
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
  // Columns of whole days for visitors without conditions, of whom no times are read.
  const wholeBefore = columnsRead('visits.person', 'visits.firstHit')
  const whole = allReads([wholeBefore, columnsRead('visits.revenue', 'visits.purchases')])
  const firstDay = starts[0] ?? Infinity
  // Which visit of a person is the first one matters only to a goal, a filter or a division.
  const isPlain = born === null && returned === null && conditions.length === 0 && column === null
  const people = isPlain ? null : new People(starts)
  const visitors = new Returning(starts, { zeros: context.zeros, paying: workspace.paying })

  return {
    spans: [span],
    reads(day) {
      const window = windowOn(span, day)
      if (window === undefined) return null
      const isBefore = day.day < firstDay
      if (isPlain && window === null) return isBefore ? wholeBefore : whole
      return isBefore ? readsBefore : readsWithin
    },
    scans: true,
    add(day) {
      const window = windowOn(span, day)
      if (window === undefined) return
      const period = periodOf(starts, day.day)
      if (people === null) visitors.count(day, period, window)
      else if (period < 0) people.remember(day, window, born)
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
      if (people === null) return { report: 'retention', cohorts: visitors.cohorts(), groups: [] }
      const groups = column === null ? [] : people.largestGroups(names, limit)
      return { report: 'retention', cohorts: people.cohorts(), groups: people.groups(groups, names) }
    },
  }
}

/** The period of a local day; negative before the first, or after the last. */
function periodOf(starts: readonly number[], day: number): number {
  if (day >= (starts.at(-1) ?? 0)) return -1
  let period = -1
  while (day >= (starts[period + 1] ?? Infinity)) period++
  return period
}
