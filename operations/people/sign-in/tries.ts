/** Limits on guessing, for the account and for the address, counted by all processes together. */
import type { Config } from '../../../runtime/settings/config.ts'
import { networkOf } from '../../../runtime/outbound/network.ts'
import { countShared, type SharedLimit, tooMany, uncountShared } from '../../../runtime/call/shared-rate.ts'
import type { Db, Store, Trx } from '../../../storage/store.ts'
import { SIGN_IN_TRIES, SIGN_IN_TRIES_ACCOUNT, SIGN_IN_TRIES_ADDRESS } from './settings.ts'

const windowMs = 15 * 60_000

interface Trying {
  readonly store: Store
  readonly config: Config
  readonly now: number
  /** Address of who tries. */
  readonly ip: string
  /** The account that is tried: an e-mail address, whether or not anybody has it, or the id of an account. */
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
      const wait = await countShared(trx, { sharedLimit: limit, who, now: trying.now })
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

/** Six digits are soon guessed by who has the password: however many addresses they come from. */
const codeLimit = (config: Config): SharedLimit => ({ name: 'sign-in-code', limit: config.of(SIGN_IN_TRIES), windowMs })

type Counting = Pick<Trying, 'store' | 'config' | 'now'> & { readonly accountId: string }

/** Counts a code before it is looked at. @throws Failure `rate_limited` */
export async function countCode({ store, config, now, accountId }: Counting): Promise<void> {
  const seconds = await store.transaction(trx => countShared(trx, { sharedLimit: codeLimit(config), who: accountId, now }))
  if (seconds > 0) tooMany(seconds)
}

export async function forgiveCode({ store, config, accountId }: Counting): Promise<void> {
  await store.transaction(trx => uncountShared(trx, codeLimit(config), accountId))
}

/** Mails that anybody can have sent to anybody are few. @throws Failure `rate_limited` */
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
  for (const [name, who, most] of [
    ['mail-to', email, Math.ceil(limit / 3)],
    ['mail-from', networkOf(ip), limit * 2],
  ] as const) {
    const wait = await countShared(db as Trx, { sharedLimit: { name, limit: most, windowMs }, who, now }) // a write is handed its transaction
    if (wait > 0) tooMany(wait)
  }
}
