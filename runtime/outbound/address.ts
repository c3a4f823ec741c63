/** Which addresses the service may call: public unicast, and what the operator opts in to. */
import ipaddr from 'ipaddr.js'
import { isAllowed } from '../caller.ts'

/**
 * IANA has given out 2000::/3 and nothing else of IPv6 as public unicast, so everything beside it is refused, known
 * to the tables or not: IPv4-compatible `::127.0.0.1` is in none of them.
 */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** IPv4-compatible IPv6 (RFC 4291 §2.5.5.1), which ipaddr.js takes for the IPv4 in it and systems do not. */
const compatible = /^::\d+\./

/** Public by its number only: Azure's wire server, which tells a machine its settings and secrets. */
const inside: readonly string[] = ['168.63.129.16']

/** @param address in its usual form; IPv4 in IPv6 (`::ffff:0:0/96`) counts as the IPv4 it is */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address) || compatible.test(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && !inside.includes(parsed.toString()) && (parsed.kind() === 'ipv4' || parsed.match(publicIpv6))
}

/**
 * @param allow addresses and CIDR ranges opted in to, checked when they were set
 * @param onlyAllowed nothing else, not even what is public
 */
export function mayCall(address: string, allow: readonly string[], onlyAllowed = false): boolean {
  return (!onlyAllowed && isPublic(address)) || (isAllowed(address, allow) && !compatible.test(address))
}
