/**
 * Resolves names. DNS goes through c-ares, which blocks no thread: `getaddrinfo` uses four threads of the process, so
 * that four names with dead name servers would stop all other calls. Names unknown to DNS may be in the machine's hosts
 * file, so `getaddrinfo` comes last, when it answers quickly.
 */
import { lookup, Resolver as Dns } from 'node:dns/promises'

/** All addresses of a name; empty if it has none. */
export type Resolver = (name: string) => Promise<readonly string[]>

export const systemResolver: Resolver = async name => {
  const dns = new Dns({ timeout: 2_000, tries: 2 })
  const answers = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)])
  const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  for (const answer of answers) {
    if (answer.status === 'rejected' && answer.reason?.code === 'ETIMEOUT') throw answer.reason
  }
  return (await lookup(name, { all: true, order: 'ipv4first' })).map(({ address }) => address)
}

/** RFC 6761 §6.3: these names are loopback, regardless of DNS. */
export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}
