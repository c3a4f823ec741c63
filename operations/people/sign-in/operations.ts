import { Type } from '@sinclair/typebox'
import { auditPerson } from '../../../runtime/audit.ts'
import { fail, failWith } from '../../../runtime/errors.ts'
import { operation } from '../../../runtime/operation.ts'
import { ownPath } from '../../../runtime/page.ts'
import { optional } from '../../../runtime/schema.ts'
import { endSessions, startSession } from '../sessions/index.ts'
import { changeAddress } from '../account/index.ts'
import { findLink, takeLink } from './links.ts'
import { hashPassword, newPassword, passwordFaults, typedPassword } from './password.ts'
import { Done, SignIn } from './records.ts'
import { verified } from './verify.ts'

export const sessions_create = operation({
  route: 'POST /session',
  summary: 'Sign in',
  description:
    'The answer sets the cookie of the session: `__Host-session` on https, `session` on http. Every failure is answered alike. ' +
    'Only pages of this service may ask: the Origin is checked.',
  access: 'public',
  ownOrigin: true,
  effect: 'create',
  input: {
    email: Type.String({ format: 'email', description: 'E-mail address of the account.' }),
    password: typedPassword,
  },
  output: SignIn,
  secrets: ['password'],
  form: { page: 'GET /sign-in', after: (_, typed) => ownPath(typed.get('_next')) ?? '/account' },
  examples: [{ input: { email: 'ada@example.com', password: 'correct horse battery' } }],
  prepare: async ({ input, ...services }) => ({ account: await verified(services, input) }),
  async run({ account, ...services }) {
    const { session } = await startSession(services, { accountId: account.id, method: 'password' })
    await auditPerson(services.db, {
      ...services,
      operation: 'sessions_create',
      accountId: account.id,
      actor: account.email,
      door: 'password',
      outcome: 'done',
      subjectId: session.id,
    })
    return { status: 'signed_in' as const }
  },
})

const linkGone = 'This link is not good any more: it was used, or its time is over. Ask for a new one.'

export const passwords_reset = operation({
  route: 'POST /links/{token}',
  summary: 'Set a password by a link',
  description:
    'With the link that the machine itself printed (15 minutes) or that a mail brought (1 hour); it is good once. ' +
    'All sessions of the account end. A link of the machine signs in at once and may set the e-mail address as well.',
  access: 'public',
  ownOrigin: true,
  effect: 'create',
  path: { token: Type.String({ maxLength: 64, description: 'The last part of the link.' }) },
  input: {
    password: newPassword,
    email: optional(Type.String({ format: 'email', description: 'E-mail address to sign in with; only with a link of the machine.' })),
  },
  output: Done,
  secrets: ['password', 'token'],
  form: { page: 'GET /links/{token}', after: () => '/account' },
  examples: [{ input: { token: '{{set_up_link}}', password: 'correct horse battery' } }],
  async prepare({ store, input, now }) {
    const link = (await findLink(store.read, ['set_up', 'reset'], input.token, now)) ?? fail('invalid_state', linkGone)
    if (input.email !== undefined && link.kind !== 'set_up')
      failWith([{ pointer: '/email', code: 'mismatch', message: 'This link sets a password alone.' }])
    failWith(passwordFaults(input.password, [input.email ?? link.account_email, link.name ?? '']))
    return { link, hashed: await hashPassword(input.password) }
  },
  async run({ link, hashed, input, ...services }) {
    const { db, now } = services
    if (!(await takeLink(db, link))) fail('invalid_state', linkGone)
    const accountId = link.account_id
    const email = input.email === undefined ? link.account_email : await changeAddress(db, accountId, input.email)
    await db
      .insertInto('passwords')
      .values({ account_id: accountId, hash: hashed, changed_at: now })
      .onConflict(on => on.column('account_id').doUpdateSet({ hash: hashed, changed_at: now }))
      .execute()
    await endSessions(db, accountId)
    await auditPerson(db, {
      ...services,
      operation: 'passwords_reset',
      accountId,
      actor: email,
      door: 'link',
      outcome: 'done',
      subjectId: null,
    })
    if (link.kind === 'set_up') await startSession(services, { accountId, method: 'link' })
    return { done: true }
  },
})
