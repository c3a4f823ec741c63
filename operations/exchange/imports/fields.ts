/**
 * The fields of a record: keys of a JSON line, columns of a CSV. The reader, the command's help and the docs use it.
 */
import { addTo } from '../../../storage/values/grouped.ts'

export interface Field {
  /** `number` also accepts digits as text, as in a CSV. */
  readonly kind: 'text' | 'number' | 'any'
  readonly description: string
}
const field = (kind: Field['kind'], description: string): Field => Object.freeze({ kind, description })

export const fields = Object.freeze({
  timestamp: field('any', 'Time of the hit: ISO 8601, or epoch seconds or milliseconds. Required.'),
  url: field('text', 'Address of the page; a bare path belongs to the domain of the site. Required.'),
  name: field('text', '`pageview` (the default), `engagement`, `vitals`, `click`, or the name of a custom event.'),
  visitor: field('any', 'Any key of the visitor, hashed as an address is. Required, unless `ip` and `user_agent` are given.'),
  ip: field('text', 'Address of the visitor: hashed, and used to find the country. Not stored.'),
  user_agent: field('text', 'User agent: browser, system and device are read from it. Bots are refused.'),
  referrer: field('text', 'Address of the page it came from.'),
  source: field('text', 'Name of the source of the visit, read like a `source` in `url`; used unchanged if the row has a `channel`.'),
  channel: field('text', 'Channel, as reports name it (`Organic Search`): takes precedence over the channel computed from other fields.'),
  hash: field('any', '`true` keeps the fragment of `url`, for sites whose pages differ only in it.'),
  hostname: field('text', 'Host, if `url` is a path.'),
  utm_source: field('text', 'Takes precedence over `url`, as do the other four `utm_` fields.'),
  utm_medium: field('text', 'Medium.'),
  utm_campaign: field('text', 'Campaign.'),
  utm_content: field('text', 'Content.'),
  utm_term: field('text', 'Term.'),
  country: field('text', 'ISO 3166-1 code of two letters; takes precedence over `ip`, as do `region` and `city`.'),
  region: field('text', 'ISO 3166-2 code (`DE-BE`), or a name.'),
  city: field('text', 'Name of the city.'),
  network: field('text', 'Name of the network; takes precedence over `ip`, as does `network_kind`.'),
  network_kind: field('text', '`hosting`, `vpn`, `isp`, `mobile` or `education`.'),
  browser: field(
    'text',
    'Name of the browser; takes precedence over `user_agent`, as do `browser_version`, `os`, `os_version` and `device`.',
  ),
  browser_version: field('text', 'Its major version.'),
  os: field('text', 'Name of the operating system.'),
  os_version: field('text', 'Its version.'),
  device: field('text', '`desktop`, `mobile`, `tablet`, `tv`, `console`, `wearable` or `embedded`.'),
  screen: field('text', 'Size of the screen, `1920x1080`.'),
  language: field('text', 'Language of the browser, `de-DE`.'),
  props: field('any', 'Properties: a JSON object, or its text in a CSV.'),
  revenue: field('any', 'Amount in major units, or `{"currency","amount"}`.'),
  currency: field('text', 'Currency of `revenue`. Defaults to the currency of the site.'),
  interactive: field('any', '`false`: a visit whose only other activity is this event is still a bounce.'),
  scroll: field('number', 'Percent of the page seen; of an `engagement` or of the pageview itself.'),
  engaged_ms: field('number', 'Milliseconds of attention, of an `engagement` or of the pageview itself.'),
  vitals: field('any', 'Web vitals, `{"lcp","inp","fcp","ttfb"}` in milliseconds and `"cls"`; of `vitals` or of the pageview itself.'),
  clicks: field('any', 'Positions of a `click`: a list of `{"s": selector, "x": ten-thousandths of the width, "y": pixels}`.'),
})
export type FieldName = keyof typeof fields
export const fieldNames = Object.keys(fields) as readonly FieldName[] // a literal's own keys

/** The column or key of the file that each field is read from. */
export type FieldMap = Readonly<Record<FieldName, string>>

/** Alternative spellings found in files of other services. */
const spellings: Readonly<Partial<Record<FieldName, readonly string[]>>> = { name: ['name', 'event', 'event_name'] }

/**
 * @param text `timestamp=created_at,url=page`: field of Footfall, then column of the file
 * @throws Error naming the accepted fields
 */
export function parseMap(text: string): Partial<FieldMap> {
  const pairs = text
    .split(',')
    .map(pair => pair.trim())
    .filter(Boolean)
    .map(pair => {
      const [ours = '', theirs = '', ...more] = pair.split('=').map(part => part.trim())
      if (!isField(ours) || theirs === '' || more.length > 0) {
        throw new Error(`--map must be a comma-separated list of field=column; received "${pair}". Fields: ${fieldNames.join(', ')}`)
      }
      return [ours, theirs] as const
    })
  return Object.fromEntries(pairs)
}

function isField(name: string): name is FieldName {
  return Object.hasOwn(fields, name)
}

const keysOf = (name: FieldName, map: Partial<FieldMap>): readonly string[] =>
  map[name] !== undefined ? [map[name]] : (spellings[name] ?? [name])

/** The values of a record by field; `undefined` for missing and blank ones. */
export type FieldValues = Readonly<Record<FieldName, unknown>>

const noValues = Object.fromEntries(fieldNames.map(name => [name, undefined])) as Record<FieldName, unknown>
const isBlank = (value: unknown): boolean => value === undefined || value === null || value === ''

/**
 * Returns a reader of a record's fields, by the map, otherwise by their own names. It goes through the record once: looking for each
 * field in it takes several times as long.
 */
export function fieldReader(map: Partial<FieldMap>): (record: Readonly<Record<string, unknown>>) => FieldValues {
  const byKey = new Map<string, FieldName[]>()
  const spelled: { readonly name: FieldName; readonly keys: readonly string[] }[] = []
  for (const name of fieldNames) {
    const keys = keysOf(name, map)
    const [key, ...more] = keys
    if (key !== undefined && more.length === 0) addTo(byKey, key, name)
    else spelled.push({ name, keys })
  }
  const valueOf = (name: FieldName, value: unknown) => (fields[name].kind === 'number' && typeof value === 'string' ? Number(value) : value)

  return record => {
    const values = { ...noValues }
    for (const key of Object.keys(record)) {
      const value = record[key]
      const names = isBlank(value) ? undefined : byKey.get(key)
      if (names) for (const name of names) values[name] = valueOf(name, value)
    }
    for (const { name, keys } of spelled) {
      const key = keys.find(each => Object.hasOwn(record, each) && !isBlank(record[each]))
      if (key !== undefined) values[name] = valueOf(name, record[key])
    }
    return values
  }
}

/** Columns of a CSV that no field is read from. @throws Error if a required one is missing */
export function unreadColumns(columns: readonly string[], map: Partial<FieldMap>): string[] {
  const has = (name: FieldName) => keysOf(name, map).some(key => columns.includes(key))
  const unknown = Object.values(map).filter(column => !columns.includes(column))
  if (unknown.length > 0) throw new Error(`The file has no column ${unknown.join(', ')}; it has ${columns.join(', ')}`)
  const missing = [
    ...(['timestamp', 'url'] as const).filter(name => !has(name)),
    ...(has('visitor') || (has('ip') && has('user_agent')) ? [] : ['visitor (or ip and user_agent)']),
  ]
  if (missing.length > 0) {
    const first = missing[0]?.split(' ')[0]
    throw new Error(`The file needs columns for ${missing.join(', ')}; it has ${columns.join(', ')}. Name them in map: ${first} = …`)
  }
  const read = new Set(fieldNames.flatMap(name => keysOf(name, map)))
  return columns.filter(column => !read.has(column))
}
