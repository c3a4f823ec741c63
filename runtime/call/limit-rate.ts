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
