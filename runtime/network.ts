/** What an address says: how proxies write it, and whom it stands for. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isAllowed } from './caller.ts'

/**
 * An address as `X-Forwarded-For` has it, some write a port or brackets: `1.2.3.4:5555`, `[2001:db8::1]:443`.
 * IPv4 in IPv6 is IPv4: one client, one address.
 * @returns undefined for what is none
 */
export function addressIn(text: string): string | undefined {
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
 * Whom a limit counts: of IPv6 one customer, often one machine, has a whole /64 to take addresses from.
 * @returns the address of IPv4, the /64 of IPv6; what is no address as it is
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
