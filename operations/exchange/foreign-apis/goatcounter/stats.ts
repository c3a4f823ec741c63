/** GoatCounter’s API for statistics. Its counts are visitors. */
import { setImmediate } from 'node:timers/promises'
import { type Days, dayNamed, periodOfDays, todayOf } from '../days.ts'
import { type Asked, type ForeignApi, refuse } from '../format.ts'
import type { NamedSite } from '../named-site.ts'
import { type Row, rowsOf } from '../rows.ts'
import { countIn, datesOf, daysIn, goatcounter, lastDays, siteOf } from './form.ts'
import { numberIn, numbersOf, type Path, pathsIn, pathsOf } from './paths.ts'

/** At most so many: paths of an answer, points of time to read, days of all paths. */
const MAX = { limit: 100, points: 50_000, days: 20_000, daysOfHours: 80, offset: 1_000_000 }
const NOTHING = 0

type Filters = readonly unknown[]
interface Question {
  readonly site: NamedSite
  readonly days: Days
  readonly input: Readonly<Record<string, unknown>>
  readonly filters: Filters
}

/** Null: no path that is asked for is known. */
async function questionOf(asked: Asked): Promise<Question | null> {
  const site = await siteOf(asked)
  await asked.call('sites_get', { site_id: site.id })
  const days = daysIn(asked, site)
  const included = await pathsIn(asked, site, 'include_paths')
  const input = periodOfDays(days, todayOf(site, asked.now))
  if (included === undefined) return { site, days, input, filters: [] }
  return included.length === 0 ? null : { site, days, input, filters: [{ any: [...ofPaths(included, 'any_of')] }] }
}

const namesOf = (paths: readonly Path[], isEvent: boolean): string[] => paths.flatMap(each => (each.isEvent === isEvent ? [each.path] : []))

/** Filters by pages, and by events. */
function ofPaths(paths: readonly Path[], operator: 'any_of' | 'none_of'): unknown[] {
  const [pages, events] = [namesOf(paths, false), namesOf(paths, true)]
  return [...(pages.length > 0 ? [['page', operator, pages]] : []), ...(events.length > 0 ? [['event', operator, events]] : [])]
}

const visitorsOf = (row: Row | undefined): number => Number(row?.visitors ?? 0)

type Series = ReadonlyMap<string, ReadonlyMap<string, number>>
interface SeriesOf {
  /** Of the rows, besides time. */
  readonly dimensions: readonly string[]
  readonly interval: 'day' | 'hour'
}

/** Visitors by the values of the dimension, and by day or hour. */
async function series(asked: Asked, { site, filters, days }: Question, { dimensions, interval }: SeriesOf): Promise<Series> {
  const found = new Map<string, Map<string, number>>()
  const step = interval === 'hour' ? MAX.daysOfHours : days.to - days.from + 1
  let read = 0
  for (let from = days.from; from <= days.to; from += step) {
    const input = {
      ...periodOfDays({ from, to: Math.min(from + step - 1, days.to) }, todayOf(site, asked.now)),
      ...(filters.length > 0 && { filters }),
      interval,
      dimensions: ['time', ...dimensions],
      metrics: ['visitors'],
    }
    const { rows, meta } = await rowsOf(asked, site.id, { input, offset: 0, limit: MAX.points })
    read += meta.total ?? 0
    if (read > MAX.points) refuse(400, 'There are too many hours. Ask for fewer paths (limit), or for a shorter period.')
    for (const row of rows) {
      const [at = '', name = ''] = row.values
      const points = found.get(name) ?? new Map<string, number>()
      points.set(at.slice(0, interval === 'day' ? 10 : 13), visitorsOf(row))
      found.set(name, points)
    }
  }
  return found
}

/** Days and hours; hours are read from the first to the last day that has a visitor. */
async function pointsBy(asked: Asked, question: Question, dimensions: readonly string[]): Promise<{ daily: Series; hourly: Series }> {
  const within = { ...question, days: lastDays(question.days) }
  const daily = await series(asked, within, { dimensions, interval: 'day' })
  const known = [...new Set([...daily.values()].flatMap(points => [...points.keys()]))].sort()
  const [first, last] = [known[0], known.at(-1)]
  if (first === undefined || last === undefined) return { daily, hourly: new Map() }
  const days = { from: dayNamed(first), to: dayNamed(last) }
  return { daily, hourly: await series(asked, { ...within, days }, { dimensions, interval: 'hour' }) }
}

interface DayStat {
  readonly day: string
  readonly hourly: number[]
  readonly daily: number
  weekly?: number
  monthly?: number
}

type Points = ReadonlyMap<string, number> | undefined

/** Days with their hours; the first day of every seven has their sum, and the first of a month the sum of that month. */
function statsOf(dates: readonly string[], { daily, hourly }: { daily: Points; hourly: Points }): DayStat[] {
  const stats: DayStat[] = dates.map(day => ({
    day,
    hourly: Array.from({ length: 24 }, (_, hour) => hourly?.get(`${day}T${String(hour).padStart(2, '0')}`) ?? NOTHING),
    daily: daily?.get(day) ?? NOTHING,
  }))
  let [week, month] = [0, 0]
  for (const [i, { day, daily: count }] of stats.entries()) {
    if (i % 7 === 0) week = i
    if (day.endsWith('-01')) month = i
    const [ofWeek, ofMonth] = [stats[week], stats[month]]
    if (count === 0 || !ofWeek || !ofMonth) continue
    ofWeek.weekly = (ofWeek.weekly ?? 0) + count
    ofMonth.monthly = (ofMonth.monthly ?? 0) + count
  }
  return stats
}

export const total = goatcounter(async asked => {
  const question = await questionOf(asked)
  if (question === null)
    return { total: 0, total_events: 0, total_utc: 0, stats: statsOf(datesOf(lastDays(daysIn(asked, await siteOf(asked)))), none) }
  const { site, input, filters, days } = question
  const all = { input: { ...input, metrics: ['visitors'], ...(filters.length > 0 && { filters }) }, offset: 0, limit: 1 }
  const ofEvents = { ...all, input: { ...all.input, filters: [...filters, ['event', 'regex', '.']] } }
  const [{ rows }, events, { daily, hourly }] = await Promise.all([
    rowsOf(asked, site.id, all),
    rowsOf(asked, site.id, ofEvents),
    pointsBy(asked, question, []),
  ])
  const count = visitorsOf(rows[0])
  const stats = statsOf(datesOf(lastDays(days)), { daily: daily.get(''), hourly: hourly.get('') })
  return { total: count, total_events: visitorsOf(events.rows[0]), total_utc: count, stats }
})
const none = { daily: undefined, hourly: undefined }

export const hits = goatcounter(async asked => {
  const question = await questionOf(asked)
  if (question === null) return { hits: [], total: 0, more: false }
  const { site, input, days } = question
  const limit = countIn(asked, 'limit', { otherwise: 20, max: MAX.limit })
  const included = await pathsIn(asked, site, 'include_paths')
  const excluded = (await pathsIn(asked, site, 'exclude_paths')) ?? []
  const [pages, events] = await Promise.all(
    ([false, true] as const).map(async isEvent => {
      const dimension = isEvent ? 'event' : 'page'
      const wanted = included && namesOf(included, isEvent)
      if (wanted?.length === 0) return []
      const without = namesOf(excluded, isEvent)
      const filters = [
        ...(wanted ? [[dimension, 'any_of', wanted]] : []),
        ...(without.length > 0 ? [[dimension, 'none_of', without]] : []),
        ...(isEvent ? [['event', 'regex', '.']] : []),
      ]
      const ask = { ...input, dimensions: [dimension], metrics: ['visitors'], ...(filters.length > 0 && { filters }) }
      const { rows } = await rowsOf(asked, site.id, { input: ask, offset: 0, limit: limit + 1 })
      return rows.flatMap(row => (row.values[0] ? [{ path: row.values[0], isEvent, count: visitorsOf(row) }] : []))
    }),
  )
  const listed = [...(pages ?? []), ...(events ?? [])].sort((a, b) => b.count - a.count)
  const shown = listed.slice(0, limit)
  const [number, points] = await Promise.all([numbersOf(asked, site, shown), pointsOf(asked, question, shown)])
  const group = groupIn(asked)
  const dates = daysShown(datesOf(lastDays(days)), shown.map(points))
  const answered: unknown[] = []
  for (const { path, isEvent, count } of shown) {
    const stats = statsOf(dates, points({ path, isEvent }))
    answered.push({ count, path_id: number({ path, isEvent }), path, event: isEvent, title: '', max: maxOf(stats, group), stats })
    await setImmediate()
  }
  return { hits: answered, total: shown.reduce((sum, { count }) => sum + count, 0), more: listed.length > limit }
})

/** All days; if these are too many, from the first one with a visitor. @throws Refused */
function daysShown(dates: readonly string[], points: readonly { daily: Points }[]): readonly string[] {
  if (dates.length * points.length <= MAX.days) return dates
  const [first = ''] = points.flatMap(({ daily }) => [...(daily?.keys() ?? [])]).sort()
  const shown = dates.filter(day => day >= first)
  if (shown.length * points.length > MAX.days) refuse(400, 'There are too many days. Ask for fewer paths (limit), or for a shorter period.')
  return shown
}

async function pointsOf(asked: Asked, question: Question, shown: readonly Path[]) {
  const of = async (isEvent: boolean) => {
    const [dimension, names] = [isEvent ? 'event' : 'page', namesOf(shown, isEvent)]
    if (names.length === 0) return none
    return pointsBy(asked, { ...question, filters: [[dimension, 'any_of', names]] }, [dimension])
  }
  const [pages, events] = await Promise.all([of(false), of(true)])
  return ({ path, isEvent }: Path) => {
    const { daily, hourly } = isEvent ? events : pages
    return { daily: daily?.get(path), hourly: hourly?.get(path) }
  }
}

const groups = ['hour', 'day', 'week', 'month'] as const
type Group = (typeof groups)[number]
function groupIn({ query }: Asked): Group {
  const given = query.get('group') ?? (/^(true|1|on)$/.test(query.get('daily') ?? '') ? 'day' : 'hour')
  return groups.find((name, i) => name === given || String(i) === given) ?? refuse(400, `group is one of ${groups.join(', ')}.`)
}
const countsOf: Readonly<Record<Group, (stat: DayStat) => readonly number[]>> = {
  hour: ({ hourly }) => hourly,
  day: ({ daily }) => [daily],
  week: ({ weekly = 0 }) => [weekly],
  month: ({ monthly = 0 }) => [monthly],
}
const maxOf = (stats: readonly DayStat[], group: Group): number =>
  stats.reduce((max, stat) => countsOf[group](stat).reduce((most, count) => Math.max(most, count), max), 0)

interface Stat {
  readonly id?: string
  readonly name: string
  readonly count: number
  readonly ref_scheme?: string
}
interface Listed {
  readonly stats: readonly Stat[]
  readonly more: boolean
}

interface Wanted {
  readonly dimension: string
  readonly filters?: Filters
  readonly show: (row: Row) => Stat
}

async function listed(asked: Asked, question: Question | null, { dimension, filters = [], show }: Wanted): Promise<Listed> {
  if (question === null) return { stats: [], more: false }
  const limit = countIn(asked, 'limit', { otherwise: 20, max: MAX.limit })
  const offset = countIn(asked, 'offset', { otherwise: 0, min: 0, max: MAX.offset })
  const { site, input } = question
  const all = [...question.filters, ...filters]
  const ask = { ...input, dimensions: [dimension], metrics: ['visitors'], ...(all.length > 0 && { filters: all }) }
  const { rows, meta } = await rowsOf(asked, site.id, { input: ask, offset, limit })
  return { stats: rows.map(show), more: (meta.total ?? 0) > offset + limit }
}

const byName = (row: Row): Stat => ({ id: row.values[0] ?? '', name: row.values[0] ?? '', count: visitorsOf(row) })
const byLabel = (row: Row): Stat => ({ id: row.values[0] ?? '', name: row.labels[0] ?? '', count: visitorsOf(row) })
/** Sources are hosts, or names that several hosts have. */
const byReferrer = (row: Row): Stat => ({
  ...byName(row),
  ref_scheme: row.values[0] === '' ? 'o' : row.values[0]?.includes('.') ? 'h' : 'g',
})
const detail = (row: Row): Stat => ({ name: row.labels[0] ?? '', count: visitorsOf(row) })

export const refs = goatcounter(async asked => {
  const question = await questionOf(asked)
  const number = numberIn('path_id')(asked.path.path_id ?? '')
  const [path] = question === null ? [] : await pathsOf(asked, question.site, [number])
  const filters = path && ofPaths([path], 'any_of')
  const { stats, more } = await listed(asked, filters ? question : null, {
    dimension: 'source',
    ...(filters && { filters }),
    show: byReferrer,
  })
  return { refs: stats.map(({ id: _, ...stat }) => stat), more }
})

interface Page {
  readonly dimension: string
  readonly show: (row: Row) => Stat
  /** The dimension of the rows of one value. */
  readonly detail?: string
  readonly filters?: Filters
}
const pages: Readonly<Record<string, Page>> = {
  browsers: { dimension: 'browser', show: byName, detail: 'browser_version' },
  systems: { dimension: 'os', show: byName, detail: 'os_version' },
  locations: { dimension: 'country', show: byLabel, detail: 'region' },
  languages: { dimension: 'language', show: byLabel },
  campaigns: { dimension: 'utm_campaign', show: byName, detail: 'source', filters: [['utm_campaign', 'regex', '.']] },
  toprefs: { dimension: 'source', show: byReferrer, detail: 'page' },
}
const known = [...Object.keys(pages), 'sizes']

export const stats: ForeignApi = goatcounter(async asked => {
  const name = asked.path.page ?? ''
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined
  if (page === undefined && name !== 'sizes') refuse(400, `page is one of ${known.join(', ')}.`)
  const question = await questionOf(asked)
  if (page === undefined) return { stats: await sizesOf(asked, question), more: false }
  return listed(asked, question, page)
})

export const statsDetail = goatcounter(async asked => {
  const { page: name = '', id = '' } = asked.path
  const question = await questionOf(asked)
  if (name === 'sizes') return sizeOf(asked, question, id)
  const page = Object.hasOwn(pages, name) ? pages[name] : undefined
  if (page?.detail === undefined) return refuse(400, `page is one of ${known.filter(each => each !== 'languages').join(', ')}.`)
  const { stats: rows, more } = await listed(asked, question, {
    dimension: page.detail,
    filters: [[page.dimension, 'any_of', [id]]],
    show: detail,
  })
  return { stats: rows, more }
})

/** Their groups by the width of the screen. */
const sizes = [
  ['phone', 600],
  ['tablet', 1_000],
  ['desktop', 1_920],
  ['desktophd', Number.POSITIVE_INFINITY],
] as const
const sizeNamed = (screen: string): string => {
  const width = Number.parseInt(screen, 10)
  return width > 0 ? (sizes.find(([, most]) => width <= most)?.[0] ?? 'unknown') : 'unknown'
}
const MAX_SCREENS = 5_000

async function screensOf(asked: Asked, question: Question | null): Promise<readonly Row[]> {
  if (question === null) return []
  const { site, input, filters } = question
  const ask = { ...input, dimensions: ['screen'], metrics: ['visitors'], ...(filters.length > 0 && { filters }) }
  return (await rowsOf(asked, site.id, { input: ask, offset: 0, limit: MAX_SCREENS })).rows
}

async function sizesOf(asked: Asked, question: Question | null): Promise<Stat[]> {
  const counts = new Map<string, number>()
  for (const row of await screensOf(asked, question)) {
    const name = sizeNamed(row.values[0] ?? '')
    counts.set(name, (counts.get(name) ?? 0) + visitorsOf(row))
  }
  return [...sizes.map(([name]) => name), 'unknown'].map(id => ({ id, name: '', count: counts.get(id) ?? 0 }))
}

async function sizeOf(asked: Asked, question: Question | null, id: string): Promise<Listed> {
  const limit = countIn(asked, 'limit', { otherwise: 20, max: MAX.limit })
  const offset = countIn(asked, 'offset', { otherwise: 0, min: 0, max: MAX.offset })
  const rows = (await screensOf(asked, question)).filter(({ values: [screen = ''] }) => sizeNamed(screen) === id).map(detail)
  return { stats: rows.slice(offset, offset + limit), more: rows.length > offset + limit }
}
