/** Normalizes the value of a rule, or returns its fault. */
import ipaddr from 'ipaddr.js'
import { readable } from '../../../runtime/values/readable-path.ts'
import { dimensions } from '../../../storage/engine/vocabulary/dimensions.ts'
import { isNetworkKind, networkKinds } from '../../../storage/engine/vocabulary/networks.ts'
import type { Kind } from './records.ts'
import { hasText } from './wildcard.ts'
import { fieldTerm, type Message } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

/** Largest number of `*` in a pattern. */
const MAX_STARS = 10
/** Wider ranges would include whole providers. */
const WIDEST = { ipv4: 8, ipv6: 32 } as const

const ofValue = { field: fieldTerm('value') }

type Read = { readonly value: string } | { readonly fault: Message }

const readers: Readonly<Record<Kind, (text: string) => Read>> = {
  ip: readRange,
  asn: text => (/^(as)?[1-9]\d{0,9}$/i.test(text) ? { value: `AS${text.replace(/^as/i, '')}` } : { fault: m.no_system(ofValue) }),
  network_kind: text => {
    const kind = text.toLowerCase()
    return isNetworkKind(kind) ? { value: kind } : { fault: m.no_network_kind({ ...ofValue, kinds: networkKinds.join(', ') }) }
  },
  country: text => (isCountry(text.toUpperCase()) ? { value: text.toUpperCase() } : { fault: m.no_country(ofValue) }),
  region: text => (/^[a-z]{2}-[a-z0-9]{1,3}$/i.test(text) ? { value: text.toUpperCase() } : { fault: m.no_region(ofValue) }),
  hostname: text => readPattern(text.toLowerCase().replace(/^www\./, '')),
  page: text => (/^[/*]/.test(text) ? readPattern(readable(text)) : { fault: m.no_path(ofValue) }),
  referrer: text => readPattern(text.toLowerCase().replace(/^https?:\/\/(www\.)?/, '')),
  user_agent: text => readPattern(text.toLowerCase()),
  event: readPattern,
}

/** @returns the value in normal form, or its fault */
export const readValue = (kind: Kind, text: string): Read => readers[kind](text.trim())

function readPattern(text: string): Read {
  if (!hasText(text)) return { fault: m.matches_everything(ofValue) }
  const stars = text.match(/\*+/g)?.length ?? 0
  if (stars > MAX_STARS) return { fault: m.too_many_stars({ ...ofValue, most: MAX_STARS, stars }) }
  return { value: text.replace(/\*+/g, '*') }
}

function readRange(text: string): Read {
  const fault = { fault: m.no_address(ofValue) }
  const [address = '', bits, more] = text.split('/')
  if (more !== undefined || !isWhole(address) || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return fault
  const parsed = ipaddr.process(address)
  if (bits === undefined) return { value: parsed.toString() }
  const mapped = parsed.kind() === 'ipv4' && address.includes(':')
  const width = Number(bits) - (mapped ? 96 : 0)
  const max = parsed.kind() === 'ipv4' ? 32 : 128
  if (width > max || width < 0) return fault
  const widest = WIDEST[parsed.kind()]
  if (width < widest) return { fault: m.range_too_wide({ ...ofValue, widest }) }
  const range = `${parsed.toString()}/${width}`
  const base = parsed.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(range) : ipaddr.IPv6.networkAddressFromCIDR(range)
  return { value: width === max ? base.toString() : `${base.toString()}/${width}` }
}

/** Refuses forms such as `1.2` and `0x7f000001`, which few people read as addresses, and zones. */
const isWhole = (address: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(address) || (address.includes(':') && !address.includes('%') && ipaddr.IPv6.isValid(address))

/** A code without a name is its own label. */
const isCountry = (code: string): boolean => /^[A-Z]{2}$/.test(code) && dimensions.get('country')?.label?.(code) !== code
