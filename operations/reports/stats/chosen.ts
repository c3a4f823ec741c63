/** Selects the metrics of a response: all that apply, or the requested ones. */
import { Type } from '@sinclair/typebox'
import type { Fault } from '../../../runtime/table/errors.ts'
import { limitedBy } from '../../../runtime/table/report-limits.ts'
import { brief, OneOf } from '../../../runtime/table/schema.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { isConverting } from '../../../storage/engine/vocabulary/conditions.ts'
import type { Dimension, Level } from '../../../storage/engine/vocabulary/dimensions.ts'
import { NEW_PERSON } from '../../../storage/engine/vocabulary/derived.ts'
import { headline, type MetricName, ofRows, ofSeries, ofSomeRows } from '../../../storage/engine/vocabulary/metrics.ts'
import { type Condition, type Sort, SORTS } from '../../../storage/engine/vocabulary/scope.ts'
import { hiddenMetrics } from './limited.ts'
import { fieldTerm, type MessageValue } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'
import type { Note } from './report-notes.ts'

const input = <const M extends readonly MetricName[]>(names: M, defaults: string) =>
  Type.Array(OneOf(names, { description: 'A metric.' }), {
    default: [],
    maxItems: names.length,
    [limitedBy]: hiddenMetrics,
    description: `Only these metrics, for a shorter response. ${defaults}`,
    [brief]: { description: 'Only these; shorter.' },
  })
export const rowMetricsInput = input(
  [...ofRows, ...ofSomeRows],
  'Defaults to all but `people`, and `visit_revenue` and `conversions` of pages.',
)
export const pointMetricsInput = input(
  [...headline, ...ofSeries],
  'Defaults to all, and with `by` to all but `conversions`, which goals have by default.',
)

/** Whether persons of a site can be counted. */
export const hasPeople = ({ identity }: Pick<LiveSite, 'identity'>): boolean => identity === 'declared'

/** Returns the headline metrics of a site. */
export const headlineOf = (site: Pick<LiveSite, 'identity'>) => headline.filter(name => name !== 'people' || hasPeople(site))

/** Returns the metrics that rows of a dimension have, unless others are requested. */
export function metricsOf(dimension: Dimension, where: readonly Condition[]): MetricName[] {
  const converting: MetricName[] = isConverting(dimension.name, where) ? ['conversion_rate'] : []
  return [...new Set([...ofRows, ...dimension.metrics, ...converting])]
}

/** Returns the metrics that rows of a dimension can have. */
export const possibleMetricsOf = (dimension: Dimension, where: readonly Condition[]): MetricName[] => [
  ...metricsOf(dimension, where),
  'people',
  ...dimension.onRequest,
]

/** Whether one of the metrics is counted only on request. */
export const isOnRequest = ({ onRequest }: Dimension, names: readonly MetricName[]): boolean => names.some(name => onRequest.includes(name))

/** Returns the requested metrics of rows; by default all, and of those that are counted only on request those that rows are sorted by. */
export const rowMetrics = (
  dimension: Dimension,
  where: readonly Condition[],
  { wanted, sort }: { wanted: readonly MetricName[]; sort: Sort },
): readonly MetricName[] => {
  if (wanted.length > 0) return chosenOf(possibleMetricsOf(dimension, where), wanted)
  const people: MetricName[] = sort === 'people' ? ['people'] : []
  return [...metricsOf(dimension, where), ...people, ...(isOnRequest(dimension, [sort]) ? dimension.onRequest : [])]
}

/** Returns a fault if rows of a dimension cannot be sorted by a metric, because they do not have it. */
export function unsortable(sort: Sort, dimension: Dimension, where: readonly Condition[]): Fault[] {
  const possible = possibleMetricsOf(dimension, where)
  if (possible.includes(sort)) return []
  const known = SORTS.filter(name => possible.includes(name)).map(fieldTerm)
  return [
    {
      pointer: '/sort',
      code: 'mismatch',
      message: m.not_sorted_by({ field: fieldTerm('sort'), metric: fieldTerm(sort), dimension: dimension.name, known }),
    },
  ]
}

/** Returns the metrics that points of a series have. A series divided by a dimension also has metrics that are counted per hit. */
export const pointMetricsOf = (by: Dimension | null): MetricName[] => [
  ...headline,
  ...ofSeries.filter(name => (by?.metrics as readonly MetricName[] | undefined)?.includes(name)),
]

/** Metrics that rows of a level have but cannot count. */
const alwaysZero: Readonly<Partial<Record<Level, MetricName>>> = Object.freeze({ event: 'pageviews' })

/** Returns the metrics that points of a series can have: of a divided one also conversions, which are counted on request. */
export const possiblePointMetricsOf = (by: Dimension | null): MetricName[] => [
  ...new Set([...pointMetricsOf(by), ...(by ? (['conversions'] as const) : [])]),
]

/** Returns a note if rows of a dimension show a metric that is 0 in all of them. */
export function zeroNotes({ level, name }: Dimension, names: readonly MetricName[]): Note[] {
  const zero = alwaysZero[level]
  if (!zero || !names.includes(zero)) return []
  return [{ code: 'always_zero', message: m.always_zero({ metric: fieldTerm(zero), dimension: fieldTerm(name) }) }]
}

/** Returns a note if people are asked for of a site that does not identify them. @param names of metrics and dimensions */
export const unidentifiedNotes = (site: Pick<LiveSite, 'identity'>, names: readonly string[]): Note[] =>
  names.some(name => name === 'people' || name === NEW_PERSON) && !hasPeople(site)
    ? [{ code: 'people_unknown', message: m.people_unknown({ identity: fieldTerm('identity') }) }]
    : []

/** Returns the requested metrics in their usual order; all if none is requested. */
export const chosenOf = <M extends MetricName>(possible: readonly M[], wanted: readonly MetricName[]): readonly M[] =>
  wanted.length === 0 ? possible : possible.filter(name => wanted.includes(name))

/** Returns faults for unknown names: a response without them would not explain why. */
export const missing = (wanted: readonly MetricName[], possible: readonly MetricName[], of: MessageValue): Fault[] =>
  wanted.flatMap((name, i) => {
    if (possible.includes(name)) return []
    const say = name === 'conversion_rate' ? m.unknown_conversion_rate : m.unknown_metric
    const message = say({ field: `metrics.${i}`, known: possible.map(fieldTerm), of, received: JSON.stringify(name) })
    return [{ pointer: `/metrics/${i}`, code: 'not_in_enum', message }]
  })

/** Returns a fault if rows are ranked by a change without a comparison. */
export function nothingToCompare(rank: string, compare: unknown = 'none'): Fault[] {
  if (rank === 'value' || compare !== 'none') return []
  const message = m.nothing_to_compare({ field: fieldTerm('rank'), rank, compare: fieldTerm('compare') })
  return [{ pointer: '/rank', code: 'mismatch', message }]
}
