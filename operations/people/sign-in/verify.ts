/** Checks a password so that neither the response nor its time reveals anything else. */
import { auditPerson } from '../../../runtime/call/audit-entry.ts'
import { canonicalEmail } from '../../../runtime/values/email.ts'
import { fail } from '../../../runtime/table/errors.ts'
import type { Services } from '../../../runtime/table/call-services.ts'
import { isShutOut } from '../members/index.ts'
import { isSsoEnforced } from '../sso/index.ts'
import { isPassword } from './password.ts'
import { countTry, forgiveTry } from './tries.ts'

export interface Person {
  readonly id: string
  readonly email: string
}

export interface Verified extends Person {
  /** The hash of the password that was shown. */
  readonly hashed: string | null
}

export type Verifying = Pick<Services, 'store' | 'config' | 'now' | 'request' | 'random' | 'log'>

/** @throws Failure `sign_in_failed`, `rate_limited` */
export async function verified(services: Verifying, { email, password }: { email: string; password: string }): Promise<Verified> {
  const { store, now, config, request } = services
  const address = canonicalEmail(email)
  const trying = { store, config, now, ip: request.ip, account: address }
  await countTry(trying)
  const account = await store.read
    .selectFrom('accounts as a')
    .leftJoin('passwords as p', 'p.account_id', 'a.id')
    .select(['a.id', 'a.email', 'p.hash'])
    .where('a.email', '=', address)
    .executeTakeFirst()
  // Runs during the password check, so that the time does not reveal whether the password was right.
  const [isRight, may] = await Promise.all([
    isPassword(password, account?.hash ?? undefined),
    account ? mayEnter(services, account) : false,
  ])
  if (account && isRight && may) {
    await forgiveTry(trying)
    return { id: account.id, email: account.email, hashed: account.hash }
  }
  if (account) void noteRefusal(services, account, 'password')
  return fail('sign_in_failed')
}

/**
 * Whether a person may sign in with their own credentials. A person who is deactivated in all of their workspaces may not; a person
 * without workspaces may. A person who must use an identity provider gets the same error.
 */
export async function mayEnter({ store }: Pick<Services, 'store'>, person: Person): Promise<boolean> {
  const [members, isEnforced] = await Promise.all([
    store.read.selectFrom('members').select(['workspace_id', 'active', 'awaited_email']).where('account_id', '=', person.id).execute(),
    isSsoEnforced(store.read, person),
  ])
  return !isEnforced && !(await isShutOut(store.read, person.email, members))
}

/** Runs in the background: a longer response would reveal that the account exists. */
export async function noteRefusal(services: Verifying, { id, email }: Person, door: string): Promise<void> {
  try {
    const entry = { operation: 'sessions_create', accountId: id, actor: email, door, outcome: 'refused' } as const
    await auditPerson(services.store.write, { ...services, ...entry })
  } catch (err) {
    services.log.warn({ err }, 'a failed sign-in could not be written to the audit log')
  }
}
