/** The site, the days and the paths of requests for GoatCounter’s statistics, and the visitors that they ask for. */
import { type Days, periodOfDays, todayOf } from '../days.ts'
import type { Asked } from '../format.ts'
import type { NamedSite } from '../named-site.ts'
import { type Row, type Rows, rowsOf } from '../rows.ts'
import { daysIn, siteOf } from './form.ts'
import { type Path, pathsIn } from './paths.ts'

export interface Question {
  readonly site: NamedSite
  readonly days: Days
  /** The paths that are asked for and known; undefined for all. */
  readonly included: readonly Path[] | undefined
  readonly filters: readonly unknown[]
}

/** @throws Refused also if the site may not be seen */
export async function questionOf(asked: Asked): Promise<Question> {
  const site = await siteOf(asked)
  await asked.call('sites_get', { site_id: site.id })
  const days = daysIn(asked, site)
  const included = await pathsIn(asked, site, 'include_paths')
  return { site, days, included, filters: included === undefined ? [] : [{ any: ofPaths(included) }] }
}

export const namesOf = (paths: readonly Path[], isEvent: boolean): string[] =>
  paths.flatMap(each => (each.isEvent === isEvent ? [each.path] : []))

/** Conditions on pages, and on events. */
export function ofPaths(paths: readonly Path[]): unknown[] {
  const [pages, events] = [namesOf(paths, false), namesOf(paths, true)]
  return [...(pages.length > 0 ? [['page', 'any_of', pages]] : []), ...(events.length > 0 ? [['event', 'any_of', events]] : [])]
}

interface Wanted {
  readonly dimensions?: readonly string[]
  readonly interval?: 'day' | 'hour'
  readonly offset?: number
  readonly limit: number
}

const nothing: Rows = { rows: [], meta: { total: 0 }, period: undefined, interval: undefined }

/** Rows with visitors; none if no path that is asked for is known. */
export async function visitorsBy(
  asked: Asked,
  { site, days, included, filters }: Question,
  { dimensions = [], interval, offset = 0, limit }: Wanted,
): Promise<Rows> {
  if (included?.length === 0) return nothing
  const period = periodOfDays(days, todayOf(site, asked.now))
  const input = { ...period, filters, dimensions, metrics: ['visitors'], ...(interval && { interval }) }
  return rowsOf(asked, site.id, { input, offset, limit })
}

export const visitorsOf = (row: Row | undefined): number => Number(row?.visitors ?? 0)
