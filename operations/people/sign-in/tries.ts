/** Limits on guessing, for the account and for the address, counted by all processes together. */
import type { Config } from '../../../runtime/config.ts'
import { networkOf } from '../../../runtime/network.ts'
import { countShared, type SharedLimit, tooMany, uncountShared } from '../../../runtime/shared-rate.ts'
import type { Store } from '../../../storage/store.ts'
import { SIGN_IN_TRIES, SIGN_IN_TRIES_ACCOUNT, SIGN_IN_TRIES_ADDRESS } from './settings.ts'

const windowMs = 15 * 60_000

interface Trying {
  readonly store: Store
  readonly config: Config
  readonly now: number
  /** Address of who tries. */
  readonly ip: string
  /** What they try to get into: an e-mail address whether or not anybody has it, the id of an account. */
  readonly account: string
}

function limitsOf({ config, ip, account }: Trying): [SharedLimit, string][] {
  const [network, name] = [networkOf(ip), account.toLowerCase()]
  return [
    [{ name: 'sign-in', limit: config.of(SIGN_IN_TRIES), windowMs }, `${network} ${name}`],
    [{ name: 'sign-in-address', limit: config.of(SIGN_IN_TRIES_ADDRESS), windowMs }, network],
    [{ name: 'sign-in-account', limit: config.of(SIGN_IN_TRIES_ACCOUNT), windowMs }, name],
  ]
}

/** Counts a try before it is made. @throws Failure `rate_limited` */
export async function countTry(trying: Trying): Promise<void> {
  const seconds = await trying.store.transaction(async trx => {
    for (const [limit, who] of limitsOf(trying)) {
      const wait = await countShared(trx, limit, who, trying.now)
      if (wait > 0) return wait
    }
    return 0
  })
  if (seconds > 0) tooMany(seconds)
}

/** It was no guess: it went well. */
export async function forgiveTry(trying: Trying): Promise<void> {
  await trying.store.transaction(async trx => {
    for (const [limit, who] of limitsOf(trying)) await uncountShared(trx, limit, who)
  })
}
