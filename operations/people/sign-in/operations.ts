import { Type } from '@sinclair/typebox'
import { auditPerson } from '../../../runtime/call/audit-entry.ts'
import { cookieFor } from '../../../runtime/call/credentials.ts'
import { canonicalEmail } from '../../../runtime/values/email.ts'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import type { Services } from '../../../runtime/table/call-services.ts'
import { ownPath } from '../../../runtime/table/page.ts'
import { proofInput } from '../../../runtime/table/prover.ts'
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
  done: 'Signed in.',
  description:
    'Sign in with `email` and `password` and, if the account has a second factor, with `code` or `recovery_code` in the same or in a ' +
    'second request; or with a `passkey`. The response sets the session cookie: `__Host-session` on https, `session` on http. ' +
    'Every failure returns the same error. Only pages of this service may call it: the Origin is checked.',
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
    // Meanwhile the password may have changed, or the passkey was deleted, which ends sign-ins in progress.
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
      await sendNotice(services, { to: person.email, what: m.recovery_code_used({ left }), browser: browser(request) })
    }
    if (isNewDevice) await sendNotice(services, { to: person.email, what: m.new_browser(), browser: browser(request) })
    return { status: 'signed_in' as const }
  },
})

const linkGone = m.link_ended()
const token = Type.String({ maxLength: 64, description: 'The last path segment of the link.' })

export const passwords_update = operation({
  route: 'PATCH /account/password',
  summary: 'Change the password',
  done: 'Password changed.',
  description: 'Ends all other sessions of the account.',
  access: 'session',
  ofPerson: true,
  proof: true,
  effect: 'update',
  input: { ...proofInput, password: newPassword },
  output: Done,
  secrets: ['password'],
  form: { page: 'GET /account', after: () => '/account' },
  examples: [{ input: { current_password: 'correct horse battery', password: 'a sentence of my own' } }],
  async prepare({ input, caller: { member }, store, config }) {
    failWith(await passwordFaults(input.password, await namesAbout({ db: store.read, config, accountId: member.accountId })))
    return { hashed: await hashPassword(input.password) }
  },
  async run({ caller, hashed, ...services }) {
    const { db, now, request } = services
    const { accountId, email } = caller.member
    await keepPassword(db, { accountId, hashed, now })
    await factorsChanged(services, caller)
    await sendNotice(services, { to: email, what: m.password_changed(), browser: browser(request) })
    return { done: true }
  },
})

export const passwords_forgot = operation({
  route: 'POST /password/forgot',
  summary: 'Ask for a new password',
  description:
    'If an account has the address, mails it a link that is valid once, for an hour; otherwise, the response is the same. ' +
    'Without a mail server (`SMTP_URL`) there is no mail: `npm run sign-in-link` on the machine prints a link.',
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
    // A task checks whether an account has the address, so that the response takes the same time in both cases.
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
  done: 'Password set.',
  description:
    'Takes a link that the machine itself printed (15 minutes) or that was mailed (1 hour). The link is valid once. Ends all sessions of the ' +
    'account. A link from the machine signs in at once; it may set the e-mail address as well, and a passkey instead of a password.',
  access: 'public',
  ownOrigin: true,
  surfaces: ['http'],
  effect: 'create',
  path: { token },
  input: {
    password: optional(newPassword),
    email: optional(
      Type.String({ format: 'email', description: 'E-mail address to sign in with. Allowed only with a link from the machine.' }),
    ),
    passkey: optional(Attestation),
  },
  output: Done,
  secrets: ['password', 'token', 'passkey'],
  form: { page: 'GET /links/{token}', after: () => '/' },
  examples: [{ input: { token: '{{set_up_link}}', password: 'correct horse battery' } }],
  async prepare({ store, config, input, now }) {
    const link: FoundLink =
      (await findLink(store.read, { among: ['set_up', 'reset'], secret: input.token, now })) ?? fail('invalid_state', linkGone)
    // A mail to a former address of the account proves nothing about the current one.
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
    // Audited first: proveAddress may turn the person into an awaited member, whose sign-ins are not audited.
    await auditPerson(db, { ...services, operation: 'passwords_reset', accountId, actor, door: 'link', outcome: 'done' })
    await proveAddress(services, accountId, 'mailbox') // a link from the operator counts like a mailed one
    const email = await addressAfter(services, link, input.email)
    if (hashed !== undefined) await keepPassword(db, { accountId, hashed, now })
    if (input.passkey) await addPasskey(services, { accountId, name: browser(request)(await sayTo(db, email)), attestation: input.passkey })
    await endSessions(db, accountId)
    await endLinks(db, { accountId, which: ['reset', 'set_up', 'second_factor'] })
    // The operator has said whose account it is, so links to former addresses end.
    if (link.kind === 'set_up') await endLinks(db, { accountId, which: ['email_undo'] })
    await sendNotice(services, {
      to: link.account_email,
      reader: email,
      what: hashed === undefined ? m.passkey_added() : m.password_changed(),
      browser: browser(request),
    })
    if (link.kind === 'set_up') await startSession(services, { accountId, method: 'link' })
    return { done: true }
  },
})

/** Returns the address to set. An address that is typed with a link from the machine counts as proved only for the first owner of the installation. */
async function addressAfter(services: Pick<Services, 'db' | 'now'>, { account_id, account_email }: FoundLink, typed: string | undefined) {
  if (typed === undefined || canonicalEmail(typed) === account_email) return account_email
  return changeAddress(services, { accountId: account_id, email: typed, isProved: isPlaceholder(account_email) })
}

export const passwords_options = operation({
  route: 'POST /links/{token}/options',
  summary: 'Begin to make a passkey by a link',
  description: 'Takes a link that the machine itself printed. Pass the result of the browser to `passwords_reset`.',
  access: 'public',
  ownOrigin: true,
  surfaces: ['http'],
  effect: 'update',
  path: { token },
  input: { email: optional(Type.String({ format: 'email', description: 'Name of the passkey on the device.' })) },
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
