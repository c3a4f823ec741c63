/** GoatCounter’s API for visitors by referrer, browser, country and others: `stats/{page}`, and `stats/hits/{path_id}`. */
import { type Asked, type ForeignApi, refuse } from '../format.ts'
import type { Row } from '../rows.ts'
import { countIn, goatcounter } from './form.ts'
import { numberIn, pathsOf } from './paths.ts'
import { ofPaths, type Question, questionOf, visitorsBy, visitorsOf } from './question.ts'

const MAX = { limit: 100, offset: 1_000_000, screens: 5_000 }

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
  readonly filters?: readonly unknown[]
  readonly show: (row: Row) => Stat
}

const partIn = (asked: Asked) => ({
  limit: countIn(asked, 'limit', { otherwise: 20, max: MAX.limit }),
  offset: countIn(asked, 'offset', { otherwise: 0, min: 0, max: MAX.offset }),
})

async function listed(asked: Asked, question: Question, { dimension, filters = [], show }: Wanted): Promise<Listed> {
  const { limit, offset } = partIn(asked)
  const within = { ...question, filters: [...question.filters, ...filters] }
  const { rows, meta } = await visitorsBy(asked, within, { dimensions: [dimension], offset, limit })
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
  const [path] = await pathsOf(asked, question.site, [number])
  if (path === undefined) return { refs: [], more: false }
  const { stats, more } = await listed(asked, question, { dimension: 'source', filters: ofPaths([path]), show: byReferrer })
  return { refs: stats.map(({ id: _, ...stat }) => stat), more }
})

interface Page {
  readonly dimension: string
  readonly show: (row: Row) => Stat
  /** The dimension of the rows of one value. */
  readonly detail?: string
  readonly filters?: readonly unknown[]
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
  return listed(asked, question, {
    dimension: page.detail,
    filters: [[page.dimension, 'any_of', [id]]],
    show: detail,
  })
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

const screensOf = async (asked: Asked, question: Question): Promise<readonly Row[]> =>
  (await visitorsBy(asked, question, { dimensions: ['screen'], limit: MAX.screens })).rows

async function sizesOf(asked: Asked, question: Question): Promise<Stat[]> {
  const counts = new Map<string, number>()
  for (const row of await screensOf(asked, question)) {
    const name = sizeNamed(row.values[0] ?? '')
    counts.set(name, (counts.get(name) ?? 0) + visitorsOf(row))
  }
  return [...sizes.map(([name]) => name), 'unknown'].map(id => ({ id, name: '', count: counts.get(id) ?? 0 }))
}

async function sizeOf(asked: Asked, question: Question, id: string): Promise<Listed> {
  const { limit, offset } = partIn(asked)
  const rows = (await screensOf(asked, question)).filter(({ values: [screen = ''] }) => sizeNamed(screen) === id).map(detail)
  return { stats: rows.slice(offset, offset + limit), more: rows.length > offset + limit }
}
