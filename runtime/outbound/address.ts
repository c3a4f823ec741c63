/** Addresses that the service may call: public unicast, and those that the operator allows. */
import ipaddr from 'ipaddr.js'
import { isAllowed } from '../table/caller.ts'

/**
 * IANA has allocated of IPv6 only 2000::/3 as public unicast, so everything outside is refused, also what the tables
 * lack, such as IPv4-compatible `::127.0.0.1`.
 */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** IPv4-compatible IPv6 (RFC 4291 §2.5.5.1), which ipaddr.js treats as IPv4 but operating systems do not. */
const compatible = /^::\d+\./

/** Looks public but is internal: Azure's wire server, which gives a machine its settings and secrets. */
const inside: readonly string[] = ['168.63.129.16']

/** @param address in canonical form; IPv4 in IPv6 (`::ffff:0:0/96`) counts as IPv4 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address) || compatible.test(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && !inside.includes(parsed.toString()) && (parsed.kind() === 'ipv4' || parsed.match(publicIpv6))
}

/**
 * @param allow additional addresses and CIDR ranges, already validated
 * @param onlyAllowed excludes public addresses
 */
export function mayCall(address: string, allow: readonly string[], onlyAllowed = false): boolean {
  return (!onlyAllowed && isPublic(address)) || (isAllowed(address, allow) && !compatible.test(address))
}
