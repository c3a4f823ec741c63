/** Limits the rate by credential, or by address if there is none; declarations can tighten the limit. */
import { networkOf } from '../network.ts'
import type { Arrival } from './call.ts'

/** @throws Failure `rate_limited` */
export function limitRate({ core: { rates, limits }, request, entry, caller, headers, at }: Arrival): void {
  if (entry.rate === 'none' && caller === undefined) return
  const who = caller?.credentialId ?? networkOf(request.ip)
  Object.assign(headers, rates.count(caller ? limits.token : limits.anonymous, who, at))
  if (entry.rate === 'costly') Object.assign(headers, rates.count(limits.costly, who, at))
}

/** What comes many in a request without a credential counts as many. @throws Failure `rate_limited` */
export function limitBatch({ core: { rates, limits }, request, caller, headers, at }: Arrival, size: number): void {
  if (caller === undefined) Object.assign(headers, rates.count(limits.batch, networkOf(request.ip), at, size))
}
