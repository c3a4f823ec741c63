/** Limits the rate by credential, or by address if there is none; declarations can tighten the limit. */
import type { Awaitable } from '../../storage/values/awaitable.ts'
import { networkOf } from '../outbound/network.ts'
import type { Arrival } from './call.ts'

/** @throws Failure `rate_limited` */
export function limitRate({ core, request, entry, caller, headers, at }: Arrival): Awaitable<void> {
  if (entry.rate === 'none' && caller === undefined) return
  const { rates, shared, limits } = core
  const who = caller?.credentialId ?? networkOf(request.ip)
  Object.assign(headers, rates.count(caller ? limits.token : limits.anonymous, { who, now: at }))
  if (entry.rate === 'costly') return countCostly()

  async function countCostly(): Promise<void> {
    Object.assign(headers, await shared.count(limits.costly, { who, now: at }))
  }
}

/** Counts each item of a batch that comes without a credential. @throws Failure `rate_limited` */
export function limitBatch({ core: { rates, limits }, request, caller, headers, at }: Arrival, size: number): void {
  if (caller === undefined) Object.assign(headers, rates.count(limits.batch, { who: networkOf(request.ip), now: at, times: size }))
}
