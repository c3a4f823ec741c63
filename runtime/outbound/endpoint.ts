/**
 * Rules for URLs that users enter, of webhooks and channels: https to public addresses, and to networks in
 * OUTBOUND_ALLOW_CIDRS. http only to such a network, whatever the name resolves to when called: signed or secret
 * content must not cross the internet in the clear.
 */
import type { Config } from '../settings/config.ts'
import type { Fault } from '../table/errors.ts'
import { type Guard, refusal } from './connect.ts'
import { fieldTerm, type Message, type Term } from '../texts/message.ts'
import { OutboundError } from './fault.ts'
import { m } from './messages.ts'
import { targetUrl } from './target.ts'

type Outgoing = Pick<Config, 'OUTBOUND_ALLOW_CIDRS'>

/** The guard for calls to this URL. */
export function endpointGuard({ protocol }: URL, { OUTBOUND_ALLOW_CIDRS }: Outgoing): Guard {
  return { allow: OUTBOUND_ALLOW_CIDRS, onlyAllowed: protocol === 'http:' }
}

/** Faults of an endpoint that are known without DNS. @param field the input that it is in */
export function urlFaults(text: string, config: Outgoing, field = 'url'): Fault[] {
  const fault = (message: (params: { field: Term }) => Message): Fault[] => [
    { pointer: `/${field}`, code: 'invalid_format', message: message({ field: fieldTerm(field) }) },
  ]
  try {
    const url = targetUrl(text)
    if (/[\s\p{Cc}]/u.test(text)) return fault(m.url_has_spaces)
    if (url.protocol === 'http:' && config.OUTBOUND_ALLOW_CIDRS.length === 0) return fault(m.url_not_https)
    if (refusal(url, endpointGuard(url, config))) return fault(m.url_not_public)
    return []
  } catch (thrown) {
    if (thrown instanceof OutboundError) return fault(m.url_has_credentials)
    throw thrown
  }
}
