/** Umami’s API for the statistics of a website: `GET /api/websites/{websiteId}/stats`, `pageviews`, `metrics` … */
import type { MetricName } from '../../../../storage/engine/vocabulary/metrics.ts'
import { dayStart, localDay } from '../../../../storage/calendar/zones.ts'
import { periodOfDays, todayOf } from '../days.ts'
import { type Asked, refuse } from '../format.ts'
import { type NamedSite, siteNamed } from '../named-site.ts'
import { type Row, rowsOf } from '../rows.ts'
import { idIn, umami } from './account.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MAX_ROWS = 10_000
const MAX_FILTERS = 40

/** Their columns in our dimensions; null: there is no such value here, so there are no rows. */
const dimensions: Readonly<Record<string, string | null>> = {
  path: 'page',
  url: 'page',
  entry: 'entry_page',
  exit: 'exit_page',
  referrer: 'source',
  domain: 'source',
  title: null,
  query: null,
  event: 'event',
  tag: null,
  hostname: 'hostname',
  host: 'hostname',
  utmSource: 'utm_source',
  utmMedium: 'utm_medium',
  utmCampaign: 'utm_campaign',
  utmContent: 'utm_content',
  utmTerm: 'utm_term',
  browser: 'browser',
  os: 'os',
  device: 'device',
  screen: 'screen',
  language: 'language',
  country: 'country',
  region: 'region',
  city: 'city',
  channel: 'channel',
  distinctId: null,
}
const columnNamed = (given: string): string | null => {
  const known = Object.hasOwn(dimensions, given) ? dimensions[given] : undefined
  return known === undefined ? refuse(400, `type is one of ${Object.keys(dimensions).join(', ')}.`) : known
}

const operators: Readonly<Record<string, string>> = {
  eq: 'any_of',
  neq: 'none_of',
  c: 'contains',
  dnc: 'not_contains',
  re: 'regex',
  nre: 'not_regex',
}

/** `path=eq./a,/b`, `browser1=neq.Chrome`; `match=any` joins them with or. */
function filtersIn(query: URLSearchParams): unknown[] {
  const given = [...query].flatMap(([key, text]) => {
    const name = key.replace(/\d{1,3}$/, '')
    if (name === 'eventType' || !Object.hasOwn(dimensions, name) || text === '') return []
    const dimension = dimensions[name] ?? null
    const [, sign = 'eq', value = text] = /^(eq|neq|c|dnc|re|nre)\.(.*)$/s.exec(text) ?? []
    const operator = operators[sign] ?? 'any_of'
    if (dimension === null) return refuse(400, `Reports cannot be filtered by ${name}.`)
    return [[dimension, operator, operator === 'any_of' || operator === 'none_of' ? value.split(',') : value]]
  })
  if (given.length > MAX_FILTERS) return refuse(400, `At most ${MAX_FILTERS} filters.`)
  return query.get('match') === 'any' && given.length > 0 ? [{ any: given }] : given
}

function timeIn(query: URLSearchParams, [ofMs, ofDate]: readonly [string, string]): number {
  const ms = query.get(ofMs)
  if (ms !== null && /^-?\d{1,15}$/.test(ms)) return Number(ms)
  const at = Date.parse(query.get(ofDate) ?? '')
  return Number.isNaN(at) ? refuse(400, 'Either startAt+endAt or startDate+endDate must be provided') : at
}

const LATEST = 253_402_300_799_000 // the end of the year 9999

/**
 * The period of our reports for two times. Reports have whole days, or the last 24 hours; a day at the start that is only in
 * part within a range until now is left out, so that “seven days until now” are seven days.
 */
function periodIn({ query, now }: Asked, site: NamedSite): Readonly<Record<string, string>> {
  const [from, to] = [timeIn(query, ['startAt', 'startDate']), timeIn(query, ['endAt', 'endDate'])]
  if (to < from) refuse(400, 'endAt is before startAt.')
  const clamped = (at: number) => Math.min(Math.max(at, 0), LATEST)
  const first = localDay(site.timezone, clamped(from)).day
  const today = todayOf(site, now)
  const last = Math.min(localDay(site.timezone, clamped(to)).day, today)
  const isUntilNow = last === today
  const isCut = from > dayStart(site.timezone, first)
  if (isUntilNow && isCut && first < last && to - from <= DAY_MS + HOUR_MS) return { period: '24h' }
  return periodOfDays({ from: isUntilNow && isCut && first < last ? first + 1 : first, to: last }, today)
}

interface Question {
  readonly site: NamedSite
  readonly input: Readonly<Record<string, unknown>>
}
async function questionOf(asked: Asked): Promise<Question> {
  const site = await siteNamed(asked.db, asked.path.websiteId, asked.now)
  const filters = filtersIn(asked.query)
  return { site, input: { ...periodIn(asked, site), ...(filters.length > 0 && { filters }) } }
}

const totalsMetrics = ['pageviews', 'visitors', 'visits', 'bounce_rate', 'visit_duration'] as const satisfies readonly MetricName[]
const numberOf = (figures: Readonly<Record<string, unknown>> | undefined, name: MetricName): number => Number(figures?.[name] ?? 0)

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
  const filters = [...((input.filters as unknown[] | undefined) ?? []), ...(search ? [[dimension, 'contains', search]] : [])]
  const isEvent = type === 'event'
  const all = await rowsOf(asked, site.id, {
    input: {
      ...input,
      ...(filters.length > 0 && { filters }),
      dimensions: [dimension],
      metrics: [...new Set([...metrics, ...(isEvent ? (['events'] as const) : [])])],
      sort: isEvent ? 'events' : 'visitors',
    },
    offset: countIn(asked.query, 'offset', { min: 0, otherwise: 0, max: 1_000_000 }),
    limit: countIn(asked.query, 'limit', { min: 1, otherwise: 500, max: MAX_ROWS }),
  })
  // Theirs have no row for what is not there: a referrer of direct visits, a campaign of others.
  return { rows: all.rows.filter(({ values }) => values[0] !== ''), type }
}

function countIn(query: URLSearchParams, name: string, { min, otherwise, max }: { min: number; otherwise: number; max: number }): number {
  const given = query.get(name)
  if (given === null || given === '') return otherwise
  const count = /^\d{1,7}$/.test(given) ? Number(given) : -1
  return count >= min ? Math.min(count, max) : refuse(400, `${name} is a number from ${min}.`)
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
  const { rows } = await rowsByType(asked, ['visitors'])
  return rows.map(({ values: [value] }) => ({ value })).sort((a, b) => ((a.value ?? '') < (b.value ?? '') ? -1 : 1))
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
  const [{ rows }, { meta }] = await Promise.all([
    rowsOf(asked, site.id, { input: { ...ask, metrics: ['events', 'visitors', 'visits'] }, offset: 0, limit: 1 }),
    rowsOf(asked, site.id, { input: { ...ask, dimensions: ['event'], metrics: ['events'] }, offset: 0, limit: 1 }),
  ])
  const of = (name: MetricName) => numberOf(rows[0], name)
  return { data: { events: of('events'), visitors: of('visitors'), visits: of('visits'), uniqueEvents: meta.total } }
})

export const sessionStats = umami(async asked => {
  const { site, input } = await questionOf(asked)
  const [{ rows }, { meta }] = await Promise.all([
    rowsOf(asked, site.id, { input: { ...input, metrics: ['pageviews', 'visitors', 'visits', 'events'] }, offset: 0, limit: 1 }),
    rowsOf(asked, site.id, { input: { ...input, dimensions: ['country'], metrics: ['visitors'] }, offset: 0, limit: 1 }),
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

/** Keys of properties; the events that have a key are not distinguished. */
export const eventProperties = umami(async asked => {
  const { data } = await asked.call('event_properties_list', { site_id: await idIn(asked) }, { per_page: 100 })
  return data.map(({ key, events }: { key: string; events?: number }) => ({ eventName: '', propertyName: key, total: events ?? 0 }))
})

export const eventValues = umami(async asked => {
  const { site, input } = await questionOf(asked)
  const key = asked.query.get('propertyName') ?? refuse(400, 'propertyName is required')
  const { rows } = await rowsOf(asked, site.id, {
    input: { ...input, dimensions: [`property:${key}`], metrics: ['events', 'visitors'] },
    offset: 0,
    limit: 100,
  })
  return rows.map(row => ({ value: row.values[0], total: numberOf(row, 'events') }))
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
