/** Identifies a person by a password, a password and a code, or a passkey. Every failure gives the same response. */
import type { Static } from '@sinclair/typebox'
import { cookieOf } from '../../../runtime/call/credentials.ts'
import { fail, failWith, type Fault } from '../../../runtime/table/errors.ts'
import type { Services } from '../../../runtime/table/call-services.ts'
import { findLink, takeLink } from '../links/index.ts'
import { type Assertion, personOf } from '../passkeys/index.ts'
import { hasTotp, takeCode, takeRecoveryCode } from '../two-factor/index.ts'
import { passwordOf } from './store.ts'
import { countCode, countTry, forgiveCode, forgiveTry } from './tries.ts'
import { mayEnter, noteRefusal, type Person, type Verified, type Verifying, verified } from './verify.ts'
import { m } from './messages.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'

/** Cookie that proves a right password until the code is entered. */
export const pendingCookie = 'sign-in'
export const pendingSeconds = 600

/** `hashed` is null for a passkey. */
export interface Identified extends Verified {
  readonly method: 'password' | 'passkey'
  readonly passkeyId?: string
  /** Whether the second factor is still missing. */
  readonly isPending: boolean
  /** Whether a recovery code was used, which is then used up. */
  readonly byRecoveryCode?: boolean
}

export interface Shown {
  readonly email?: string
  readonly password?: string
  readonly code?: string
  readonly recovery_code?: string
  readonly passkey?: Static<typeof Assertion>
}

/** @throws Failure `sign_in_failed`, `rate_limited`, `validation_failed` without any credential */
export async function identified(services: Verifying & Pick<Services, 'use'>, shown: Shown): Promise<Identified> {
  if (shown.passkey) return byPasskey(services, shown.passkey)
  if (shown.password === undefined && (shown.code !== undefined || shown.recovery_code !== undefined)) return byPending(services, shown)
  const { email, password } = shown
  if (email === undefined || password === undefined) {
    failWith((['email', 'password'] as const).filter(name => shown[name] === undefined).map(missing))
    return fail('sign_in_failed')
  }
  const person = await verified(services, { email, password })
  const isPending = await hasTotp(services.store.read, person.id)
  if (isPending && (shown.code !== undefined || shown.recovery_code !== undefined)) {
    const byRecoveryCode = await checkCode(services, person, shown)
    return { ...person, method: 'password', isPending: false, byRecoveryCode }
  }
  return { ...person, method: 'password', isPending }
}

const missing = (name: string): Fault => ({ pointer: `/${name}`, code: 'required', message: m.required({ name: fieldTerm(name) }) })

async function byPasskey(services: Verifying, assertion: Static<typeof Assertion>): Promise<Identified> {
  const { store } = services
  const trying = { ...services, ip: services.request.ip, account: assertion.id }
  await countTry(trying)
  const found = await personOf(services, assertion)
  const person = found && (await personBy(store, found.accountId))
  if (!person || !(await mayEnter(services, person))) {
    if (person) void noteRefusal(services, person, 'passkey')
    return fail('sign_in_failed')
  }
  await forgiveTry(trying)
  return { ...person, hashed: null, passkeyId: found.passkeyId, method: 'passkey', isPending: false } // the device has verified the person with a finger, a face or a PIN
}

async function byPending(services: Verifying & Pick<Services, 'use'>, shown: Shown): Promise<Identified> {
  const { store, request, config, now } = services
  const secret = cookieOf(request, pendingCookie, config.BASE_URL)
  const link = secret === undefined ? undefined : await findLink(store.read, { among: ['second_factor'], secret, now })
  if (!link) return fail('sign_in_failed')
  const hashed = await passwordOf(store.read, link.account_id)
  const person = { id: link.account_id, email: link.account_email, hashed }
  const byRecoveryCode = await checkCode(services, person, shown)
  if (!(await takeLink(store.write, link)) || !(await mayEnter(services, person))) return fail('sign_in_failed')
  return { ...person, method: 'password', isPending: false, byRecoveryCode }
}

/** @returns whether it was a recovery code @throws Failure `sign_in_failed`, `rate_limited` */
async function checkCode(services: Verifying & Pick<Services, 'use'>, person: Person, { code, recovery_code }: Shown): Promise<boolean> {
  const { store, use, now, config } = services
  const counting = { store, config, now, accountId: person.id }
  await countCode(counting)
  const isCode = code !== undefined && (await takeCode({ db: store.write, use, now }, person.id, code))
  const byRecoveryCode = !isCode && recovery_code !== undefined && (await takeRecoveryCode(store.write, person.id, recovery_code))
  if (!isCode && !byRecoveryCode) {
    void noteRefusal(services, person, 'code')
    fail('sign_in_failed')
  }
  await forgiveCode(counting)
  return byRecoveryCode
}

function personBy(store: Verifying['store'], accountId: string): Promise<Person | undefined> {
  return store.read.selectFrom('accounts').select(['id', 'email']).where('id', '=', accountId).executeTakeFirst()
}
