/** A series over time for each of a few values of a dimension, and one for all other values together. */
import { type Dimension, dimensionOf } from '../vocabulary/dimensions.ts'
import { bounceBasisUnder } from '../scan/bounce-basis.ts'
import type { ResolvedCondition } from '../scan/condition.ts'
import { countTogether } from '../scan/day-counter.ts'
import { dividedBy, dividedOver } from '../scan/divided.ts'
import { NONE } from '../scan/keys.ts'
import { type Context, ownGoals, resolveAll, silent } from '../scan/resolve.ts'
import { countTable, nothingElse, pairsOf } from '../scan/table-count.ts'
import { tableGroups } from '../scan/table-groups.ts'
import { folded, partOf } from '../scan/table-parts.ts'
import { completionsOf } from '../scan/viewing-visits.ts'
import type { Condition, Goal, Span } from '../vocabulary/scope.ts'
import type { CountedSums } from '../vocabulary/sums.ts'
import type { Report } from './report.ts'

export interface DividedQuestion {
  readonly report: 'divided'
  readonly dimension: string
  /** As in the rows of a breakdown; fewer than 31. */
  readonly values: readonly string[]
  /** In order, not overlapping. */
  readonly spans: readonly Span[]
  /** Whether to count how often the visits of each value completed goals; not of goals, whose hits are that. */
  readonly isConversionsCounted?: boolean
  readonly isPeopleCounted?: boolean
}
export interface Divided {
  readonly report: 'divided'
  /** The sums of every span: for each value, then for all other values together. */
  readonly series: CountedSums[][]
}

export const dividedReport: Report<DividedQuestion, Divided> = async ({ where, goals }, asked, context) => {
  const { dimension: name, values, spans } = asked
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
    known: context.known,
  })
  const counting = dividedOver(spans, conditions, grouping, { ...context, isPeopleCounted: asked.isPeopleCounted })
  const isCounted = asked.isConversionsCounted === true && dimension.level !== 'goal'
  const converting = isCounted ? await conversionsOver({ dimension, values, spans }, { where, goals, conditions }, context) : null
  return {
    spans,
    ...countTogether([counting, ...(converting ? [converting] : [])]),
    answer() {
      const points = counting.sums()
      const series = Array.from({ length: grouping.count }, (_, group) =>
        points.flatMap((sums, point) => {
          const one = sums[group]
          return one ? { ...one, ...(converting && { completions: converting.of(group, point) }) } : []
        }),
      )
      return { report: 'divided', series }
    },
  }
}

interface Conversions {
  readonly where: readonly Condition[]
  readonly goals: readonly Goal[]
  readonly conditions: readonly ResolvedCondition[]
}

/** How often the visits of each value, and those of all others, completed goals. */
async function conversionsOver(
  { dimension, values, spans }: { readonly dimension: Dimension; readonly values: readonly string[]; readonly spans: readonly Span[] },
  { where, goals, conditions }: Conversions,
  context: Context,
) {
  const narrowing = context.workspace.narrowings.by(conditions)
  const options = { narrowing, goals: ownGoals(where, goals), texts: context.texts, known: context.known }
  const groups = await tableGroups([folded(await partOf(dimension, options, null), values)], {}, options)
  const pairs = pairsOf(spans.length)
  const count = countTable(
    {
      ...{ points: spans, conditions, narrowing, groups, pairs, basis: 'all' },
      needs: { ...nothingElse, brought: true },
      completing: await completionsOf(options.goals, narrowing, context.texts),
    },
    context,
  )
  return {
    ...count,
    of(group: number, point: number): number {
      const found = count.isSingle ? group : pairs.find(group * spans.length + point)
      return found === NONE ? 0 : (count.sumsOf(found).completions ?? 0)
    },
  }
}
