/** Umami’s API for the statistics of a website: `GET /api/websites/{websiteId}/stats`, `pageviews`, `metrics` … */
import type { MetricName } from '../../../../storage/engine/vocabulary/metrics.ts'
import type { Asked } from '../format.ts'
import { type Row, rowsOf } from '../rows.ts'
import { idIn, umami } from './account.ts'
import { columnNamed, countIn, numberOf, questionOf } from './question.ts'

const MAX_ROWS = 10_000

const totalsMetrics = ['pageviews', 'visitors', 'visits', 'bounce_rate', 'visit_duration'] as const satisfies readonly MetricName[]

/** Theirs have sums where ours have a rate and a mean. */
function totalsOf(figures: Readonly<Record<string, unknown>> | undefined) {
  const visits = numberOf(figures, 'visits')
  return {
    pageviews: numberOf(figures, 'pageviews'),
    visitors: numberOf(figures, 'visitors'),
    visits,
    bounces: Math.round((numberOf(figures, 'bounce_rate') * visits) / 100),
    totaltime: Math.round((numberOf(figures, 'visit_duration') * visits) / 1_000),
  }
}

export const stats = umami(async asked => {
  const { site, input } = await questionOf(asked)
  const compare = asked.query.get('compare') === 'yoy' ? 'previous_year' : 'previous_period'
  const { rows } = await rowsOf(asked, site.id, { input: { ...input, compare, metrics: totalsMetrics }, offset: 0, limit: 1 })
  return { ...totalsOf(rows[0]), comparison: totalsOf(rows[0]?.comparison) }
})

const UNITS = ['minute', 'hour', 'day', 'month', 'year'] as const
/** With a time zone, theirs are local times; otherwise times in UTC. Days follow the site. */
function timesIn({ query }: Asked): { readonly interval: string; readonly shown: (at: string) => string } {
  const unit = query.get('unit')
  const interval = UNITS.find(each => each === unit) ?? 'auto'
  return {
    interval,
    shown: at => (query.has('timezone') ? at.slice(0, 19).replace('T', ' ') : `${new Date(at).toISOString().slice(0, 19)}Z`),
  }
}

export const pageviews = umami(async asked => {
  const { site, input } = await questionOf(asked)
  const { interval, shown } = timesIn(asked)
  const compare = asked.query.get('compare')
  const metrics = ['pageviews', 'visitors']
  const ask = { ...input, interval, metrics, ...(compare && { compare: compare === 'yoy' ? 'previous_year' : 'previous_period' }) }
  const { data } = await asked.call('stats_timeseries', { site_id: site.id }, ask)
  const series = (points: readonly Point[], metric: 'pageviews' | 'visitors') =>
    points.flatMap(point => (point.at !== null && (point[metric] ?? 0) > 0 ? [{ x: shown(point.at), y: point[metric] }] : []))
  const of = (points: readonly Point[]) => ({ pageviews: series(points, 'pageviews'), sessions: series(points, 'visitors') })
  const within = ({ period }: { period: { from: string; to: string } }) => ({ startDate: period.from, endDate: period.to })
  if (!data.comparison) return of(data.series)
  return { ...of(data.series), ...within(data), compare: { ...of(data.comparison.series), ...within(data.comparison) } }
})
interface Point {
  readonly at: string | null
  readonly pageviews?: number | null
  readonly visitors?: number | null
}

async function rowsByType(asked: Asked, metrics: readonly MetricName[]): Promise<{ rows: readonly Row[]; type: string }> {
  const { site, input } = await questionOf(asked)
  const type = asked.query.get('type') ?? ''
  const dimension = columnNamed(type)
  if (dimension === null) {
    await asked.call('sites_get', { site_id: site.id })
    return { rows: [], type }
  }
  const search = asked.query.get('search')
  const filters = [
    ...((input.filters as unknown[] | undefined) ?? []),
    ...(search ? [[dimension, 'contains', search]] : []),
    [dimension, 'regex', '.'], // theirs have no row for what is not there: a referrer of direct visits, a campaign of others
  ]
  const isEvent = type === 'event'
  const all = await rowsOf(asked, site.id, {
    input: {
      ...input,
      filters,
      dimensions: [dimension],
      metrics: [...new Set([...metrics, ...(isEvent ? (['events'] as const) : [])])],
      sort: isEvent ? 'events' : 'visitors',
    },
    offset: countIn(asked.query, 'offset', { min: 0, otherwise: 0, max: 1_000_000 }),
    limit: countIn(asked.query, 'limit', { min: 1, otherwise: 500, max: MAX_ROWS }),
  })
  return { rows: all.rows, type }
}

export const metrics = umami(async asked => {
  const { rows, type } = await rowsByType(asked, ['visitors'])
  return rows.map(row => ({ x: row.values[0], y: numberOf(row, type === 'event' ? 'events' : 'visitors') }))
})

export const metricsExpanded = umami(async asked => {
  const { rows } = await rowsByType(asked, totalsMetrics)
  return rows.map(row => ({ name: row.values[0], ...totalsOf(row) }))
})

export const values = umami(async asked => {
  const { rows } = await rowsByType(asked, ['visitors', 'pageviews'])
  return rows
    .map(row => ({ value: row.values[0], count: numberOf(row, 'pageviews') }))
    .sort((a, b) => ((a.value ?? '') < (b.value ?? '') ? -1 : 1))
})

export const active = umami(async asked => {
  const { visitors } = (await asked.call('live_get', { site_id: await idIn(asked) })).data.metrics
  return { visitors, x: visitors }
})

export const dateRange = umami(async asked => {
  const { data } = await asked.call('stats_query', { site_id: await idIn(asked) }, { period: 'all', limit: 1 })
  return { startDate: data.period.from, endDate: data.period.to }
})

export const eventSeries = umami(async asked => {
  const { site, input } = await questionOf(asked)
  const { interval, shown } = timesIn(asked)
  const ask = { ...input, dimensions: ['time', 'event'], metrics: ['events'], interval }
  const { rows } = await rowsOf(asked, site.id, { input: ask, offset: 0, limit: MAX_ROWS })
  return rows.flatMap(row =>
    row.values[1] === '' ? [] : [{ x: row.labels[1], t: shown(row.values[0] ?? ''), y: numberOf(row, 'events') }],
  )
})

export const eventStats = umami(async asked => {
  const { site, input } = await questionOf(asked)
  const ask = { ...input, filters: [...((input.filters as unknown[] | undefined) ?? []), ['event', 'regex', '.']] }
  const [{ rows }, { rows: names, meta }] = await Promise.all([
    rowsOf(asked, site.id, { input: { ...ask, compare: 'previous_period', metrics: eventMetrics }, offset: 0, limit: 1 }),
    rowsOf(asked, site.id, {
      input: { ...ask, dimensions: ['event'], metrics: ['events'], compare: 'previous_period' },
      offset: 0,
      limit: 1_000,
    }),
  ])
  const of = (figures: Readonly<Record<string, unknown>> | undefined, uniqueEvents: number | undefined) => ({
    ...Object.fromEntries(eventMetrics.map(name => [name, numberOf(figures, name)])),
    uniqueEvents,
  })
  const before = names.filter(row => numberOf(row.comparison, 'events') > 0).length
  return { data: { ...of(rows[0], meta.total), comparison: of(rows[0]?.comparison, before) } }
})
const eventMetrics = ['events', 'visitors', 'visits'] as const satisfies readonly MetricName[]

export const sessionStats = umami(async asked => {
  const { site, input } = await questionOf(asked)
  const withCountry = [...((input.filters as unknown[] | undefined) ?? []), ['country', 'regex', '.']]
  const [{ rows }, { meta }] = await Promise.all([
    rowsOf(asked, site.id, { input: { ...input, metrics: ['pageviews', 'visitors', 'visits', 'events'] }, offset: 0, limit: 1 }),
    rowsOf(asked, site.id, {
      input: { ...input, filters: withCountry, dimensions: ['country'], metrics: ['visitors'] },
      offset: 0,
      limit: 1,
    }),
  ])
  const of = (name: MetricName) => ({ value: numberOf(rows[0], name) })
  return {
    pageviews: of('pageviews'),
    visitors: of('visitors'),
    visits: of('visits'),
    countries: { value: meta.total },
    events: of('events'),
  }
})

/** Visitors by weekday, from Sunday on, and by hour. */
export const weekly = umami(async asked => {
  const { site, input } = await questionOf(asked)
  const ask = { ...input, dimensions: ['weekday', 'hour'], metrics: ['visitors'] }
  const { rows } = await rowsOf(asked, site.id, { input: ask, offset: 0, limit: 7 * 24 })
  const found = new Map(rows.map(row => [`${Number(row.values[0]) % 7} ${Number(row.values[1])}`, numberOf(row, 'visitors')]))
  return Array.from({ length: 7 }, (_, day) => Array.from({ length: 24 }, (__, hour) => found.get(`${day} ${hour}`) ?? 0))
})

export const realtime = umami(async asked => {
  const { data } = await asked.call('live_get', { site_id: await idIn(asked) })
  const counts = (rows: readonly { value: string; visitors: number }[]) =>
    Object.fromEntries(rows.flatMap(({ value, visitors }) => (value === '' ? [] : [[value, visitors]])))
  const points = (data.series as readonly { at: string; visitors: number; pageviews: number }[]).map(point => ({
    ...point,
    x: `${new Date(point.at).toISOString().slice(0, 19)}Z`,
  }))
  const [views, visitors] = [points.map(({ x, pageviews: y }) => ({ x, y })), points.map(({ x, visitors: y }) => ({ x, y }))]
  const sum = (series: readonly { y: number }[]) => series.reduce((all, { y }) => all + y, 0)
  return {
    countries: counts(data.countries),
    urls: counts(data.pages),
    referrers: counts(data.sources),
    events: [],
    series: { views, visitors },
    totals: { views: sum(views), visitors: sum(visitors), events: 0, countries: data.countries.length },
    timestamp: asked.now,
  }
})
