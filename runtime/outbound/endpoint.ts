/**
 * Where an endpoint that somebody named may lead, of a webhook or a channel: https anywhere public, and into a network
 * that OUTBOUND_ALLOW_CIDRS names. http only into such a network, whatever the name resolves to at the time: what is
 * signed or secret does not cross the internet in the clear.
 */
import type { Config } from '../config.ts'
import type { Fault } from '../errors.ts'
import { type Guard, refusal } from './connect.ts'
import { OutboundError } from './fault.ts'
import { targetUrl } from './target.ts'

type Outgoing = Pick<Config, 'OUTBOUND_ALLOW_CIDRS'>

/** The guard of calls to this URL. */
export function endpointGuard({ protocol }: URL, { OUTBOUND_ALLOW_CIDRS }: Outgoing): Guard {
  return { allow: OUTBOUND_ALLOW_CIDRS, onlyAllowed: protocol === 'http:' }
}

/** What can be said against an endpoint without asking a name, as faults of the input `url`. */
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
