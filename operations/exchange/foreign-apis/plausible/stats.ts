/** Plausible’s Stats API, version 1: `GET /api/v1/stats/aggregate`, `timeseries`, `breakdown` and `realtime/visitors`. */
import { dateOf } from '../../../../storage/calendar/zones.ts'
import { parseJson } from '../../../../runtime/call/parse-json.ts'
import { type Days, dayNamed, monthOf, periodOfDays, todayOf } from '../days.ts'
import { type Asked, type ForeignApi, refuse } from '../format.ts'
import { type NamedSite, siteNamed } from '../named-site.ts'
import { rowsOf } from '../rows.ts'
import { plausibleRefusal, plausibleStatus, timeLabel } from './query.ts'
import {
  type Asking,
  type Condition,
  conditionsOf,
  conditionsOfText,
  dimensionNamed,
  type Figures,
  metricNamed,
  type MetricOf,
  type MetricValue,
  neededOf,
  shown,
  withoutMetric,
} from './terms.ts'

const MAX = { metrics: 20, rows: 1_000, page: 10_000 }
type Answering = (asked: Asked, site: NamedSite) => Promise<unknown>

const api = (answering: Answering): ForeignApi => ({
  answer: async asked => answering(asked, await siteNamed(asked.db, asked.query.get('site_id'), asked.now)),
  refusal: plausibleRefusal,
  status: plausibleStatus,
  named: ({ path: [name = ''], query }) => (query.has(name) ? name : ofInput[name]),
  says: withoutMetric,
})
const ofInput: Readonly<Record<string, string>> = { from: 'date', to: 'date', filters: 'filters', dimensions: 'property' }

export const realtimeVisitors = api(async (asked, { id }) => (await asked.call('live_get', { site_id: id })).data.metrics.visitors)

export const aggregate = api(async (asked, site) => {
  const { wanted, input, asking } = questionOf(asked, site)
  const compares = asked.query.get('compare') === 'previous_period'
  const { rows } = await rowsOf(asked, site.id, {
    input: { ...input, ...(compares && { compare: 'previous_period' }) },
    offset: 0,
    limit: 1,
  })
  const [row] = rows
  const change = (row?.comparison?.change ?? {}) as Figures
  const results = wanted.map(({ name, metric }) => {
    const [needed] = metric.needs(asking)
    const value = row ? metric.of(row as Figures, asking) : 0
    return [name, compares ? { value, change: Math.round(change[needed ?? ''] ?? 0) } : { value }] as const
  })
  return { results: Object.fromEntries(results) }
})

export const timeseries = api(async (asked, site) => {
  const { wanted, input, asking } = questionOf(asked, site)
  const period = asked.query.get('period') ?? '30d'
  const interval = intervalNamed(asked.query.get('interval'), period)
  const [{ data }, { rows }] = await Promise.all([
    asked.call('stats_timeseries', { site_id: site.id }, { ...input, interval, metrics: ['visitors'] }),
    rowsOf(asked, site.id, { input: { ...input, dimensions: ['time'], interval }, offset: 0, limit: 2_000 }),
  ])
  const found = new Map(rows.map(row => [row.values[0], row as Figures]))
  return {
    results: (data.series as readonly { at: string }[]).map(({ at }) => {
      const figures = found.get(at)
      return { date: timeLabel(at, interval), ...valuesOf(wanted, { figures, asking }) }
    }),
  }
})

export const breakdown = api(async (asked, site) => {
  const property =
    asked.query.get('property') ??
    refuse(400, 'The `property` parameter is required. Please provide at least one property to show a breakdown by.')
  const dimension = dimensionNamed(property)
  const { wanted, input, asking } = questionOf(asked, site, { dimensions: [dimension] })
  const limit = countOf(asked.query.get('limit'), { field: 'limit', otherwise: 100, max: MAX.rows })
  const page = countOf(asked.query.get('page'), { field: 'page', otherwise: 1, max: MAX.page })
  const { rows } = await rowsOf(asked, site.id, {
    input: { ...input, dimensions: [dimension.name] },
    offset: (page - 1) * limit,
    limit,
  })
  const key = property.replace(/^event:props:|^(event|visit):/, '')
  return {
    results: rows.map(row => {
      const value = row.values[0] ?? ''
      return {
        [key]: dimension.isLabel || value === '' ? row.labels[0] : value,
        ...valuesOf(wanted, { figures: row as Figures, asking }),
      }
    }),
  }
})

function valuesOf(wanted: readonly MetricOf[], { figures, asking }: { figures: Figures | undefined; asking: Asking }) {
  return Object.fromEntries(wanted.map(({ name, metric }): [string, MetricValue] => [name, figures ? metric.of(figures, asking) : 0]))
}

/** Reads period, metrics and filters, which every request of version 1 has. */
function questionOf({ query, now }: Asked, site: NamedSite, { dimensions }: Pick<Asking, 'dimensions'> = { dimensions: [] }) {
  const names = (query.get('metrics') ?? 'visitors').split(',').map(name => name.trim())
  if (names.length > MAX.metrics) refuse(400, `metrics has at most ${MAX.metrics} names.`)
  const wanted = names.map(metricNamed)
  const asking = { dimensions, currency: site.currency }
  const filters = filtersIn(query.get('filters'))
  return {
    wanted,
    asking,
    input: {
      ...periodOf(query, { today: todayOf(site, now) }),
      metrics: neededOf(wanted, asking),
      ...(filters.length > 0 && { filters }),
      ...(query.get('with_imported') === 'true' && { include_imported: true }),
    },
  }
}

function filtersIn(text: string | null): Condition[] {
  if (text === null) return []
  if (!text.trimStart().startsWith('[')) return conditionsOfText(text)
  try {
    return conditionsOf(parseJson(text))
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return refuse(400, 'filters is not valid JSON.')
    throw thrown
  }
}

function periodOf(query: URLSearchParams, { today }: { today: number }): Readonly<Record<string, string>> {
  const period = query.get('period') ?? '30d'
  const date = query.get('date')
  if (period === 'all') return { period: 'all' }
  if (period !== 'custom') {
    const days = daysNamed(period, date === null || date === 'today' ? today : dayNamed(date))
    return periodOfDays(
      days ??
        refuse(
          400,
          `Error parsing \`period\` parameter: invalid period \`${shown(period)}\`. Please find accepted values in our docs: https://plausible.io/docs/stats-api-v1#time-periods`,
        ),
      today,
    )
  }
  const [from = query.get('from'), to = query.get('to'), ...more] = date?.split(',').map(each => each.trim()) ?? []
  if (more.length > 0) refuse(400, 'date has two days with a comma between them.')
  return periodOfDays({ from: dayNamed(from), to: dayNamed(to) }, today)
}

function daysNamed(period: string, date: number): Days | undefined {
  if (period === 'day') return { from: date, to: date }
  if (period === 'month') return { from: monthOf(date), to: monthOf(date, 1) - 1 }
  if (period === 'year') return { from: dayNamed(`${dateOf(date).slice(0, 4)}-01-01`), to: dayNamed(`${dateOf(date).slice(0, 4)}-12-31`) }
  const [, count = '', unit = ''] = /^([1-9]\d{0,3})(d|mo)$/.exec(period) ?? []
  const n = Number(count)
  if (unit === 'd' && n <= 5_000) return { from: date - n + 1, to: date }
  if (unit === 'mo' && n <= 100) return { from: monthOf(date, 1 - n), to: monthOf(date, 1) - 1 }
  return undefined
}

const INTERVALS = { date: 'day', day: 'day', week: 'week', month: 'month', hour: 'hour', minute: 'minute' } as const
function intervalNamed(given: string | null, period: string): string {
  if (given === null) return period === 'day' ? 'hour' : /mo$|^year$/.test(period) ? 'month' : 'day'
  const known = Object.hasOwn(INTERVALS, given) ? INTERVALS[given as keyof typeof INTERVALS] : undefined
  return (
    known ??
    refuse(
      400,
      `Error parsing \`interval\` parameter: invalid interval \`${shown(given)}\`. Valid intervals are \`minute\`, \`hour\`, \`day\`, \`week\`, \`month\``,
    )
  )
}

interface CountOf {
  readonly field: string
  readonly otherwise: number
  readonly max: number
}
function countOf(given: string | null, { field, otherwise, max }: CountOf): number {
  if (given === null) return otherwise
  const count = /^\d{1,7}$/.test(given) ? Number(given) : 0
  return count >= 1 && count <= max ? count : refuse(400, `Please provide ${field} as a number from 1 to ${max}.`)
}
