/** English names of ISO 3166-2 regions from Unicode CLDR. They are read with the first look-up. */
import fs from 'node:fs'
import { createRequire } from 'node:module'
import { addTo } from '../../values/grouped.ts'

/** The source of the names. The build makes a text of them, which is smaller than the package, a development dependency. */
export const REGIONS_SOURCE = 'cldr-subdivisions-full/subdivisions/en/en.json'
interface Cldr {
  readonly subdivisions: { readonly localeDisplayNames: { readonly subdivisions: Readonly<Record<string, string>> } }
}

/**
 * Makes a line for each country: `DE`, then after a tab `BY Bavaria` for each region. If regions share a name, the country
 * follows it, and otherwise the code: `Limburg (NL)`.
 */
export function regionLines(json: string): string {
  const { subdivisions } = JSON.parse(json) as Cldr // by its package
  const names = Object.entries(subdivisions.localeDisplayNames.subdivisions).map(
    // Marks behind a name refer to notes that are not there.
    ([key, name]) => [key.toUpperCase(), name.replace(/[¹²³†\s]+$/, '')] as const,
  )
  const forms = ([key, name]: readonly [string, string]) => {
    const [country, region] = [key.slice(0, 2), key.slice(2)]
    return [name, `${name} (${country})`, `${name} (${country}-${region})`]
  }
  const counted = new Map<string, number>()
  for (const form of names.flatMap(forms)) counted.set(form, (counted.get(form) ?? 0) + 1)
  const lines = new Map<string, string>()
  for (const each of names) {
    const country = each[0].slice(0, 2)
    const label = forms(each).find(form => counted.get(form) === 1) ?? each[1]
    lines.set(country, `${lines.get(country) ?? country}\t${each[0].slice(2)} ${label}`)
  }
  return [...lines.values()].join('\n')
}

/** Makes a value with its first use. */
function later<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

const linesByCountry = later((): ReadonlyMap<string, string> => {
  const textOf = (file: string) => fs.readFileSync(createRequire(import.meta.url).resolve(file), 'utf8')
  const text = import.meta.built ? textOf('#built/regions.txt') : regionLines(textOf(REGIONS_SOURCE))
  return new Map(text.split('\n').map(line => [line.slice(0, 2), line]))
})

/** Returns the English name of a region; undefined for an unknown code. */
export function regionName(code: string): string | undefined {
  const [, country, region] = /^([A-Z]{2})-([A-Z0-9]{1,3})$/.exec(code) ?? []
  const line = country === undefined ? undefined : linesByCountry().get(country)
  const at = line?.indexOf(`\t${region} `) ?? -1
  return line === undefined || at < 0
    ? undefined
    : line
        .slice(at + 1)
        .replace(/\t[^]*/, '')
        .slice(`${region} `.length)
}

const codesByName = later((): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>()
  for (const [country, line] of linesByCountry())
    for (const each of line.split('\t').slice(1)) {
      const [region, label] = [each.slice(0, each.indexOf(' ')), each.slice(each.indexOf(' ') + 1)]
      const code = `${country}-${region}`
      for (const name of new Set([code, label, label.replace(/ \([A-Z0-9-]+\)$/, '')].map(text => text.toLowerCase())))
        addTo(found, name, code)
    }
  return found
})

/** Finds the codes of the regions with an English name, or the region with this code in any case. */
export function regionsCalled(name: string): readonly string[] {
  if (regionName(name) !== undefined) return [name]
  return codesByName().get(name.trim().toLowerCase()) ?? []
}

/** A name of a place without what programs write differently: case, accents, articles, `&`. */
export const spelledPlace = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('\u2019', "'")
    .toLowerCase()
    .replace(/ & /g, ' and ')
    .replace(/^the | sar china$/g, '')
    .replace(/\bsaint\b/g, 'st.')
    .trim()

/** Words of kinds of regions, which some programs write and others omit. */
const KINDS = new RegExp(
  [
    '^(?:(?:autonomous )?(?:community|region|district|province|state|county|governorate|canton|emirate|department|republic) of|principality of|county )',
    '(?:autonomous (?:region|community)|capital region|city|county|department|district|governorate|oblast|prefecture|province|region|state)$',
  ].join('|'),
  'g',
)
const shortPlace = (name: string): string => spelledPlace(name).replace(KINDS, '').trim()

/** Codes of the regions of a line by their names, spelled in full and without the kind of region. */
function codesIn(line: string): ReadonlyMap<string, string> {
  const found = line
    .split('\t')
    .slice(1)
    .map(
      entry =>
        [entry.slice(0, entry.indexOf(' ')), entry.slice(entry.indexOf(' ') + 1).replace(/ \([A-Z]{2}(-[A-Z0-9]+)?\)$/, '')] as const,
    )
  const ways = [
    ...found.map(([code, region]) => [shortPlace(region), code] as const),
    ...found.map(([code, region]) => [spelledPlace(region), code] as const),
    ...found.map(([code]) => [code.toLowerCase(), code] as const),
  ]
  return new Map(ways.filter(([way]) => way !== ''))
}

const codesByCountry = later(() => new Map([...linesByCountry()].map(([country, line]) => [country, later(() => codesIn(line))])))

/** Returns the code of a region by its English name, or by its code without the country; undefined for an unknown one. */
export function regionCode(country: string, name: string): string | undefined {
  const codes = codesByCountry().get(country)?.()
  const code = codes?.get(spelledPlace(name)) ?? codes?.get(shortPlace(name))
  return code === undefined ? undefined : `${country}-${code}`
}
