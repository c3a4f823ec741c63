/** Whom an address stands for: of IPv6 one customer, often one machine, has a whole /64 to take addresses from. */
import ipaddr from 'ipaddr.js'

/** @returns the address of IPv4, the /64 of IPv6; what is no address as it is */
export function networkOf(ip: string): string {
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  return `${address.parts.slice(0, 4).map(part => part.toString(16)).join(':')}::/64`
}
