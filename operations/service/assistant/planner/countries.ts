/** Other names of countries, languages and cities than those used in reports. */
import { folded } from './words.ts'

/** Every country by its English name, and as people write it. Values are ISO 3166-1 codes. */
const alsoCountries: Readonly<Record<string, string>> = {
  US: 'usa, the us, from us, in us, united states of america, the states, america, american, americans, u s a, us visitors, us traffic',
  GB: 'uk, the uk, britain, great britain, british, england',
  DE: 'german, germans, deutschland',
  FR: 'french',
  AT: 'austrian, austrians, osterreich, oesterreich',
  CH: 'swiss, schweiz',
  NL: 'holland, dutch, the netherlands',
  ES: 'spanish, spaniards',
  IT: 'italian, italians',
  PL: 'polish, poles',
  SE: 'swedish, swedes',
  DK: 'danish, danes',
  NO: 'norwegian, norwegians',
  FI: 'finnish, finns',
  IE: 'irish',
  PT: 'portuguese',
  CA: 'canadian, canadians',
  JP: 'japanese',
  AU: 'australian, australians',
  BR: 'brazilian, brazilians, brasil',
  IN: 'indian, indians',
  CN: 'chinese',
  RU: 'russian, russians',
  BE: 'belgian, belgians',
  CZ: 'czech republic, czech, czechs',
  TR: 'turkey, turkish',
  MX: 'mexican, mexicans',
  GR: 'greek, greeks',
  HU: 'hungarian, hungarians',
  UA: 'ukrainian, ukrainians',
  KR: 'south korea, korean, koreans',
  AE: 'uae, emirates',
  NZ: 'new zealanders',
  ZA: 'south african, south africans',
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Names of countries in small letters, with their codes. */
export function countryNames(): ReadonlyMap<string, string> {
  if (countries.size > 0) return countries
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  for (const first of letters)
    for (const second of letters) {
      const code = first + second
      const name = names.of(code)
      if (name !== undefined && !/^(EU|EZ|UN|QO|XA|XB|ZZ|AC|UK|DD|SU|YU|FX|TP|ZR|BU|NT|AN|CS)$/.test(code))
        countries.set(folded(name), code)
    }
  for (const [code, also] of Object.entries(alsoCountries)) for (const name of also.split(', ')) countries.set(name, code)
  return countries
}
const countries = new Map<string, string>()

/** Names of languages in small letters, with their ISO 639 codes. */
export function languageNames(): ReadonlyMap<string, string> {
  if (languages.size > 0) return languages
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  for (const first of letters)
    for (const second of letters) {
      const code = (first + second).toLowerCase()
      const name = names.of(code)
      if (name !== undefined) languages.set(folded(name), code)
    }
  return languages
}
const languages = new Map<string, string>()

/** Cities with several names: the name in reports, and the other names. */
const exonyms: Readonly<Record<string, string>> = {
  Munich: 'munchen, muenchen',
  Cologne: 'koln, koeln',
  Nuremberg: 'nurnberg, nuernberg',
  Hanover: 'hannover',
  Dusseldorf: 'duesseldorf',
  Frankfurt: 'frankfurt am main',
  Vienna: 'wien',
  Zurich: 'zuerich',
  Geneva: 'genf, geneve',
  Basel: 'basle',
  Bern: 'berne',
  Lucerne: 'luzern',
  Milan: 'mailand, milano',
  Rome: 'rom, roma',
  Venice: 'venedig, venezia',
  Florence: 'florenz, firenze',
  Naples: 'neapel, napoli',
  Turin: 'torino',
  Copenhagen: 'kopenhagen, kobenhavn',
  Gothenburg: 'goteborg, goeteborg',
  Warsaw: 'warschau, warszawa',
  Krakow: 'krakau, cracow',
  Wroclaw: 'breslau',
  Gdansk: 'danzig',
  Prague: 'prag, praha',
  Budapest: 'ofenpest',
  Bucharest: 'bukarest, bucuresti',
  Brussels: 'brussel, bruxelles, bruessel',
  Antwerp: 'antwerpen, anvers',
  Ghent: 'gent',
  'The Hague': 'den haag',
  Lisbon: 'lissabon, lisboa',
  Athens: 'athen',
  Moscow: 'moskau, moskva',
  'Saint Petersburg': 'st petersburg, sankt petersburg',
  Strasbourg: 'strassburg',
  Nice: 'nizza',
  Seville: 'sevilla',
  Beijing: 'peking',
  Tokyo: 'tokio',
  Cairo: 'kairo',
  'New York': 'new york city, nyc',
  'San Francisco': 'sf',
  'Los Angeles': 'la',
  Bengaluru: 'bangalore',
  Mumbai: 'bombay',
  Kolkata: 'calcutta',
}
const cities: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(exonyms).map(([name, also]) => [folded(name), also.split(', ')]),
)

/** Other names of a city that reports list under this name. Reports may also list it under its local name. */
export function otherNamesOf(city: string): readonly string[] {
  const name = folded(city)
  const local = [...cities].find(([, others]) => others.includes(name))
  return cities.get(name) ?? (local ? [local[0], ...local[1]] : [])
}
