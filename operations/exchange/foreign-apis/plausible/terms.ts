/** Words of Plausible’s Stats API in ours: dimensions, metrics and filters. */
import type { MetricName } from '../../../../storage/engine/vocabulary/metrics.ts'
import { isObject } from '../../../../runtime/values/json.ts'
import { type FaultOfOurs, refuse } from '../format.ts'
import { moneyOf, type Money } from '../money.ts'

/** A dimension of ours; `label` if the value is the text for people. */
export interface Named {
  readonly name: string
  readonly isLabel: boolean
}

const dimensions: Readonly<Record<string, string>> = {
  'event:page': 'page',
  'event:goal': 'goal',
  'event:name': 'event',
  'event:hostname': 'hostname',
  'visit:entry_page': 'entry_page',
  'visit:exit_page': 'exit_page',
  'visit:source': 'source',
  'visit:referrer': 'referrer',
  'visit:channel': 'channel',
  'visit:utm_medium': 'utm_medium',
  'visit:utm_source': 'utm_source',
  'visit:utm_campaign': 'utm_campaign',
  'visit:utm_content': 'utm_content',
  'visit:utm_term': 'utm_term',
  'visit:device': 'device',
  'visit:screen': 'device',
  'visit:browser': 'browser',
  'visit:browser_version': 'browser_version',
  'visit:os': 'os',
  'visit:os_version': 'os_version',
  'visit:country': 'country',
  'visit:region': 'region',
  'visit:city': 'city',
  'visit:country_name': 'country',
  'visit:region_name': 'region',
  'visit:city_name': 'city',
}
const labelled = new Set(['event:goal', 'event:name', 'visit:device', 'visit:screen', 'visit:country_name', 'visit:region_name'])
const PROPERTY = 'event:props:'
const INTERVALS = ['minute', 'hour', 'day', 'week', 'month'] as const
export type Interval = 'auto' | (typeof INTERVALS)[number]

/** The interval of a dimension of time; undefined for other dimensions. */
export function intervalOf(dimension: string): Interval | undefined {
  if (dimension === 'time') return 'auto'
  return INTERVALS.find(each => dimension === `time:${each}`)
}

/** @throws Refused */
export function dimensionNamed(given: unknown): Named {
  if (typeof given === 'string') {
    if (given.startsWith(PROPERTY) && given.length > PROPERTY.length && given.length <= 300)
      return { name: `property:${given.slice(PROPERTY.length)}`, isLabel: false }
    const name = Object.hasOwn(dimensions, given) ? dimensions[given] : undefined
    if (name !== undefined) return { name, isLabel: labelled.has(given) }
  }
  return refuse(400, `Invalid dimension '${shown(given)}'. Known are ${Object.keys(dimensions).join(', ')} and event:props:<name>.`)
}

/** A value that is sent, short enough for a message. */
export const shown = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 80)

export interface Asking {
  readonly dimensions: readonly Named[]
  readonly currency: string
}
/** Figures of a row of ours. */
export type Figures = Readonly<Record<string, number | null | undefined>>
export type MetricValue = number | null | Money

interface Metric {
  /** Metrics of ours that it takes. */
  needs(asking: Asking): readonly MetricName[]
  of(figures: Figures, asking: Asking): MetricValue
}
const plain = (name: MetricName): Metric => ({ needs: () => [name], of: figures => figures[name] ?? null })
/** A time: theirs are seconds, ours milliseconds. */
const seconds = (name: MetricName): Metric => ({
  needs: () => [name],
  of: figures => (figures[name] == null ? null : Math.round(figures[name] / 1000)),
})
const money = (name: MetricName): Metric => ({
  needs: () => [name],
  of: (figures, { currency }) => moneyOf(figures[name], currency),
})
const isByGoal = ({ dimensions }: Asking) => dimensions.some(({ name }) => name === 'goal')

const metrics: Readonly<Record<string, Metric>> = {
  visitors: plain('visitors'),
  visits: plain('visits'),
  pageviews: plain('pageviews'),
  views_per_visit: plain('views_per_visit'),
  bounce_rate: plain('bounce_rate'),
  visit_duration: seconds('visit_duration'),
  events: {
    needs: asking => (isByGoal(asking) ? ['conversions'] : ['pageviews', 'events']),
    of: (figures, asking) => (isByGoal(asking) ? (figures.conversions ?? null) : (figures.pageviews ?? 0) + (figures.events ?? 0)),
  },
  percentage: plain('share'),
  conversion_rate: plain('conversion_rate'),
  group_conversion_rate: plain('conversion_rate'),
  time_on_page: seconds('time_on_page'),
  exit_rate: plain('exit_rate'),
  total_revenue: money('revenue'),
  average_revenue: money('average_order'),
  /** Pages have it in `pages_detail` only. */
  scroll_depth: { needs: () => [], of: () => null },
}
export type MetricOf = { readonly name: string; readonly metric: Metric }

/** @throws Refused */
export function metricNamed(given: unknown): MetricOf {
  const metric = typeof given === 'string' && Object.hasOwn(metrics, given) ? metrics[given] : undefined
  if (metric === undefined) return refuse(400, `Unknown metric '${shown(given)}'. Known are ${Object.keys(metrics).join(', ')}.`)
  return { name: String(given), metric }
}

/** A metric of ours that this question has no values of. */
export function withoutMetric({ path: [name, i = ''], input }: FaultOfOurs): string | undefined {
  const own = name === 'metrics' && Array.isArray(input.metrics) ? String(input.metrics[Number(i)]) : undefined
  if (own === undefined) return undefined
  const isOf = ({ needs }: Metric) => needs({ dimensions: [], currency: '' }).some(each => each === own)
  const [theirs = own] = Object.entries(metrics).find(([, metric]) => isOf(metric)) ?? []
  return `Metric '${theirs}' is not available with these dimensions and filters.`
}

/** The metrics of ours, each once. */
export const neededOf = (wanted: readonly MetricOf[], asking: Asking): MetricName[] => {
  const needed = new Set(wanted.flatMap(({ metric }) => metric.needs(asking)))
  return needed.size === 0 ? ['visitors'] : [...needed]
}

/** A condition of our `filters`. */
export type Condition = readonly [string, string, unknown] | { readonly any: readonly Condition[] } | { readonly all: readonly Condition[] }

const operatorsOf: Readonly<Record<string, { readonly yes: string; readonly no: string; readonly isEach: boolean }>> = {
  is: { yes: 'any_of', no: 'none_of', isEach: false },
  contains: { yes: 'contains', no: 'not_contains', isEach: true },
  matches: { yes: 'regex', no: 'not_regex', isEach: true },
  matches_wildcard: { yes: 'regex', no: 'not_regex', isEach: true },
}
const MAX_DEPTH = 8
/** More than a report takes. */
const MAX_FILTERS = 100

/** @param filters of version 2 @throws Refused */
export function conditionsOf(filters: unknown): Condition[] {
  if (filters === undefined || filters === null) return []
  if (!Array.isArray(filters) || filters.length > MAX_FILTERS) return refuse(400, `Invalid filters '${shown(filters)}'.`)
  return filters.map(each => conditionOf(each, false, 1))
}

function conditionOf(filter: unknown, isNot: boolean, depth: number): Condition {
  if (!Array.isArray(filter) || depth > MAX_DEPTH) return refuse(400, `Invalid filter '${shown(filter)}'.`)
  const [operator, second, clauses, modifiers] = filter as readonly unknown[]
  if (operator === 'and' || operator === 'or') {
    if (!Array.isArray(second) || second.length === 0 || second.length > MAX_FILTERS)
      return refuse(400, `Invalid filter '${shown(filter)}'.`)
    const all = second.map(each => conditionOf(each, isNot, depth + 1))
    return (operator === 'and') === isNot ? { any: all } : { all }
  }
  if (operator === 'not') return conditionOf(second, !isNot, depth + 1)
  if (operator === 'has_done' || operator === 'has_not_done')
    return refuse(400, `The operator ${operator} is not available. Use a segment of Footfall.`)
  const negated = typeof operator === 'string' && operator.endsWith('_not')
  const base = negated ? String(operator).slice(0, -'_not'.length) : operator
  const row = typeof base === 'string' && Object.hasOwn(operatorsOf, base) ? operatorsOf[base] : undefined
  if (row === undefined) return refuse(400, `Unknown operator for filter '${shown(filter)}'.`)
  if (second === 'segment') return refuse(400, 'Segments have other ids here: use `segment_id` of the report `stats_query`.')
  const { name } = dimensionNamed(second)
  const isText = (value: unknown): value is string => typeof value === 'string'
  if (!Array.isArray(clauses) || clauses.length === 0 || !clauses.every(isText)) return refuse(400, `Invalid filter '${shown(filter)}'.`)
  const values = clauses.map(value => (base === 'matches_wildcard' ? wildcard(value) : value))
  const isInAnyCase = isObject(modifiers) && modifiers.case_sensitive === false && base === 'is'
  const excludes = negated !== isNot
  if (isInAnyCase)
    return joined(
      values.map(value => [name, excludes ? 'not_regex' : 'regex', `(?i)^${quoted(value)}$`] as const),
      excludes,
    )
  if (!row.isEach) return [name, excludes ? row.no : row.yes, values]
  return joined(
    values.map(value => [name, excludes ? row.no : row.yes, value] as const),
    excludes,
  )
}

/** Any of the values; or none of them. */
function joined(conditions: readonly Condition[], isAll: boolean): Condition {
  const [only] = conditions
  if (conditions.length === 1 && only) return only
  return isAll ? { all: conditions } : { any: conditions }
}

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
/** `*` is any text but a slash, `**` any text. */
const wildcard = (text: string): string =>
  `^${text
    .split('**')
    .map(part => part.split('*').map(quoted).join('[^/]*'))
    .join('.*')}$`

/** @param text filters of version 1: `visit:source==Google|Bing;event:page!=/blog/**` @throws Refused */
export function conditionsOfText(text: string): Condition[] {
  if (text.trim() === '') return []
  return text.split(';').flatMap((part): Condition[] => {
    const [, key = '', sign = '', given = ''] = /^\s*(\S+?)\s*([!=]=)\s*(.*?)\s*$/s.exec(part) ?? []
    if (sign === '') return refuse(400, `Invalid filter '${shown(part)}'. A filter is written as property==value or property!=value.`)
    const values = given.split(/(?<!\\)\|/).map(value => value.replaceAll('\\|', '|'))
    const isWild = values.some(value => value.includes('*'))
    const operator = `${isWild ? 'matches_wildcard' : 'is'}${sign === '!=' ? '_not' : ''}`
    return [conditionOf([operator, key, values], false, 1)]
  })
}
