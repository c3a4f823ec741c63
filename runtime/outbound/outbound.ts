/** Every call of the service to the outside: webhooks, checks, RDAP, notifications, sign-in. */
import type { Config } from '../settings/config.ts'
import type { Guard } from './connect.ts'

export { type ConnectLimits, type Connected, type Guard, guardedConnect, refusal, resolvePublic } from './connect.ts'
export { endpointGuard, urlFaults } from './endpoint.ts'
export { OutboundError, outboundError, type OutboundFault } from './fault.ts'
export { bareHost, hostOf, targetUrl } from './target.ts'
export { type Download, guardedDownload, guardedFetch, type OutboundAnswer, type OutboundRequest } from './fetch.ts'
export type { Resolver } from './resolver.ts'

/** The guard with the operator's settings. */
export function guardOf({ OUTBOUND_ALLOW_CIDRS }: Pick<Config, 'OUTBOUND_ALLOW_CIDRS'>): Guard {
  return { allow: OUTBOUND_ALLOW_CIDRS }
}
