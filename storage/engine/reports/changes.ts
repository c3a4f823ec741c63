/** The values of a dimension whose visitors changed most between two spans, including values in only one of them. */
import { dimensionOf } from '../vocabulary/dimensions.ts'
import { countOver, groupingOf } from '../scan/breakdown.ts'
import { bounceBasisUnder } from '../scan/bounce-basis.ts'
import { countTogether } from '../scan/day-counter.ts'
import { impactOf } from '../vocabulary/impact.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { Report } from './report.ts'
import { ownGoals, resolveAll, silent } from '../scan/resolve.ts'

export interface ChangesQuestion {
  readonly report: 'changes'
  readonly dimension: string
  readonly span: Span
  readonly compared: Span
  /** Fewest visitors of both spans together. */
  readonly min: number
  readonly limit: number
  /** Longer values are left out, and so is the empty one if `blank` is false. */
  readonly maxLength: number
  readonly blank: boolean
}
export interface Change {
  readonly value: string
  /** Visitors. */
  readonly now: number
  readonly before: number
}
export interface Changes {
  readonly report: 'changes'
  /** By impact, highest first. */
  readonly changes: Change[]
}

export const changesReport: Report<ChangesQuestion, Changes> = async ({ where, goals }, asked, context) => {
  const { span, compared, min, limit, maxLength, blank } = asked
  const dimension = dimensionOf(asked.dimension)
  if (!dimension) throw new Error(`no dimension ${asked.dimension}`)
  const { texts } = context
  const conditions = await resolveAll(where, context)
  const narrowing = context.workspace.narrowings.by(conditions)
  const basis = bounceBasisUnder(narrowing, silent(context))
  const grouping = await groupingOf(dimension, { narrowing, goals: ownGoals(where, goals), basis, texts, known: context.known })
  const now = countOver(span, conditions, [grouping], context)
  const then = countOver(compared, conditions, [grouping], context)

  return {
    spans: [span, compared],
    ...countTogether([now, then]),
    answer() {
      const [visitors, visitorsBefore] = [now, then].map(counting => counting.tallies[0]?.column('visitors') ?? [])
      const found: (Change & { impact: number })[] = []
      for (let group = 0; group < grouping.count; group++) {
        const [to, from] = [visitors?.[group] ?? 0, visitorsBefore?.[group] ?? 0]
        if (to === from || to + from < min) continue
        const value = grouping.name(group)
        // Skip a value that reads like the blank one, since filters could not tell them apart.
        if (value.length > maxLength || (value === '' ? !blank : value === dimension.blank)) continue
        found.push({ value, now: to, before: from, impact: impactOf({ to, from, visitors: Math.max(to, from) }) })
      }
      found.sort((a, b) => b.impact - a.impact || (a.value < b.value ? -1 : 1))
      return { report: 'changes', changes: found.slice(0, limit).map(({ impact: _, ...change }) => change) }
    },
  }
}
