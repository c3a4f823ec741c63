/** Plausible’s Stats API, version 2: `POST /api/v2/query`. */
import { setImmediate } from 'node:timers/promises'
import { isObject } from '../../../../runtime/values/json.ts'
import { DAY_MS } from '../../../../storage/values/durations.ts'
import { monthOf, type Days, dayNamed, periodOfDays, todayOf } from '../days.ts'
import { type Asked, type ForeignApi, type Refused, refuse } from '../format.ts'
import { type NamedSite, siteNamed } from '../named-site.ts'
import { type Row, rowsOf } from '../rows.ts'
import {
  type Asking,
  type Condition,
  conditionsOf,
  dimensionNamed,
  type Figures,
  type Interval,
  intervalOf,
  metricNamed,
  type MetricOf,
  type MetricValue,
  type Named,
  neededOf,
  shown,
  withoutMetric,
} from './terms.ts'

/** Rows to convert before yielding to the event loop. */
const ROWS_AT_ONCE = 1_000
const MAX = { rows: 10_000, metrics: 20, dimensions: 3, order: 6 }

export const plausibleQuery: ForeignApi = {
  answer: async asked => answerOf(asked, await siteNamed(asked.db, asked.body.site_id, asked.now)),
  refusal: plausibleRefusal,
  status: plausibleStatus,
  named: ({ path: [name = ''] }) => ofInput[name],
  says: withoutMetric,
}
const ofInput: Readonly<Record<string, string>> = {
  from: 'date_range',
  to: 'date_range',
  compare_from: 'include.comparisons.date_range',
  compare_to: 'include.comparisons.date_range',
  interval: 'time:',
  filters: 'filters',
  dimensions: 'dimensions',
}

const INVALID_KEY = 'Invalid API key or site ID. Please make sure you’re using a valid API key with access to the site you’ve requested.'

/** Their errors have one sentence; a site of others is as one that is not there. */
export function plausibleRefusal({ status, message }: Refused): { error: string } {
  return { error: status === 404 || status === 401 || status === 403 ? `${INVALID_KEY} ${message}` : message }
}
export function plausibleStatus({ status }: Refused): number {
  return status === 404 || status === 403 ? 401 : status === 422 ? 400 : status
}

interface Dimension {
  /** As it was sent. */
  readonly sent: string
  /** Null: time. */
  readonly named: Named | null
  readonly interval: Interval | undefined
}

const listOf = (given: unknown, field: string, max: number): readonly unknown[] => {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given) || given.length > max) return refuse(400, `${field} has to be a list of at most ${max}.`)
  return given
}

async function answerOf(asked: Asked, site: NamedSite) {
  const { body } = asked
  const wanted = listOf(body.metrics, 'metrics', MAX.metrics).map(metricNamed)
  if (wanted.length === 0) refuse(400, 'metrics has to be a list with at least one metric.')
  if (new Set(wanted.map(({ name }) => name)).size < wanted.length) refuse(400, 'metrics has to be a list of different metrics.')
  const dimensions = listOf(body.dimensions, 'dimensions', MAX.dimensions).map(dimensionOf)
  const asking: Asking = { dimensions: dimensions.flatMap(({ named }) => named ?? []), currency: site.currency }
  const include = isObject(body.include) ? body.include : {}
  const names = [...new Set(dimensions.map(nameOf))]
  const order = orderOf(body.order_by, { wanted, dimensions })
  const { limit, offset } = paginationOf(body.pagination)
  const filters = conditionsOf(body.filters)
  const period = periodOf(body.date_range, site, asked.now)
  const input = {
    ...period,
    ...comparisonOf(include),
    ...(filters.length > 0 && { filters }),
    ...(include.imports === true && { include_imported: true }),
    dimensions: names,
    metrics: [...new Set([...neededOf(wanted, asking), ...(isOfAll(wanted, dimensions) ? (['visitors'] as const) : [])])],
    ...intervalIn(dimensions),
  }
  const pushed = pushedOf(order, { dimensions, asking })
  const all = await rowsOf(asked, site.id, {
    input: { ...input, ...pushed },
    ...(pushed === undefined ? { offset: 0, limit: MAX.rows } : { offset, limit }),
  })
  const base = isOfAll(wanted, dimensions) ? await visitorsOf(asked, site, { period, filters }) : undefined
  const rowOf = (row: Row) => {
    const values = dimensions.map(one => valueOf(one, { row, i: names.indexOf(nameOf(one)), interval: all.interval }))
    return {
      dimensions: values,
      metrics: wanted.map(({ name, metric }) =>
        base !== undefined && name === 'conversion_rate'
          ? shareOf((row as Figures).visitors ?? 0, base)
          : metric.of(row as Figures, asking),
      ),
      ...(row.comparison && comparedOf(row.comparison, { wanted, asking, values })),
    }
  }
  const rows: ReturnType<typeof rowOf>[] = []
  for (let from = 0; from < all.rows.length; from += ROWS_AT_ONCE) {
    rows.push(...all.rows.slice(from, from + ROWS_AT_ONCE).map(rowOf))
    await setImmediate()
  }
  return {
    results: pushed === undefined ? sorted(rows, order).slice(offset, offset + limit) : rows,
    meta: {
      ...(include.imports === true && { imports_included: all.meta.imported?.included === true }),
      ...(include.total_rows === true && { total_rows: all.meta.total }),
      ...(include.time_labels === true && { time_labels: await labelsOf(asked, site, { dimensions, period }) }),
    },
    query: {
      site_id: body.site_id,
      metrics: wanted.map(({ name }) => name),
      date_range: all.period && [all.period.from, new Date(Date.parse(all.period.to) - 1_000).toISOString()],
      filters: body.filters ?? [],
      dimensions: dimensions.map(({ sent }) => sent),
      order_by: order.map(({ by, direction }) => [by, direction]),
      include,
      pagination: { limit, offset },
    },
  }
}

/** Their `conversion_rate` divides by all visitors, ours by the visitors of the row; both are equal if rows are goals. */
const isOfAll = (wanted: readonly MetricOf[], dimensions: readonly Dimension[]): boolean =>
  wanted.some(({ name }) => name === 'conversion_rate') && dimensions.some(({ named }) => named !== null && named.name !== 'goal')

const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10)

/** All visitors of the period, without the conditions on goals and properties. */
async function visitorsOf(
  asked: Asked,
  site: NamedSite,
  { period, filters }: { period: object; filters: readonly Condition[] },
): Promise<number> {
  const others = filters.filter(each => !(Array.isArray(each) && /^(goal$|property:)/.test(String(each[0]))))
  const { data } = await asked.call('stats_query', { site_id: site.id }, { ...period, filters: others, metrics: ['visitors'] })
  return data.rows[0]?.visitors ?? 0
}

const nameOf = ({ named }: Dimension): string => named?.name ?? 'time'

function dimensionOf(given: unknown): Dimension {
  const interval = typeof given === 'string' ? intervalOf(given) : undefined
  return { sent: String(given), named: interval === undefined ? dimensionNamed(given) : null, interval }
}

function intervalIn(dimensions: readonly Dimension[]) {
  const intervals = dimensions.flatMap(({ interval }) => interval ?? [])
  if (intervals.length > 1) return refuse(400, 'A query has one dimension of time.')
  return intervals[0] === undefined ? {} : { interval: intervals[0] }
}

/** The value as Plausible has it: days without a time of day. */
function valueOf({ named }: Dimension, { row, i, interval }: { row: Row; i: number; interval: string | undefined }): string {
  const value = row.values[i] ?? ''
  if (named === null) return timeLabel(value, interval)
  return named.isLabel || value === '' ? (row.labels[i] ?? value) : value
}

/** @param at `2026-11-20T14:00:00+01:00` */
export function timeLabel(at: string, interval: string | undefined): string {
  const isLong = interval !== 'minute' && interval !== 'hour'
  const [day = '', time = ''] = at.split('T')
  return isLong ? day : `${day} ${time.slice(0, 8)}`
}

function paginationOf(given: unknown): { limit: number; offset: number } {
  const { limit = MAX.rows, offset = 0 } = isObject(given) ? given : {}
  const isCount = (value: unknown, min: number): value is number => Number.isSafeInteger(value) && Number(value) >= min
  if (!isCount(limit, 1) || limit > MAX.rows) return refuse(400, `pagination.limit has to be a number from 1 to ${MAX.rows}.`)
  if (!isCount(offset, 0) || offset > 1_000_000) return refuse(400, 'pagination.offset has to be a number from 0 to 1000000.')
  return { limit, offset }
}

interface Order {
  readonly by: string
  readonly direction: 'asc' | 'desc'
  /** The place of the metric, or of the dimension. */
  readonly metric: number
  readonly dimension: number
}

function orderOf(given: unknown, { wanted, dimensions }: { wanted: readonly MetricOf[]; dimensions: readonly Dimension[] }): Order[] {
  const orderBy = (by: unknown, direction: unknown): Order => {
    const metric = wanted.findIndex(({ name }) => name === by)
    const dimension = dimensions.findIndex(({ sent }) => sent === by)
    if ((metric < 0 && dimension < 0) || (direction !== 'asc' && direction !== 'desc'))
      return refuse(400, `Invalid order_by entry '${shown([by, direction])}'. Entry is not a queried metric or dimension.`)
    return { by: String(by), direction, metric, dimension }
  }
  const list = listOf(given, 'order_by', MAX.order)
  if (list.length > 0)
    return list.map(each => (Array.isArray(each) && each.length === 2 ? orderBy(each[0], each[1]) : orderBy(each, undefined)))
  const time = dimensions.find(({ named }) => named === null)
  return [...(time ? [orderBy(time.sent, 'asc')] : []), orderBy(wanted[0]?.name, 'desc')]
}

/** The order if the report itself can sort by it; undefined if rows are sorted here. */
function pushedOf(order: readonly Order[], { dimensions, asking }: { dimensions: readonly Dimension[]; asking: Asking }) {
  const [first] = order
  if (first === undefined) return {}
  if (first.metric < 0) {
    const isTimeOnly = order.length === 1 && dimensions.length === 1 && dimensions[first.dimension]?.named === null
    return isTimeOnly ? { sort: 'time', order: first.direction } : undefined
  }
  const needs = metricNamed(first.by).metric.needs(asking)
  return order.length === 1 && needs.length === 1 ? { sort: needs[0], order: first.direction } : undefined
}

interface Sent {
  readonly dimensions: readonly string[]
  readonly metrics: readonly MetricValue[]
}
function sorted<R extends Sent>(rows: R[], order: readonly Order[]): R[] {
  const numberOf = (value: MetricValue | undefined) => (typeof value === 'object' && value !== null ? value.value : (value ?? -1))
  const compare = (a: Sent, b: Sent): number => {
    for (const { metric, dimension, direction } of order) {
      const [one, other] =
        metric >= 0
          ? [numberOf(a.metrics[metric]), numberOf(b.metrics[metric])]
          : [a.dimensions[dimension] ?? '', b.dimensions[dimension] ?? '']
      if (one !== other) return (one < other ? -1 : 1) * (direction === 'asc' ? 1 : -1)
    }
    return 0
  }
  return rows.sort(compare)
}

interface ComparedOf {
  readonly wanted: readonly MetricOf[]
  readonly asking: Asking
  readonly values: readonly string[]
}
function comparedOf({ change = {}, ...figures }: Readonly<Record<string, unknown>>, { wanted, asking, values }: ComparedOf) {
  return {
    comparison: {
      dimensions: values,
      metrics: wanted.map(({ metric }) => metric.of(figures as Figures, asking)),
      change: wanted.map(({ metric }) => {
        const [name] = metric.needs(asking)
        return name === undefined ? null : ((change as Figures)[name] ?? null)
      }),
    },
  }
}

const modes: Readonly<Record<string, string>> = { previous_period: 'previous_period', year_over_year: 'previous_year', custom: 'custom' }
function comparisonOf(include: Readonly<Record<string, unknown>>) {
  const { comparisons } = include
  if (!isObject(comparisons)) return {}
  const mode = typeof comparisons.mode === 'string' && Object.hasOwn(modes, comparisons.mode) ? modes[comparisons.mode] : undefined
  if (mode === undefined) return refuse(400, `include.comparisons.mode is one of ${Object.keys(modes).join(', ')}.`)
  const [from, to] = Array.isArray(comparisons.date_range) ? comparisons.date_range : []
  return {
    compare: mode,
    ...(comparisons.match_day_of_week === true && { match_weekday: true }),
    ...(mode === 'custom' && { compare_from: String(from), compare_to: String(to) }),
  }
}

function periodOf(given: unknown, site: NamedSite, now: number): Readonly<Record<string, string>> {
  const today = todayOf(site, now)
  if (Array.isArray(given) && given.length === 2) {
    if (given.some(each => typeof each === 'string' && each.includes('T')))
      return refuse(400, 'A date_range of times is not available: reports here have whole days. Use two days, or "24h".')
    return periodOfDays({ from: dayNamed(given[0]), to: dayNamed(given[1]) }, today)
  }
  if (given === '24h' || given === 'all') return { period: given }
  const days = typeof given === 'string' ? daysNamed(given, today) : undefined
  return days ? periodOfDays(days, today) : refuse(400, `Invalid date_range '${shown(given)}'`)
}

/** Theirs of many days or months end before today, and before this month. */
function daysNamed(given: string, today: number): Days | undefined {
  if (given === 'day') return { from: today, to: today }
  if (given === 'month') return { from: monthOf(today), to: today }
  if (given === 'year') return { from: dayNamed(`${yearOf(today)}-01-01`), to: today }
  const [, count = '', unit = ''] = /^([1-9]\d{0,3})(d|mo)$/.exec(given) ?? []
  const n = Number(count)
  if (unit === 'd' && n <= 5_000) return { from: today - n, to: today - 1 }
  if (unit === 'mo' && n <= 100) return { from: monthOf(today, -n), to: monthOf(today) - 1 }
  return undefined
}
const yearOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 4)

async function labelsOf(asked: Asked, site: NamedSite, { dimensions, period }: { dimensions: readonly Dimension[]; period: object }) {
  const time = dimensions.find(({ named }) => named === null)
  if (!time) return refuse(400, 'Invalid include.time_labels: requires a time dimension.')
  const { data } = await asked.call('stats_timeseries', { site_id: site.id }, { ...period, interval: time.interval, metrics: ['visitors'] })
  return (data.series as readonly { at: string }[]).map(({ at }) => timeLabel(at, data.interval))
}
