/** The top values of a dimension. */
import { dimensionOf } from '../vocabulary/dimensions.ts'
import { countOver, groupingOf, everything } from '../scan/breakdown.ts'
import { bounceBasisUnder } from '../scan/bounce-basis.ts'
import { byViewedPage } from '../scan/viewing-visits.ts'
import { countTogether } from '../scan/day-counter.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { CountedSums } from '../vocabulary/sums.ts'
import type { Report } from './report.ts'
import { ownGoals, resolveAll, silent, withoutConversions } from '../scan/resolve.ts'
import { isConverting, positives } from '../vocabulary/conditions.ts'
import { Tally } from '../days/tally.ts'
import type { PeopleTally } from '../scan/people.ts'
import { type Ranking, rankedGroups, sumsOf } from './top.ts'

/** The values of a dimension, optionally compared with another span. */
export interface BreakdownQuestion extends Ranking {
  readonly report: 'breakdown'
  readonly dimension: string
  readonly span: Span
  readonly compared: Span | null
  /** Whether rows of pages say what the visits brought that viewed them. */
  readonly isBroughtCounted?: boolean
  /** Whether distinct persons are counted, which takes a column of every day. */
  readonly isPeopleCounted?: boolean
}
export interface BreakdownRow {
  readonly value: string
  readonly sums: CountedSums
  readonly compared: CountedSums | null
  /** Visitors who could have converted, here and in `compared`; 0 if the report is not about goals. */
  readonly base: number
  readonly comparedBase: number
}

export interface Breakdown {
  readonly report: 'breakdown'
  readonly rows: BreakdownRow[]
  /** Number of rows on all pages. */
  readonly total: number
  /** The whole span, for all values. */
  readonly all: CountedSums
  readonly comparedAll: CountedSums | null
}

export const breakdownReport: Report<BreakdownQuestion, Breakdown> = async ({ where, goals }, asked, context) => {
  const { span, compared } = asked
  const dimension = dimensionOf(asked.dimension)
  if (!dimension) throw new Error(`no dimension ${asked.dimension}`)
  const { texts, note } = context
  const unheard = silent(context)
  const { narrowings } = context.workspace
  const conditions = await resolveAll(where, context)
  const narrowing = narrowings.by(conditions)
  const basis = bounceBasisUnder(narrowing, dimension.level === 'page' ? unheard : context)
  const own = { goals: ownGoals(where, goals), basis, texts, known: context.known }
  const grouping = await groupingOf(dimension, { ...own, narrowing })
  const brought = asked.isBroughtCounted && dimension.level === 'page' ? [await byViewedPage({ ...own, narrowing })] : []
  if (positives(where, dimension.name).length > 0 && dimension.level !== 'visit')
    note({ code: 'only_matching_hits', dimension: dimension.name })

  const convertible = await resolveAll(withoutConversions(where), unheard)
  const converting = isConverting(dimension.name, where)
  const ofGroup = async () =>
    dimension.level === 'goal' ? everything('all') : groupingOf(dimension, { ...own, narrowing: narrowings.by(convertible) })
  const ofBase = converting ? [await ofGroup()] : []
  const over = (part: Span) => {
    const counting = countOver(part, conditions, [grouping, everything(basis), ...brought], {
      ...context,
      isPeopleCounted: asked.isPeopleCounted,
    })
    const base = countOver(part, convertible, ofBase, context)
    const all = counting.tallies[1] ?? new Tally(0)
    const baseOf = (group: number) => base.tallies[0]?.figure(dimension.level === 'goal' ? 0 : group, 'visitors') ?? 0
    return {
      counting: [counting, base],
      rows: counting.tallies[0] ?? new Tally(0),
      all,
      brought: counting.tallies[2] ?? null,
      people: counting.people[0] ?? null,
      allPeople: counting.people[1] ?? null,
      base: baseOf,
      bases: (group: number) => ({ allVisitors: all.figure(0, 'visitors'), convertible: baseOf(group) }),
    }
  }
  const now = over(span)
  const then = compared && over(compared)

  return {
    spans: compared ? [span, compared] : [span],
    ...countTogether([...now.counting, ...(then ? then.counting : [])]),
    answer() {
      const { groups, total } = rankedGroups(now, grouping.name, asked, then)
      const rows = groups.map(group => ({
        value: grouping.name(group),
        sums: sumsOf(now, group),
        compared: then && sumsOf(then, group),
        base: now.base(group),
        comparedBase: then ? then.base(group) : 0,
      }))
      return { report: 'breakdown', rows, total, all: totalOf(now), comparedAll: then && totalOf(then) }
    },
  }
}

const totalOf = ({ all, allPeople }: { readonly all: Tally; readonly allPeople: PeopleTally | null }): CountedSums => ({
  ...all.of(0),
  ...allPeople?.of(0),
})
