/**
 * Slows down whoever guesses credentials. A failure locks the pair of address and credential first, so that one wrong
 * token in an office does not lock out the right ones beside it; only many failures lock the address. To show no
 * credential is no failure: a browser sends none with the images of any page.
 */
import { hash } from 'node:crypto'
import type { Config } from './config.ts'
import { networkOf } from './network.ts'
import type { RateCounter, RateLimit } from './rate.ts'

export interface AuthenticationGuard {
  /** @throws Failure `rate_limited` where this credential, or any, has failed too often from there */
  refuse(token: string | undefined, ip: string, now: number): void
  /** Counts a failure. @throws Failure `rate_limited` where others were counted meanwhile */
  failed(token: string | undefined, ip: string, now: number): void
}

export function authenticationGuard(
  rates: RateCounter,
  { RATE_FAILURES, RATE_FAILURES_ADDRESS }: Pick<Config, 'RATE_FAILURES' | 'RATE_FAILURES_ADDRESS'>,
): AuthenticationGuard {
  const pair: RateLimit = { name: 'authentication', limit: RATE_FAILURES }
  const address: RateLimit = { name: 'authentication-address', limit: RATE_FAILURES_ADDRESS }
  return {
    refuse(token, ip, now) {
      if (token === undefined) return
      const network = networkOf(ip)
      rates.refuse(address, network, now)
      if (pair.limit > 0) rates.refuse(pair, pairOf(network, token), now)
    },
    failed(token, ip, now) {
      if (token === undefined) return
      const network = networkOf(ip)
      rates.count(address, network, now)
      if (pair.limit > 0) rates.count(pair, pairOf(network, token), now)
    },
  }
}

/** As short for a header of 16 KB as for a token, and no secret to keep. */
function pairOf(network: string, token: string): string {
  return `${network} ${hash('sha256', token, 'base64').slice(0, 22)}`
}
