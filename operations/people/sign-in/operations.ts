import { Type } from '@sinclair/typebox'
import { auditPerson } from '../../../runtime/call/audit-entry.ts'
import { cookieFor } from '../../../runtime/call/credentials.ts'
import { canonicalEmail } from '../../../runtime/values/email.ts'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import type { Services } from '../../../runtime/table/call-services.ts'
import { ownPath } from '../../../runtime/table/page.ts'
import { optional } from '../../../runtime/table/schema.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import { changeAddress, isPlaceholder, proveAddress } from '../account/index.ts'
import { endLinks, findLink, type FoundLink, makeLink, takeLink } from '../links/index.ts'
import { canMail, sayTo, sendNotice } from '../mail/index.ts'
import { addPasskey, Assertion, Attestation, creationOptions, isStillPasskey, PasskeyOptions } from '../passkeys/index.ts'
import { browserOf, endSessions, factorsChanged, startSession } from '../sessions/index.ts'
import { code, recoveryCode, recoveryCodesOf } from '../two-factor/index.ts'
import { identified, pendingCookie, pendingSeconds } from './identify.ts'
import { hashPassword, newPassword, passwordFaults, typedPassword } from './password.ts'
import { namesAbout } from './names.ts'
import { Done, ids, SignIn } from './records.ts'
import { isStillPassword, keepPassword } from './store.ts'
import { countRequest } from './tries.ts'
import { m } from './messages.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import type { Say } from '../../../runtime/texts/say.ts'

const browser = (request: { header(name: string): string | undefined }) => (say: Say) => browserOf(request.header('user-agent') ?? '', say)

export const sessions_create = operation({
  route: 'POST /session',
  summary: 'Sign in',
  description:
    'With `email` and `password`, and, if the account has a second factor, with `code` or `recovery_code` in the same or in a ' +
    'second request; or with a `passkey`. The answer sets the cookie of the session: `__Host-session` on https, `session` on http. ' +
    'Every failure is answered alike. Only pages of this service may ask: the Origin is checked.',
  access: 'public',
  ownOrigin: true,
  surfaces: ['http'],
  effect: 'create',
  input: {
    email: optional(Type.String({ format: 'email', description: 'E-mail address of the account.' })),
    password: optional(typedPassword),
    code: optional(code),
    recovery_code: optional(recoveryCode),
    passkey: optional(Assertion),
  },
  output: SignIn,
  secrets: ['password', 'code', 'recovery_code', 'passkey'],
  form: {
    page: 'GET /sign-in',
    after({ status }: { status: string }, typed) {
      const next = ownPath(typed.get('_next'))
      if (status === 'signed_in') return next ?? '/'
      return `/sign-in/code${next === undefined ? '' : `?${new URLSearchParams({ next })}`}`
    },
  },
  examples: [{ input: { email: 'ada@example.com', password: 'correct horse battery' } }],
  prepare: async ({ input, ...services }) => ({ person: await identified(services, input) }),
  async run({ person, ...services }) {
    const { db, config, setCookie, request } = services
    // Somebody may have set another password since this one was verified, or deleted the passkey, which ends what was begun with it.
    if (person.hashed !== null && !(await isStillPassword(db, person.id, person.hashed))) fail('sign_in_failed')
    if (person.passkeyId !== undefined && !(await isStillPasskey(db, person.passkeyId))) fail('sign_in_failed')
    if (person.isPending) {
      const secret = await makeLink(services, { kind: 'second_factor', accountId: person.id })
      setCookie(cookieFor({ name: pendingCookie, value: secret, seconds: pendingSeconds, baseUrl: config.BASE_URL }))
      return { status: 'code_required' as const }
    }
    const { session, isNewDevice } = await startSession(services, { accountId: person.id, method: person.method })
    await endLinks(db, { accountId: person.id, which: ['second_factor'] })
    await auditPerson(db, {
      ...services,
      operation: 'sessions_create',
      accountId: person.id,
      actor: person.email,
      door: person.method,
      outcome: 'done',
      subjectId: session.id,
    })
    if (person.byRecoveryCode) {
      const { left } = await recoveryCodesOf(db, person.id)
      await sendNotice(services, {
        to: person.email,
        what: m.recovery_code_used({ left }),
        browser: browser(request),
      })
    }
    if (isNewDevice) {
      await sendNotice(services, {
        to: person.email,
        what: m.new_browser(),
        browser: browser(request),
      })
    }
    return { status: 'signed_in' as const }
  },
})

const changed = { what: m.password_changed() }
const linkGone = m.link_ended()
const token = Type.String({ maxLength: 64, description: 'The last part of the link.' })

export const passwords_update = operation({
  route: 'PATCH /account/password',
  summary: 'Change the password',
  done: 'Password changed.',
  description: 'All other sessions of the account end.',
  access: 'session',
  ofPerson: true,
  fresh: true,
  effect: 'update',
  input: { password: newPassword },
  output: Done,
  secrets: ['password'],
  form: { page: 'GET /account', after: () => '/account' },
  examples: [{ input: { password: 'correct horse battery' } }],
  async prepare({ input, caller: { member }, store, config }) {
    failWith(await passwordFaults(input.password, await namesAbout({ db: store.read, config, accountId: member.accountId })))
    return { hashed: await hashPassword(input.password) }
  },
  async run({ caller, hashed, ...services }) {
    const { db, now, request } = services
    const { accountId, email } = caller.member
    await keepPassword(db, { accountId, hashed, now })
    await factorsChanged(services, caller)
    await sendNotice(services, { to: email, ...changed, browser: browser(request) })
    return { done: true }
  },
})

export const passwords_forgot = operation({
  route: 'POST /password/forgot',
  summary: 'Ask for a new password',
  description:
    'If an account has the address, a mail with a link goes to it; the answer is the same if none has it. The link is good once, ' +
    'for an hour. Without a mail server (`SMTP_URL`) there is no mail: `npm run sign-in-link` on the machine prints a link.',
  access: 'public',
  ownOrigin: true,
  surfaces: ['http'],
  effect: 'update',
  input: { email: Type.String({ format: 'email', description: 'E-mail address of the account.' }) },
  output: Done,
  form: { page: 'GET /password/forgot', after: () => '/password/forgot?sent=1' },
  examples: [{ input: { email: 'ada@example.com' } }],
  async run({ db, config, input, now, newId, request }) {
    if (!canMail(config)) fail('invalid_state', m.no_mails())
    const email = canonicalEmail(input.email)
    await countRequest({ db, config, now, ip: request.ip, email })
    // Whether anybody has it is looked up by a task: the answer takes no longer for one than for the other.
    await db
      .insertInto('reset_requests')
      .values({ id: newId(ids.reset_request), email, due_at: now, leased_until: null, created_at: now })
      .execute()
    wakeAfter(db, 'passwords_remind')
    return { done: true }
  },
})

export const passwords_reset = operation({
  route: 'POST /links/{token}',
  summary: 'Set a password by a link',
  description:
    'With the link that the machine itself printed (15 minutes) or that a mail brought (1 hour); it is good once. All sessions of the ' +
    'account end. A link of the machine signs in at once; it may set the e-mail address as well, and a passkey instead of a password.',
  access: 'public',
  ownOrigin: true,
  surfaces: ['http'],
  effect: 'create',
  path: { token },
  input: {
    password: optional(newPassword),
    email: optional(Type.String({ format: 'email', description: 'E-mail address to sign in with; only with a link of the machine.' })),
    passkey: optional(Attestation),
  },
  output: Done,
  secrets: ['password', 'token', 'passkey'],
  form: { page: 'GET /links/{token}', after: () => '/' },
  examples: [{ input: { token: '{{set_up_link}}', password: 'correct horse battery' } }],
  async prepare({ store, config, input, now }) {
    const link: FoundLink =
      (await findLink(store.read, { among: ['set_up', 'reset'], secret: input.token, now })) ?? fail('invalid_state', linkGone)
    // A mail to an address that the account had before proves nothing of the one it has.
    if (link.email !== null && link.email !== link.account_email) fail('invalid_state', linkGone)
    const { password, passkey, email } = input
    const isSetUp = link.kind === 'set_up'
    if (email !== undefined && !isSetUp) failWith([{ pointer: '/email', code: 'mismatch', message: m.link_only_sets_a_password() }])
    if (passkey && !isSetUp) failWith([{ pointer: '/passkey', code: 'mismatch', message: m.link_only_sets_a_password() }])
    if (passkey) return { link, hashed: undefined }
    if (password === undefined) {
      failWith([{ pointer: '/password', code: 'required', message: m.required({ name: fieldTerm('password') }) }])
      return { link, hashed: undefined }
    }
    failWith(await passwordFaults(password, await namesAbout({ db: store.read, config, accountId: link.account_id, also: [email] })))
    return { link, hashed: await hashPassword(password) }
  },
  async run({ link, hashed, input, ...services }) {
    const { db, now, request } = services
    if (!(await takeLink(db, link))) fail('invalid_state', linkGone)
    const accountId = link.account_id
    const actor = input.email === undefined ? link.account_email : canonicalEmail(input.email)
    // Written first: whoever has just proved the address is awaited in every workspace.
    await auditPerson(db, { ...services, operation: 'passwords_reset', accountId, actor, door: 'link', outcome: 'done' })
    await proveAddress(services, accountId) // by the mailbox, or by whoever runs the machine
    const email = await addressAfter(services, link, input.email)
    if (hashed !== undefined) await keepPassword(db, { accountId, hashed, now })
    if (input.passkey) await addPasskey(services, { accountId, name: browser(request)(await sayTo(db, email)), attestation: input.passkey })
    await endSessions(db, accountId)
    await endLinks(db, { accountId, which: ['reset', 'set_up', 'second_factor'] })
    // Whoever runs the machine has said whose account it is: nobody with a former address takes it from them.
    if (link.kind === 'set_up') await endLinks(db, { accountId, which: ['email_undo'] })
    await sendNotice(services, {
      to: link.account_email,
      reader: email,
      ...(hashed === undefined ? { what: m.passkey_added() } : changed),
      browser: browser(request),
    })
    if (link.kind === 'set_up') await startSession(services, { accountId, method: 'link' })
    return { done: true }
  },
})

/** An address that is typed with a link of the machine is only taken for proved where it is the first one of the installation's owner. */
async function addressAfter(services: Pick<Services, 'db' | 'now'>, { account_id, account_email }: FoundLink, typed: string | undefined) {
  if (typed === undefined || canonicalEmail(typed) === account_email) return account_email
  return changeAddress(services, { accountId: account_id, email: typed, isProved: isPlaceholder(account_email) })
}

export const passwords_options = operation({
  route: 'POST /links/{token}/options',
  summary: 'Begin to make a passkey by a link',
  description: 'With a link that the machine itself printed. `passwords_reset` takes what the browser answers.',
  access: 'public',
  ownOrigin: true,
  surfaces: ['http'],
  effect: 'update',
  path: { token },
  input: { email: optional(Type.String({ format: 'email', description: 'How the passkey is called on the device.' })) },
  output: PasskeyOptions,
  secrets: ['token'],
  examples: [{ input: { token: '{{set_up_link}}' } }],
  async run({ input, ...services }) {
    const link =
      (await findLink(services.db, { among: ['set_up'], secret: input.token, now: services.now })) ?? fail('invalid_state', linkGone)
    const email = input.email ?? link.account_email
    return { options: { ...(await creationOptions(services, { accountId: link.account_id, email, name: link.name ?? email })) } }
  },
})
