/** Limits on guessing, per account and per address, shared by all processes. */
import type { Config } from '../../../runtime/settings/config.ts'
import { networkOf } from '../../../runtime/outbound/network.ts'
import { countShared, type SharedLimit, tooMany, uncountShared } from '../../../runtime/call/shared-rate.ts'
import type { Db, Store, Trx } from '../../../storage/store.ts'
import { SIGN_IN_TRIES, SIGN_IN_TRIES_ACCOUNT, SIGN_IN_TRIES_ADDRESS } from './settings.ts'

const windowMs = 15 * 60_000

interface SignInTry {
  readonly store: Store
  readonly config: Config
  readonly now: number
  /** IP address of the client. */
  readonly ip: string
  /** The account that is tried: an e-mail address, whether or not an account has it, or the id of an account. */
  readonly account: string
}

function limitsOf({ config, ip, account }: SignInTry): [SharedLimit, string][] {
  const [network, name] = [networkOf(ip), account.toLowerCase()]
  return [
    [{ name: 'sign-in', limit: config.of(SIGN_IN_TRIES), windowMs }, `${network} ${name}`],
    [{ name: 'sign-in-address', limit: config.of(SIGN_IN_TRIES_ADDRESS), windowMs }, network],
    [{ name: 'sign-in-account', limit: config.of(SIGN_IN_TRIES_ACCOUNT), windowMs }, name],
  ]
}

/** Counts a try before it is checked. @throws Failure `rate_limited` */
export async function countTry(trying: SignInTry): Promise<void> {
  const seconds = await trying.store.transaction(async trx => {
    for (const [limit, who] of limitsOf(trying)) {
      const wait = await countShared(trx, { sharedLimit: limit, who, now: trying.now })
      if (wait > 0) return wait
    }
    return 0
  })
  if (seconds > 0) tooMany(seconds)
}

/** Removes a successful try from the count. */
export async function forgiveTry(trying: SignInTry): Promise<void> {
  await trying.store.transaction(async trx => {
    for (const [limit, who] of limitsOf(trying)) await uncountShared(trx, limit, who)
  })
}

/** Limit on codes of one account, from all addresses together: a person with the password could otherwise guess six digits. */
const codeLimit = (config: Config): SharedLimit => ({ name: 'sign-in-code', limit: config.of(SIGN_IN_TRIES), windowMs })

type CodeTry = Pick<SignInTry, 'store' | 'config' | 'now'> & { readonly accountId: string }

/** Counts a code before it is checked. @throws Failure `rate_limited` */
export async function countCode({ store, config, now, accountId }: CodeTry): Promise<void> {
  const seconds = await store.transaction(trx => countShared(trx, { sharedLimit: codeLimit(config), who: accountId, now }))
  if (seconds > 0) tooMany(seconds)
}

export async function forgiveCode({ store, config, accountId }: CodeTry): Promise<void> {
  await store.transaction(trx => uncountShared(trx, codeLimit(config), accountId))
}

/** Limits mails that anyone can request for any address. @throws Failure `rate_limited` */
export async function countRequest({
  db,
  config,
  now,
  ip,
  email,
}: {
  db: Db
  config: Config
  now: number
  ip: string
  email: string
}): Promise<void> {
  const limit = config.of(SIGN_IN_TRIES)
  for (const [name, who, max] of [
    ['mail-to', email, Math.ceil(limit / 3)],
    ['mail-from', networkOf(ip), limit * 2],
  ] as const) {
    const wait = await countShared(db as Trx, { sharedLimit: { name, limit: max, windowMs }, who, now }) // a write receives its transaction
    if (wait > 0) tooMany(wait)
  }
}
