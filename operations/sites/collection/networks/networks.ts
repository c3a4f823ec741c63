/**
 * Looks up the network of an address: in the bundled table of well-known networks, or in the operator's own database. The table is
 * read with the first address. No address is stored.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { isIPv4, isIPv6 } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'
import { open } from 'maxmind'
import type { NetworkKind } from '../../../../storage/engine/vocabulary/networks.ts'
import { isObject } from '../../../../runtime/values/json.ts'
import { text } from '../formats/text.ts'
import { isTurnOver } from '../../../../storage/system/event-loop.ts'
import { NETWORKS } from './network-table.ts'

export interface Network {
  /** Number of the autonomous system; 0 if unknown. */
  readonly asn: number
  /** Its name, for example "Deutsche Telekom"; '' if unknown. */
  readonly network: string
  readonly network_kind: NetworkKind | ''
}

export type NetworkOf = (ip: string) => Network

export const NO_NETWORK: Network = Object.freeze({ asn: 0, network: '', network_kind: '' })

/**
 * Opens the operator's database in MaxMind's format (GeoLite2 ASN, DB-IP ASN Lite, IPinfo Lite), or the bundled table. Throws,
 * naming the file, if it cannot be read.
 */
export async function openNetworks(path?: string): Promise<NetworkOf> {
  if (path === undefined) return networkAmong(await (bundled ??= readRoutes()))
  const database = await open(path, { cache: { max: 1_000 } }).catch((cause: unknown) => {
    throw new Error(`network database ${path}: ${cause instanceof Error ? cause.message : 'unreadable'}`, { cause })
  })
  return ip => {
    const address = plainAddress(ip)
    return address === '' ? NO_NETWORK : networkIn(database.get(address))
  }
}

/** Reads a record of GeoLite2's shape, or of IPinfo's (`asn: "AS3320"`, `as_name`). */
function networkIn(record: unknown): Network {
  if (!isObject(record)) return NO_NETWORK
  const given = record.autonomous_system_number ?? record.asn
  const asn = Number(typeof given === 'string' ? given.replace(/^AS/i, '') : given)
  if (!Number.isSafeInteger(asn) || asn <= 0) return NO_NETWORK
  const name = text(record.autonomous_system_organization) || text(record.as_name) || text(record.name)
  return bySystem().get(asn) ?? { asn, network: name || `AS${asn}`, network_kind: '' }
}

/** Without the form of IPv4 in IPv6; '' if it is not an address. */
function plainAddress(ip: string): string {
  if (isIPv4(ip)) return ip
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIPv4(address) || isIPv6(address) ? address : ''
}

/** Makes a value with its first use. */
export function later<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

const bySystem = later(
  (): ReadonlyMap<number, Network> =>
    new Map(
      NETWORKS.flatMap(([network_kind, network, systems]) =>
        systems.split(' ').map(asn => [Number(asn), Object.freeze({ asn: Number(asn), network, network_kind })] as const),
      ),
    ),
)

/** Ranges of addresses in order, apart from each other, with the place of their network in `networks`. */
interface Ranges {
  readonly starts: Float64Array
  /** The first address behind each. */
  readonly ends: Float64Array
  readonly places: Uint16Array
}
interface Routes {
  readonly v4: Ranges
  /** By the first 48 bits of an address: no route is narrower. */
  readonly v6: Ranges
  readonly networks: readonly Network[]
}

let bundled: Promise<Routes> | undefined

/** Each line: the number of an autonomous system, and its prefixes, `18.4/14` for 18.4.0.0/14. Yields while it reads. */
async function readRoutes(): Promise<Routes> {
  const file = import.meta.built ? createRequire(import.meta.url).resolve('#built/routes.txt') : new URL('routes.txt', import.meta.url)
  const known = bySystem()
  const networks: Network[] = []
  const [v4, v6]: [Read, Read] = [new Map(), new Map()]
  for (const line of (await readFile(file, 'utf8')).split('\n')) {
    const [asn, ...prefixes] = line.split(' ')
    const network = known.get(Number(asn))
    if (!network) continue
    const place = networks.push(network) - 1
    for (const prefix of prefixes) {
      add(prefix.includes(':') ? v6 : v4, prefix, place)
      if (isTurnOver()) await nextTurn() // a line may have thousands
    }
  }
  return { v4: await inOrder(v4), v6: await inOrder(v6), networks }
}

/**
 * By where a route begins, and no two begin at the same address: its size, and the place of its network. They are one number, because
 * the garbage collector would copy 35,000 objects.
 */
type Read = Map<number, number>
const SIZE = 65_536

function add(routes: Read, prefix: string, place: number): void {
  const slash = prefix.indexOf('/')
  const [address, bits] = [prefix.slice(0, slash), Number(prefix.slice(slash + 1))]
  if (address.includes(':')) routes.set(number48(address), 2 ** (48 - bits) * SIZE + place)
  else routes.set(number32(address), 2 ** (32 - bits) * SIZE + place)
}

/** A typed array is sorted without calling a function, which takes a tenth of the time. */
async function inOrder(routes: Read): Promise<Ranges> {
  const starts = Float64Array.from(routes.keys()).sort()
  const [ends, places] = [new Float64Array(starts.length), new Uint16Array(starts.length)]
  for (const [i, start] of starts.entries()) {
    const route = routes.get(start) ?? 0
    places[i] = route % SIZE
    ends[i] = start + (route - (route % SIZE)) / SIZE
    if (isTurnOver()) await nextTurn()
  }
  return { starts, ends, places }
}

/** An IPv4 address as a number; octets that are left out are 0. */
function number32(address: string): number {
  let [number, octet, octets] = [0, 0, 1]
  for (let i = 0; i < address.length; i++) {
    const code = address.charCodeAt(i)
    if (code === DOT) {
      number = number * 256 + octet
      octet = 0
      octets++
    } else octet = octet * 10 + code - ZERO
  }
  return (number * 256 + octet) * 256 ** (4 - octets)
}
const [DOT, ZERO] = [46, 48]

/** The first 48 bits of an IPv6 address. */
function number48(address: string): number {
  const [a = 0, b = 0, c = 0] = ipaddr.IPv6.parse(address).parts
  return (a * 65_536 + b) * 65_536 + c
}

const networkAmong =
  ({ v4, v6, networks }: Routes): NetworkOf =>
  ip => {
    const address = plainAddress(ip)
    if (address === '') return NO_NETWORK
    const place = isIPv4(address) ? placeIn(v4, number32(address)) : placeIn(v6, number48(address.replace(/%.*$/, '')))
    return networks[place] ?? NO_NETWORK
  }

/** The place of the network that has an address; -1 for none. */
function placeIn({ starts, ends, places }: Ranges, address: number): number {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= address) low = middle + 1
    else high = middle
  }
  return low > 0 && address < (ends[low - 1] ?? 0) ? (places[low - 1] ?? -1) : -1
}
