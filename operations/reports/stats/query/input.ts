/** The input of a table: its dimensions, metrics and order. */
import { Type } from '@sinclair/typebox'
import type { Fault } from '../../../../runtime/table/errors.ts'
import { type LimitCheck, limitedBy } from '../../../../runtime/table/report-limits.ts'
import { brief, OneOf, optional } from '../../../../runtime/table/schema.ts'
import { checkedBy } from '../../../../runtime/table/validate.ts'
import { fieldTerm } from '../../../../runtime/texts/message.ts'
import { isConverting } from '../../../../storage/engine/vocabulary/conditions.ts'
import { type Dimension, dimensionOf, DIMENSIONS_KNOWN, MAX_DIMENSION_LENGTH } from '../../../../storage/engine/vocabulary/dimensions.ts'
import { type MetricName, metrics, ofRows } from '../../../../storage/engine/vocabulary/metrics.ts'
import { type Condition, ORDERS, RANKS } from '../../../../storage/engine/vocabulary/scope.ts'
import { otherDimensions } from '../../../sites/segments/index.ts'
import { intervalInput, rowsInput, statsInput } from '../input.ts'
import { hiddenMetrics } from '../limited.ts'
import { m } from '../messages.ts'
import { dimensionSynonym } from '../synonyms.ts'

/** The name of time among the dimensions. */
export const TIME = 'time'
const MAX_DIMENSIONS = 3
const allMetrics = Object.keys(metrics) as MetricName[] // the object's own keys
export const defaultMetrics = ['visitors', 'visits', 'pageviews'] as const satisfies readonly MetricName[]

const exceptTime: LimitCheck = (value, checked) =>
  otherDimensions(value, checked).filter(({ pointer }) => !isTime(value, Number(pointer.split('/').at(-1))))
const isTime = (value: unknown, place: number): boolean => Array.isArray(value) && value[place] === TIME

/** The dimension that a word means; unknown words stay as they are. */
export const named = (word: string): string => (word === TIME ? word : (dimensionSynonym(word) ?? word))

export const queryInput = {
  ...statsInput,
  dimensions: Type.Array(Type.String({ maxLength: MAX_DIMENSION_LENGTH, description: 'A dimension.' }), {
    default: [],
    maxItems: MAX_DIMENSIONS,
    description: `What the rows are divided by, in this order; none for one row with totals. \`${TIME}\` (points of \`interval\`), ${DIMENSIONS_KNOWN}. Several dimensions of hits (pages, events, goals, properties) are values of one hit.`,
    [brief]: { description: `\`${TIME}\` and dimensions of stats_breakdown, at most ${MAX_DIMENSIONS}; none: totals.` },
    [limitedBy]: exceptTime,
    [checkedBy]: given => unknownDimensions(Array.isArray(given) ? given.map(String) : []),
  }),
  metrics: Type.Array(OneOf(allMetrics, { description: 'A metric.' }), {
    default: [...defaultMetrics],
    minItems: 1,
    maxItems: allMetrics.length,
    [limitedBy]: hiddenMetrics,
    description:
      'Columns of the table. `entries`, `exits`, `exit_rate` and `time_on_page` require the dimension `page`; `conversion_rate` the dimension `goal` or a filter on a goal.',
    [brief]: { description: 'Columns: as in stats_breakdown.', items: { type: 'string' } },
  }),
  interval: intervalInput,
  sort: optional(
    OneOf([TIME, ...allMetrics], {
      [limitedBy]: hiddenMetrics,
      description:
        'What to sort by: any metric, also one that is not shown, or `time`. Defaults to `time` if it is a dimension, otherwise to the first metric.',
      [brief]: { description: 'Any metric, or `time`.', enum: undefined },
    }),
  ),
  order: optional(
    OneOf(ORDERS, {
      description: 'Order: `desc` for most first, `asc` for least first. Defaults to `asc` for time, otherwise to `desc`.',
      [brief]: { description: 'desc: most.' },
    }),
  ),
  rank: OneOf(RANKS, {
    default: 'value',
    description: 'With `compare`: `gain` sorts by the increase and returns only rows that gained; `loss` returns rows that lost.',
    [brief]: { description: 'As in stats_breakdown.' },
  }),
  ...rowsInput(25),
}

export const unknownDimensions = (names: readonly string[]): Fault[] =>
  names.flatMap((given, i): Fault[] => {
    const [name, pointer] = [named(given), `/dimensions/${i}`]
    const field = `dimensions.${i}`
    if (names.findIndex(other => named(other) === name) < i)
      return [{ pointer, code: 'mismatch', message: m.dimension_twice({ field, received: JSON.stringify(name.slice(0, 80)) }) }]
    if (name === TIME || dimensionOf(name)) return []
    const message = m.unknown_dimension({ field, known: TABLE_DIMENSIONS, received: JSON.stringify(given.slice(0, 80)) })
    return [{ pointer, code: 'not_in_enum', message }]
  })

/** Returns the metrics that a table with these dimensions can have. */
export function possibleMetrics(dimensions: readonly Dimension[], where: readonly Condition[]): MetricName[] {
  const levels = dimensions.map(({ level }) => level)
  const has = (level: Dimension['level']) => levels.includes(level)
  const isOfPagesOnly = has('page') && !has('event') && !has('property')
  return [
    ...ofRows,
    'views_per_visit',
    'conversions',
    ...(has('goal') || isOfPagesOnly ? [] : (['events'] as const)),
    ...(has('goal') ? [] : (['visit_revenue'] as const)),
    ...(has('page') ? (['entries', 'exits', 'exit_rate', 'time_on_page'] as const) : []),
    ...(has('goal') || isConverting('', where) ? (['conversion_rate'] as const) : []),
  ]
}

/** The accepted names of dimensions, for messages. */
export const TABLE_DIMENSIONS = `${TIME}, ${DIMENSIONS_KNOWN}`

/** Returns the metrics that a table can have. @param names known dimensions */
export const metricsOfTable = (names: readonly string[], where: readonly Condition[]): readonly string[] =>
  possibleMetrics(
    names.flatMap(name => dimensionOf(name) ?? []),
    where,
  )

interface Sorted {
  readonly sort: string | undefined
  readonly dimensions: readonly Dimension[]
  readonly hasTime: boolean
  readonly where: readonly Condition[]
}

/** Returns a fault if rows cannot be sorted as requested. */
export function unsortableBy({ sort, dimensions, hasTime, where }: Sorted): Fault[] {
  if (sort === undefined || (sort === TIME && hasTime)) return []
  const possible = possibleMetrics(dimensions, where)
  if (sort !== TIME && (possible as readonly string[]).includes(sort)) return []
  const known = [...(hasTime ? [TIME] : []), ...possible].map(fieldTerm)
  const names = dimensions.map(({ name }) => name).join(', ')
  const message = m.not_sorted_by({ field: fieldTerm('sort'), metric: fieldTerm(sort), dimension: names || m.none(), known })
  return [{ pointer: '/sort', code: 'mismatch', message }]
}
