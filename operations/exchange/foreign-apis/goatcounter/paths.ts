/** Paths of GoatCounter’s API: pages and events, each with a number. */
import { dictionaryOf } from '../../../../storage/hits/dictionaries.ts'
import { type Asked, refuse } from '../format.ts'
import type { NamedSite } from '../named-site.ts'
import { countIn, goatcounter, isOn, siteOf } from './form.ts'

export interface Path {
  readonly path: string
  readonly isEvent: boolean
}
const kinds = [
  { dim: dictionaryOf.page, odd: 0 },
  { dim: dictionaryOf.event, odd: 1 },
] as const

const MAX = { id: 2 ** 31, paths: 200 }

/** Pages have even numbers, events odd ones: ids of their two dictionaries. */
const numberOf = (dim: number, id: number): number => id * 2 + (dim === dictionaryOf.event ? 1 : 0)

export const paths = goatcounter(async asked => {
  const site = await siteOf(asked)
  await asked.call('sites_get', { site_id: site.id })
  const limit = countIn(asked, 'limit', { otherwise: 20, max: MAX.paths })
  const after = countIn(asked, 'after', { otherwise: 0, min: 0, max: MAX.id })
  const found = await Promise.all(
    kinds.map(({ dim, odd }) =>
      asked.db
        .selectFrom('dict')
        .select(['dim', 'id', 'value'])
        .where('site_id', '=', site.number)
        .where('dim', '=', dim)
        .where('id', '>', Math.floor((after - odd) / 2))
        .orderBy('id')
        .limit(limit + 1)
        .execute(),
    ),
  )
  const rows = found
    .flat()
    .map(({ dim, id, value }) => ({ id: numberOf(dim, id), path: value, title: '', event: dim === dictionaryOf.event }))
    .sort((a, b) => a.id - b.id)
  return { paths: rows.slice(0, limit), more: rows.length > limit }
})

/** The paths of numbers, without those that are unknown. The caller has to check that the site may be seen. */
export async function pathsOf(asked: Asked, site: NamedSite, numbers: readonly number[]): Promise<Path[]> {
  if (numbers.length === 0) return []
  const found = await Promise.all(
    kinds.map(({ dim, odd }) => {
      const ids = numbers.flatMap(number => (number % 2 === odd ? [(number - odd) / 2] : []))
      if (ids.length === 0) return []
      return asked.db
        .selectFrom('dict')
        .select(['dim', 'value'])
        .where('site_id', '=', site.number)
        .where('dim', '=', dim)
        .where('id', 'in', ids)
        .execute()
    }),
  )
  return found.flat().map(({ dim, value }) => ({ path: value, isEvent: dim === dictionaryOf.event }))
}

/** Their numbers, by path. */
export async function numbersOf(asked: Asked, site: NamedSite, given: readonly Path[]): Promise<(path: Path) => number> {
  const found = await Promise.all(
    kinds.map(({ dim, odd }) => {
      const names = given.flatMap(({ path, isEvent }) => (isEvent === (odd === 1) ? [path] : []))
      if (names.length === 0) return []
      return asked.db
        .selectFrom('dict')
        .select(['dim', 'id', 'value'])
        .where('site_id', '=', site.number)
        .where('dim', '=', dim)
        .where('value', 'in', names)
        .execute()
    }),
  )
  const known = new Map(found.flat().map(({ dim, id, value }) => [`${dim} ${value}`, numberOf(dim, id)]))
  return ({ path, isEvent }) => known.get(`${isEvent ? dictionaryOf.event : dictionaryOf.page} ${path}`) ?? 0
}

const MAX_PATHS = 100

/** `include_paths` or `exclude_paths`: numbers, or with `path_by_name` names. @returns undefined if there is none @throws Refused */
export async function pathsIn(asked: Asked, site: NamedSite, name: string): Promise<readonly Path[] | undefined> {
  const given = asked.query
    .getAll(name)
    .flatMap(text => text.split(','))
    .filter(text => text !== '')
  if (given.length === 0) return undefined
  if (given.length > MAX_PATHS) return refuse(400, `${name} has at most ${MAX_PATHS} paths.`)
  if (isOn(asked.query.get('path_by_name'))) {
    return given.flatMap(path => [
      { path, isEvent: false },
      { path, isEvent: true },
    ])
  }
  return pathsOf(asked, site, given.map(numberIn(name)))
}

export const numberIn =
  (name: string) =>
  (text: string): number =>
    /^\d{1,9}$/.test(text) ? Number(text) : refuse(400, `invalid number in ${name}.`)
