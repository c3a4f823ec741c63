/**
 * Slows down the guessing of credentials. A failure first locks the pair of address and credential, so that one wrong
 * token in an office does not lock out the valid tokens; only many failures lock the address. A missing credential is not
 * a failure: browsers request images of pages without one.
 */
import { hash } from 'node:crypto'
import type { Config } from '../settings/config.ts'
import { networkOf } from '../outbound/network.ts'
import type { RateCounter, RateLimit } from './rate.ts'
import type { SharedCounts } from './shared-counts.ts'

export interface AuthenticationGuard {
  /** @throws Failure `rate_limited` if this credential, or all from this address together, failed too often */
  refuse(token: string | undefined, ip: string, now: number): void
  /**
   * Counts a failure. All processes count the failures of an address together, so that an attacker gains nothing from using each.
   * @throws Failure `rate_limited` if concurrent failures, or failures at other processes, have reached the limit
   */
  failed(token: string | undefined, ip: string, now: number): Promise<void>
}

export function authenticationGuard(
  rates: RateCounter,
  shared: SharedCounts,
  { RATE_FAILURES, RATE_FAILURES_ADDRESS }: Pick<Config, 'RATE_FAILURES' | 'RATE_FAILURES_ADDRESS'>,
): AuthenticationGuard {
  const pair: RateLimit = { name: 'authentication', limit: RATE_FAILURES }
  const address: RateLimit = { name: 'authentication-address', limit: RATE_FAILURES_ADDRESS }
  return {
    refuse(token, ip, now) {
      if (token === undefined) return
      const network = networkOf(ip)
      rates.refuse(address, network, now)
      // This runs before every call, so the hash is computed only after a failure.
      if (pair.limit > 0 && rates.hasCounted(pair, now)) rates.refuse(pair, pairOf(network, token), now)
    },
    async failed(token, ip, now) {
      if (token === undefined) return
      const network = networkOf(ip)
      if (pair.limit > 0) rates.count(pair, { who: pairOf(network, token), now })
      await shared.count(address, { who: network, now })
    },
  }
}

/** A hash: of bounded length, and not a stored secret. */
function pairOf(network: string, token: string): string {
  return `${network} ${hash('sha256', token, 'base64').slice(0, 22)}`
}
