/** Countries and regions of other products, which write codes or English names, as collected hits have them: ISO codes. */
import { regionCode, spelledPlace } from '../../../../storage/engine/vocabulary/regions.ts'
import { isNone } from './names.ts'

/** English names that Unicode writes otherwise. Case, accents, `the`, `and` and `SAR China` make no difference. */
const FURTHER: ReadonlyArray<readonly [code: string, names: string]> = [
  ['CD', 'Democratic Republic of the Congo | Congo (DRC) | DR Congo'],
  ['CG', 'Republic of the Congo | Congo'],
  ['CI', 'Ivory Coast'],
  ['CV', 'Cabo Verde'],
  ['CZ', 'Czech Republic'],
  ['FK', 'Falkland Islands (Islas Malvinas)'],
  ['FM', 'Federated States of Micronesia'],
  ['GB', 'Great Britain'],
  ['KP', "Democratic People's Republic of Korea"],
  ['KR', 'Republic of Korea'],
  ['LA', "Lao People's Democratic Republic"],
  ['MD', 'Republic of Moldova'],
  ['MF', 'Saint Martin'],
  ['MK', 'Macedonia | Macedonia (FYROM)'],
  ['MM', 'Myanmar | Burma'],
  ['MO', 'Macau'],
  ['PS', 'Palestine | State of Palestine'],
  ['RU', 'Russian Federation'],
  ['SY', 'Syrian Arab Republic'],
  ['SZ', 'Swaziland'],
  ['TR', 'Turkey'],
  ['TZ', 'United Republic of Tanzania'],
  ['US', 'United States of America'],
  ['VA', 'Holy See'],
  ['VN', 'Viet Nam'],
]

/** English names of regions that Unicode writes otherwise, as Google writes them. */
const REGIONS: ReadonlyMap<string, string> = new Map(
  [
    ['DK-81', 'North Denmark Region'],
    ['DK-83', 'Region of Southern Denmark'],
    ['DK-84', 'Capital Region of Denmark'],
    ['MX-CMX', 'Mexico City'],
    ['PL-02', 'Lower Silesian Voivodeship'],
    ['PL-04', 'Kuyavian-Pomeranian Voivodeship'],
    ['PL-06', 'Lublin Voivodeship'],
    ['PL-08', 'Lubusz Voivodeship'],
    ['PL-10', 'Łódź Voivodeship'],
    ['PL-10', 'Lodz Voivodeship'],
    ['PL-12', 'Lesser Poland Voivodeship'],
    ['PL-14', 'Masovian Voivodeship'],
    ['PL-16', 'Opole Voivodeship'],
    ['PL-18', 'Podkarpackie Voivodeship'],
    ['PL-20', 'Podlaskie Voivodeship'],
    ['PL-22', 'Pomeranian Voivodeship'],
    ['PL-24', 'Silesian Voivodeship'],
    ['PL-26', 'Swietokrzyskie Voivodeship'],
    ['PL-28', 'Warmian-Masurian Voivodeship'],
    ['PL-30', 'Greater Poland Voivodeship'],
    ['PL-32', 'West Pomeranian Voivodeship'],
    ['US-DC', 'District of Columbia'],
    ['US-DC', 'Washington, D.C.'],
  ].map(([code = '', name = '']) => [`${code.slice(0, 2)} ${spelledPlace(name)}`, code] as const),
)

interface Countries {
  readonly codes: ReadonlySet<string>
  /** By a code of two capitals: the code that Unicode prefers. */
  readonly preferred: ReadonlyMap<string, string>
  readonly byName: ReadonlyMap<string, string>
}
let known: Countries | undefined

/** Codes that are not countries: unions, and those that Unicode uses for tests. */
const NO_COUNTRY = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])

function countries(): Countries {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = new Set<string>()
  const preferred = new Map<string, string>()
  const byName = new Map<string, string>()
  for (const code of letters.flatMap(first => letters.map(second => first + second))) {
    const name = names.of(code)
    preferred.set(code, current(code))
    // Withdrawn codes have the name of their successor: `FX` is France.
    if (name === undefined || NO_COUNTRY.has(code) || preferred.get(code) !== code) continue
    codes.add(code)
    byName.set(spelledPlace(name), code)
  }
  for (const [code, further] of FURTHER) for (const name of further.split(' | ')) byName.set(spelledPlace(name), code)
  return { codes, preferred, byName }
}

/** The code that Unicode prefers: `GB` for `UK`. */
const current = (code: string): string => Intl.getCanonicalLocales(`und-${code}`)[0]?.slice(4) ?? code

/** The code of a country by its code in any case, or by its English name; '' if it is none. */
export function countryIn(text: string): string {
  known ??= countries()
  const trimmed = text.trim()
  if (trimmed === '' || isNone(trimmed)) return ''
  const code = /^[a-z]{2}$/i.test(trimmed) ? known.preferred.get(trimmed.toUpperCase()) : known.byName.get(spelledPlace(trimmed))
  return code !== undefined && known.codes.has(code) ? code : ''
}

/** The code of a region (`DE-BE`) by its code with or without the country, or by its English name; otherwise, the text. */
export function regionIn(country: string, text: string): string {
  const trimmed = text.trim()
  if (trimmed === '' || isNone(trimmed)) return ''
  const code = /^[A-Z]{2}-[A-Z0-9]{1,3}$/i.test(trimmed) ? trimmed.toUpperCase() : ''
  if (code !== '' || country === '') return code || trimmed
  return REGIONS.get(`${country} ${spelledPlace(trimmed)}`) ?? regionCode(country, trimmed) ?? trimmed
}
