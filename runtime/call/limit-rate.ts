/** How often: by the credential, or by the address of who shows none; more tightly where the declaration says so. */
import { networkOf } from '../network.ts'
import type { Arrival } from './call.ts'

/** @throws Failure `rate_limited` */
export function limitRate({ core: { rates, limits }, request, door, caller, headers, at }: Arrival): void {
  if (door.rate === 'none' && caller === undefined) return
  const who = caller?.credentialId ?? networkOf(request.ip)
  Object.assign(headers, rates.count(caller ? limits.token : limits.anonymous, who, at))
  if (door.rate === 'costly') Object.assign(headers, rates.count(limits.costly, who, at))
}

/** What comes many in a request without a credential counts as many. @throws Failure `rate_limited` */
export function limitBatch({ core: { rates, limits }, request, caller, headers, at }: Arrival, size: number): void {
  if (caller === undefined) Object.assign(headers, rates.count(limits.batch, networkOf(request.ip), at, size))
}
