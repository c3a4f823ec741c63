/** IP addresses: parsing them as proxies write them, and the network that rate limits count. */
import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isAllowed } from '../table/caller.ts'

/**
 * Parses an address of `X-Forwarded-For`, possibly with a port or brackets: `1.2.3.4:5555`, `[2001:db8::1]:443`. IPv4
 * in IPv6 becomes IPv4, so that a client has one address.
 * @returns undefined if it is not an address
 */
export function addressIn(text: string): string | undefined {
  if (isIPv4(text)) return text
  let address = text
  if (isIP(text) === 0) {
    const written = /^\[([^\]]+)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(text)
    address = written?.[1] ?? written?.[2] ?? ''
    if (isIP(address) !== (written?.[1] === undefined ? 4 : 6)) return undefined
  }
  return isIP(address) === 4 ? address : ipaddr.process(address.replace(/%.*/, '')).toString()
}

/** This machine and private networks (RFC 1918, 4193, 3927, 4291). */
const near = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '::1/128', 'fc00::/7', 'fe80::/10']
export const isNear = (ip: string): boolean => isAllowed(ip, near)

/**
 * The unit that a limit counts: with IPv6 a single customer, often a single machine, has a whole /64.
 * @returns an IPv4 address, or the /64 of an IPv6 one; any other text unchanged
 */
export function networkOf(ip: string): string {
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  return `${address.parts
    .slice(0, 4)
    .map(part => part.toString(16))
    .join(':')}::/64`
}
