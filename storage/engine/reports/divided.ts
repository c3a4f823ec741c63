/** A series over time for each of a few values of a dimension, and one for all other values together. */
import { dimensionOf } from '../vocabulary/dimensions.ts'
import { bounceBasisUnder } from '../scan/bounce-basis.ts'
import { dividedBy, dividedOver } from '../scan/divided.ts'
import { ownGoals, resolveAll, silent } from '../scan/resolve.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { Sums } from '../vocabulary/sums.ts'
import type { Report } from './report.ts'

export interface DividedQuestion {
  readonly report: 'divided'
  readonly dimension: string
  /** As in the rows of a breakdown; fewer than 31. */
  readonly values: readonly string[]
  /** In order, not overlapping. */
  readonly spans: readonly Span[]
}
export interface Divided {
  readonly report: 'divided'
  /** The sums of every span: for each value, then for all other values together. */
  readonly series: Sums[][]
}

export const dividedReport: Report<DividedQuestion, Divided> = async ({ where, goals }, { dimension: name, values, spans }, context) => {
  const dimension = dimensionOf(name)
  if (!dimension) throw new Error(`no dimension ${name}`)
  const { texts } = context
  const conditions = await resolveAll(where, context)
  const narrowing = context.workspace.narrowings.by(conditions)
  const grouping = await dividedBy(dimension, values, {
    narrowing,
    goals: ownGoals(where, goals),
    basis: bounceBasisUnder(narrowing, dimension.level === 'page' ? silent(context) : context),
    texts,
  })
  const counting = dividedOver(spans, conditions, grouping, context)
  return {
    spans,
    reads: counting.reads,
    scans: counting.scans,
    add: counting.add,
    answer() {
      const points = counting.sums()
      const series = Array.from({ length: grouping.count }, (_, group) => points.flatMap(sums => sums[group] ?? []))
      return { report: 'divided', series }
    },
  }
}
