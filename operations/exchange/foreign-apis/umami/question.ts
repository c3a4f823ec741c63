/** Site, period and filters of requests for the statistics of a website. */
import type { MetricName } from '../../../../storage/engine/vocabulary/metrics.ts'
import { dayStart } from '../../../../storage/calendar/zones.ts'
import { DAY_MS, HOUR_MS } from '../../../../storage/values/durations.ts'
import { dayAt, periodOfDays, todayOf } from '../days.ts'
import { type Asked, type FaultOfOurs, refuse } from '../format.ts'
import { type NamedSite, siteNamed } from '../named-site.ts'

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
export const columnNamed = (given: string): string | null => {
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

/** The dimension of a condition in the query, for example of `country1`; undefined for other parameters. */
function dimensionOf(key: string): string | null | undefined {
  const name = key.replace(/\d{1,3}$/, '')
  return Object.hasOwn(dimensions, name) ? dimensions[name] : undefined
}

/** `path=eq./a,/b`, `browser1=neq.Chrome`; `match=any` joins them with or. */
function filtersIn(query: URLSearchParams): unknown[] {
  const given = [...query].flatMap(([key, text]) => {
    const dimension = dimensionOf(key)
    if (dimension === undefined || text === '') return []
    const [, sign = 'eq', value = text] = /^(eq|neq|c|dnc|re|nre)\.(.*)$/s.exec(text) ?? []
    const operator = operators[sign] ?? 'any_of'
    if (dimension === null) return refuse(400, `Reports cannot be filtered by ${key}.`)
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

/**
 * The period of our reports for two times. Reports have whole days, or the last 24 hours; a day at the start that is only in
 * part within a range until now is left out, so that “seven days until now” are seven days.
 */
function periodIn({ query, now }: Asked, site: NamedSite): Readonly<Record<string, string>> {
  const [from, to] = [timeIn(query, ['startAt', 'startDate']), timeIn(query, ['endAt', 'endDate'])]
  if (to < from) refuse(400, 'endAt is before startAt.')
  const [first, end] = [dayAt(site, from), dayAt(site, to)]
  const today = todayOf(site, now)
  const last = Math.min(end, today)
  const isUntilNow = last === today
  const isCut = from > dayStart(site.timezone, first)
  if (isUntilNow && isCut && first < last && to - from <= DAY_MS + HOUR_MS) return { period: '24h' }
  return periodOfDays({ from: isUntilNow && isCut && first < last ? first + 1 : first, to: end }, today)
}

/** An input of our reports, as the query names it: conditions by their column, for example `country1`. */
export function namedInQuery({ path: [name, i = '', any, j = ''], input, query }: FaultOfOurs): string | undefined {
  if (name === 'from' || name === 'to') {
    const [ofMs, ofDate] = name === 'from' ? ['startAt', 'startDate'] : ['endAt', 'endDate']
    return query.has(ofMs) ? ofMs : ofDate
  }
  if (name === 'interval') return 'unit'
  if (name === 'dimensions') return query.has('propertyName') ? 'propertyName' : 'type'
  if (name !== 'filters') return undefined
  const conditions = input.filters as readonly (readonly unknown[] & { readonly any?: readonly (readonly unknown[])[] })[]
  const [dimension] = (any === 'any' ? conditions[0]?.any?.[Number(j)] : conditions[Number(i)]) ?? []
  const given = [...query.keys()].find(key => dimensionOf(key) === dimension)
  return given ?? (query.has('search') ? 'search' : undefined)
}

export interface Question {
  readonly site: NamedSite
  readonly input: Readonly<Record<string, unknown>>
}
export async function questionOf(asked: Asked): Promise<Question> {
  const site = await siteNamed(asked.db, asked.path.websiteId, asked.now)
  const filters = filtersIn(asked.query)
  return { site, input: { ...periodIn(asked, site), ...(filters.length > 0 && { filters }) } }
}

export const numberOf = (figures: Readonly<Record<string, unknown>> | undefined, name: MetricName): number => Number(figures?.[name] ?? 0)

export function countIn(
  query: URLSearchParams,
  name: string,
  { min, otherwise, max }: { min: number; otherwise: number; max: number },
): number {
  const given = query.get(name)
  if (given === null || given === '') return otherwise
  const count = /^\d{1,7}$/.test(given) ? Number(given) : -1
  return count >= min ? Math.min(count, max) : refuse(400, `${name} is a number from ${min}.`)
}
