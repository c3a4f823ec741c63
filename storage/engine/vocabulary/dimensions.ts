/** Dimensions for breakdowns and filters: one row each, and in addition `property:<key>`. */
import { type VisitDimension, visitDimensions } from '../../tables/index.ts'
import { DEVICES, DEVICES_KNOWN } from './devices.ts'
import { type Derived, derivedDimensions, filterOnly } from './derived.ts'
import type { MetricName } from './metrics.ts'
import { safeLetters } from './idn.ts'
import { isNetworkKind, NETWORK_KINDS } from './networks.ts'
import { regionName } from './regions.ts'

/** The level of a dimension: a value of the visit, a page, place (host) or event of its hits, a property of those, or a goal. */
export type Level = 'visit' | 'page' | 'place' | 'event' | 'property' | 'goal'

export interface Dimension {
  readonly name: string
  readonly level: Level
  /** Column of visits with its value, or from which it is derived, if the level is `visit`. */
  readonly column: VisitDimension | null
  /** How its value is derived; null for a stored dimension. */
  readonly derived: Derived | null
  /** Key of the property, if the level is `property`. */
  readonly key: string | null
  /** Text for a missing value; filters accept it as well as ''. */
  readonly blank: string
  readonly description: string
  /** Additional metrics of its rows. */
  readonly metrics: readonly MetricName[]
  /** Metrics of its rows that are counted only on request, because they need a pass over all hits. */
  readonly onRequest: readonly MetricName[]
  /** Whether its values contain a host, which is stored in ASCII form. Filters and rules accept letters as well (idn.ts). */
  readonly isHost: boolean
  /** Label of a value; null: the value itself. */
  readonly label: ((value: string) => string) | null
}

/** Fields in which a dimension differs from the default. */
type Described = Partial<Omit<Dimension, 'name' | 'description'>>

const DIRECT = 'Direct / None'
const NOT_SET = '(not set)'

const named = (type: 'region' | 'language') => {
  let names: Intl.DisplayNames | undefined
  return (code: string): string => {
    names ??= new Intl.DisplayNames('en', { type, fallback: 'code' }) // takes 15 ms
    try {
      return names.of(code) ?? code
    } catch {
      return code // not a valid code: show what the visitor's browser sent
    }
  }
}
/** Values that contain a host. */
const host = { isHost: true, label: safeLetters }
const device = (value: string): string => DEVICES.get(value) ?? value

/** Every dimension of visits has a row; `tsc` reports a missing one. */
const described: Readonly<Record<VisitDimension | 'page' | 'url' | 'event' | 'goal', readonly [description: string, more?: Described]>> = {
  channel: ['How visits came: Direct, Organic Search, Paid Social …', { blank: DIRECT }],
  custom_channel: ['Channel by the site’s own rules, else as `channel`; visits of before those rules have it once they are applied'],
  source: ['Where visits came from: `utm_source`, else the name of the referring site', { ...host, blank: DIRECT }],
  referrer: ['Referring page: host and path', { ...host, blank: DIRECT }],
  utm_source: ['`utm_source` of the first hit'],
  utm_medium: ['`utm_medium` of the first hit'],
  utm_campaign: ['`utm_campaign` of the first hit'],
  utm_content: ['`utm_content` of the first hit'],
  utm_term: ['`utm_term` of the first hit'],
  page: [
    'Path of a page that was viewed',
    {
      level: 'page',
      metrics: ['entries', 'exits', 'exit_rate', 'time_on_page'],
      onRequest: ['visit_revenue', 'conversions'],
    },
  ],
  entry_page: ['Path of the first page of a visit'],
  exit_page: ['Path of the last page of a visit'],
  hostname: ['Host of the pages and events, without `www.`', { ...host, level: 'place', metrics: ['events', 'time_on_page'] }],
  url: ['Host and path of the pages and events: `example.com/about`', { ...host, level: 'place', metrics: ['events', 'time_on_page'] }],
  country: ['ISO 3166-1 code', { label: named('region') }],
  region: ['ISO 3166-2 code', { label: code => regionName(code) ?? code }],
  city: ['Name of the city'],
  network: ['Network of the visitor, for example `Deutsche Telekom`'],
  network_kind: [
    `Kind of network: ${Object.keys(NETWORK_KINDS).join(', ')}`,
    { label: kind => (isNetworkKind(kind) ? NETWORK_KINDS[kind] : kind) },
  ],
  language: ['ISO 639 code', { label: named('language') }],
  device: [`Kind of device: ${DEVICES_KNOWN}`, { label: device }],
  screen: ['Size of the screen, `1920x1080`'],
  browser: ['Name of the browser'],
  browser_version: ['Version of the browser'],
  os: ['Name of the operating system'],
  os_version: ['Version of the operating system'],
  event: ['Name of a custom event as it is shown; filters also take the name that is sent', { level: 'event', metrics: ['events'] }],
  goal: ['A goal: its id; filters also take its name', { level: 'goal', metrics: ['conversions', 'conversion_rate'] }],
}

const visitColumns: ReadonlySet<string> = new Set(visitDimensions)
const isColumn = (name: string): name is VisitDimension => visitColumns.has(name)

function dimension(name: string, description: string, more: Described = {}): Dimension {
  const column = isColumn(name) ? name : null
  const plain = {
    level: 'visit',
    column,
    derived: null,
    key: null,
    blank: NOT_SET,
    metrics: [],
    onRequest: [],
    isHost: false,
    label: null,
  } as const
  return Object.freeze({ name, description, ...plain, ...more })
}

export const dimensions: ReadonlyMap<string, Dimension> = new Map([
  ...Object.entries(described).map(([name, [description, more]]) => [name, dimension(name, description, more)] as const),
  ...Object.entries(derivedDimensions).map(([name, { description, from, label }]) => {
    const column = from.of === 'day' || from.of === 'figure' ? null : from.of
    return [name, dimension(name, description, { derived: from, column, label: label ?? null })] as const
  }),
])
export const dimensionNames: readonly string[] = [...dimensions.keys()]

/** The keys of properties, which can be suggested like values of a dimension. */
export const PROPERTY_KEYS = 'property'
const PROPERTY = 'property:'
const MAX_KEY_LENGTH = 300
/** Longest name of a dimension, in characters. */
export const MAX_DIMENSION_LENGTH = PROPERTY.length + MAX_KEY_LENGTH

/** The dimension with this name, including `property:<key>`; undefined if there is none. */
export function dimensionOf(name: string): Dimension | undefined {
  if (!name.startsWith(PROPERTY)) return dimensions.get(name)
  const key = name.slice(PROPERTY.length)
  if (key === '' || key.length > MAX_KEY_LENGTH) return undefined
  return dimension(name, `Property "${key}" of pageviews and events`, { level: 'property', key, metrics: ['events'] })
}

/** Whether filters accept the name: dimensions, and numbers of visits. */
export const isFilterable = (name: string): boolean => dimensionOf(name) !== undefined || filterOnly.has(name)

/** The accepted names, for messages. */
export const DIMENSIONS_KNOWN = `${dimensionNames.join(', ')} and property:<key>`
export const FILTERS_KNOWN = `${[...dimensionNames, ...filterOnly.keys()].join(', ')} and property:<key>`

/** The label of a value. */
export const labelOf = ({ blank, label }: Dimension, value: string): string => (value === '' ? blank : (label?.(value) ?? value))
