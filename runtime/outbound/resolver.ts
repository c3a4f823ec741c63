/**
 * Names to addresses. DNS is asked through c-ares, which waits without blocking a thread: `getaddrinfo` has four
 * threads for the whole process, and four names with dead name servers would stop every other call. What DNS does not
 * know may stand in the machine's own tables, so those are asked last, when a quick answer is sure.
 */
import { lookup, Resolver as Dns } from 'node:dns/promises'

/** Every address of a name, none where it has none. */
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

/** RFC 6761 §6.3: these names are loopback, whatever a name server says. */
export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}
