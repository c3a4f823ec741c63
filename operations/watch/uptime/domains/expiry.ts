/** The expiry of a registered domain, read from its registry over RDAP (RFC 9082, RFC 9083). */
import { isObject } from '../../../../runtime/values/json.ts'
import { guardedFetch, type Guard } from '../../../../runtime/outbound/outbound.ts'
import type { Registries } from './registries.ts'

/** Whether the domain's registry has an RDAP server. */
export function isAskable(domain: string, registries: Registries): boolean {
  return serverOf(domain, registries) !== undefined
}

interface DomainExpiry {
  readonly domain: string
  readonly registries: Registries
  readonly guard: Guard
  readonly userAgent: string
}

/**
 * @returns epoch ms; null if the registry does not know the domain or names no expiry
 * @throws OutboundError, or Error if the registry gave no usable answer: retry later
 */
export async function domainExpiry({ domain, registries, guard, userAgent }: DomainExpiry): Promise<number | null> {
  const server = serverOf(domain, registries)
  if (server === undefined) return null
  const { status, body } = await guardedFetch(`${server}domain/${encodeURIComponent(domain)}`, {
    ...guard,
    method: 'GET',
    headers: {
      accept: 'application/rdap+json, application/json',
      'accept-encoding': 'identity',
      'user-agent': userAgent,
    },
    timeoutMs: 15_000,
    connectMs: 8_000,
    maxBytes: 524_288,
    redirects: 3,
  })
  if (status === 404) return null
  if (status !== 200) throw new Error(`the registry of ${domain} answered ${status}`)
  return expirationIn(JSON.parse(body.toString('utf8')))
}

function serverOf(domain: string, registries: Registries): string | undefined {
  const tld = domain.slice(domain.lastIndexOf('.') + 1)
  return Object.hasOwn(registries, tld) ? registries[tld] : undefined
}

/** The time of the `expiration` event (RFC 9083 §10.2.3) in an RDAP answer. */
export function expirationIn(answer: unknown): number | null {
  const events = field(answer, 'events')
  if (!Array.isArray(events)) return null
  const ends = events
    .filter(event => field(event, 'eventAction') === 'expiration')
    .map(event => Date.parse(String(field(event, 'eventDate'))))
  const known = ends.filter(at => !Number.isNaN(at) && Math.abs(at) < 8e15)
  return known.length === 0 ? null : Math.max(...known)
}

function field(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}
