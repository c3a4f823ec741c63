import { createRequire } from 'node:module'
import { isIP, isIPv4 } from 'node:net'
import { open } from 'maxmind'
import { isObject } from '../../../../runtime/values/json.ts'
import { text } from '../formats/text.ts'

export interface Place {
  /** ISO 3166-1, for example "DE". */
  readonly country: string
  /** ISO 3166-2, for example "DE-BE"; the English name if the database has no code (DB-IP Lite). */
  readonly region: string
  /** English name. */
  readonly city: string
}

const NOWHERE: Place = Object.freeze({ country: '', region: '', city: '' })

/** The country of each address by registry: public domain (CC0), complete, 8 MB. */
const BUNDLED = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'

/**
 * Opens the bundled country database, or the operator's own in MaxMind's format (GeoLite2 City, DB-IP City), and
 * returns a function to look addresses up; unknown fields are ''. The file is read into memory outside the heap, so its
 * size adds to the process. No address is stored. Throws, naming the file, if it cannot be read.
 */
export async function openGeo(path?: string): Promise<(ip: string) => Place> {
  const file = path ?? createRequire(import.meta.url).resolve(BUNDLED)
  const database = await open(file, { cache: { max: 1_000 } }).catch((cause: unknown) => {
    throw new Error(`geo database ${file}: ${cause instanceof Error ? cause.message : 'unreadable'}`, { cause })
  })
  return ip => {
    if (isIPv4(ip)) return placeOf(database.get(ip))
    const address = ip.replace(/^::ffff:(?=\d+\.)/i, '')
    return isIP(address) === 0 ? NOWHERE : placeOf(database.get(address))
  }
}

/** Reads a record of GeoIP2's shape, or of ip-location-db's (`country_code`, `state1`, `city`). */
function placeOf(record: unknown): Place {
  const country = text(at(record, 'country', 'iso_code') ?? at(record, 'country_code'))
  if (country === '') return NOWHERE
  const code = text(at(record, 'subdivisions', 0, 'iso_code'))
  return {
    country,
    region: code === '' ? english(at(record, 'subdivisions', 0) ?? at(record, 'state1')) : `${country}-${code}`,
    city: english(at(record, 'city')),
  }
}

function english(place: unknown): string {
  return text(at(place, 'names', 'en') ?? place)
}

function at(value: unknown, ...path: ReadonlyArray<string | number>): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (Array.isArray(inner)) return typeof key === 'number' ? inner[key] : undefined
    return isObject(inner) ? inner[key] : undefined
  }, value)
}
