/**
 * Where a webhook may lead: https anywhere public, and into a network that OUTBOUND_ALLOW_CIDRS names. http only into
 * such a network, whatever the name resolves to at the time: nothing signed crosses the internet in the clear.
 */
import type { Config } from '../../runtime/config.ts'
import type { Fault } from '../../runtime/errors.ts'
import { type Guard, guardOf, OutboundError, refusal, targetUrl } from '../../runtime/outbound/outbound.ts'

type Outgoing = Pick<Config, 'OUTBOUND_ALLOW_CIDRS'>

/** The guard of calls to this URL. */
export function endpointGuard(url: URL, config: Outgoing): Guard {
  return { ...guardOf(config), onlyAllowed: url.protocol === 'http:' }
}

export function urlFaults(text: string, config: Outgoing): Fault[] {
  const fault = (message: string): Fault[] => [{ pointer: '/url', code: 'invalid_format', message: `url ${message}` }]
  try {
    const url = targetUrl(text)
    if (/[\s\p{Cc}]/u.test(text)) return fault('must be a URL without spaces.')
    if (url.protocol === 'http:' && config.OUTBOUND_ALLOW_CIDRS.length === 0) return fault('must be an https:// URL.')
    if (refusal(url, endpointGuard(url, config))) return fault('must lead to a public address.')
    return []
  } catch (thrown) {
    if (thrown instanceof OutboundError) return fault('must be an https:// URL without a user name or password in it.')
    throw thrown
  }
}
