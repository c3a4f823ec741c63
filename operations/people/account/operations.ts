import { Type } from '@sinclair/typebox'
import { confirmed, confirmInput } from '../../../runtime/table/confirmation.ts'
import { canonicalEmail } from '../../../runtime/values/email.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { proofInput } from '../../../runtime/table/prover.ts'
import { Name, Clearable, flag, Nullable, optional } from '../../../runtime/table/schema.ts'
import { prepared } from '../../../storage/sql/prepared.ts'
import type { Db } from '../../../storage/store.ts'
import { canonicalZone } from '../../../storage/calendar/zones.ts'
import { findLink, takeLink } from '../links/index.ts'
import { keepAnOwner } from '../members/index.ts'
import { browserOf, endSession, factorsChanged } from '../sessions/index.ts'
import { workspace } from '../workspaces/records.ts'
import { requestConfirmation, changeAddress } from './address.ts'
import { Account, choices, toAccount } from './records.ts'
import { noticeOfChange } from './undo.ts'
import { isVerified } from './verified.ts'
import { m } from './messages.ts'

export const account_get = operation({
  route: 'GET /account',
  summary: 'Get the account',
  description: 'The account of the member who owns the token.',
  access: 'account',
  effect: 'read',
  input: {},
  output: Account,
  examples: [{ input: {} }],
  async run({ db, caller }) {
    const [row] = await accountOf(db, caller.member.accountId)
    if (!row) throw new Error(`The caller's account ${caller.member.accountId} is gone`)
    return toAccount(row)
  },
})

/** Every page reads it, for its language and colours. */
const accountOf = prepared('account/operations.account', (db, id: string) => db.selectFrom('accounts').selectAll().where('id', '=', id))

const lockAccount = (db: Db, id: string) =>
  db
    .updateTable('accounts')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('id', '=', id)
    .execute()

export const account_update = operation({
  route: 'PATCH /account',
  summary: 'Change the account',
  description:
    'Keeps a new e-mail address as `unconfirmed_email`. `email` stays in force until the new address is confirmed with a mailed ' +
    'link, which requires a sign-in within the last ten minutes. To request a new address, a session sends `current_password`, too; an ' +
    'API token, which needs all permissions of its member for any change here, may request one without it. If another account has the address, the response is the same, so ' +
    'that it does not reveal that account.',
  access: 'account',
  proof: ({ input, caller }) => input.email !== undefined && canonicalEmail(input.email) !== caller.member.email,
  locks: ({ db, caller }) => lockAccount(db, caller.member.accountId),
  effect: 'update',
  contacts: true,
  input: {
    ...proofInput,
    name: optional(
      Nullable(Name({ minLength: 0, maxLength: 100 }), {
        description: 'Display name of the member. Empty: the e-mail address is shown instead.',
      }),
    ),
    email: optional(Type.String({ format: 'email', description: 'New e-mail address. It takes effect after its confirmation.' })),
    theme: optional(choices.theme),
    default_landing: optional(choices.default_landing),
    locale: optional(choices.locale),
    timezone: optional(
      Clearable(Type.String({ format: 'timezone' }), {
        description: 'IANA time zone in which the app shows times. Empty: none.',
      }),
    ),
    shortcuts_enabled: optional(choices.shortcuts_enabled),
    reduce_motion: optional(choices.reduce_motion),
    product_emails: optional(choices.product_emails),
    newsletter: optional(choices.newsletter),
    marketing_emails: optional(
      Type.Boolean({
        description: 'False unsubscribes. Only a signed-in browser can turn it on again.',
      }),
    ),
  },
  output: Account,
  examples: [
    { input: { name: 'Ada', theme: 'dark', timezone: 'Europe/London' } },
    { summary: 'Without a time zone of its own', input: { timezone: '' } },
  ],
  form: { page: 'GET /account', after: () => '/account' },
  async run({ caller, input, ...services }) {
    const { db, request } = services
    const own = db.selectFrom('accounts').selectAll().where('id', '=', caller.member.accountId)
    const { marketing_emails, email, unconfirmed_email } = await own.executeTakeFirstOrThrow()
    if (input.marketing_emails && marketing_emails === 0 && caller.kind !== 'session') {
      fail('invalid_state', m.marketing_emails_unsubscribed())
    }
    const wanted = input.email === undefined ? undefined : canonicalEmail(input.email)
    if (wanted !== undefined && wanted !== email && wanted !== unconfirmed_email) {
      if (caller.withoutAccount) fail('reauthentication_required', m.change_needs_password_or_passkey())
      await requestConfirmation(services, {
        accountId: caller.member.accountId,
        from: email,
        to: wanted,
        browser: say => browserOf(request.header('user-agent') ?? '', say),
      })
    }
    return toAccount(
      await db
        .updateTable('accounts')
        .set({
          id: caller.member.accountId, // makes an empty update valid SQL
          unconfirmed_email: wanted === email ? undefined : wanted,
          name: input.name === '' ? null : input.name,
          theme: input.theme,
          default_landing: input.default_landing,
          locale: input.locale,
          timezone: input.timezone === undefined ? undefined : canonicalZone(input.timezone ?? ''),
          shortcuts_enabled: flag(input.shortcuts_enabled),
          reduce_motion: flag(input.reduce_motion),
          product_emails: flag(input.product_emails),
          newsletter: flag(input.newsletter),
          marketing_emails: flag(input.marketing_emails),
        })
        .where('id', '=', caller.member.accountId)
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
  },
})

export const account_email_confirm = operation({
  route: 'POST /account/email/confirm',
  summary: 'Confirm a new e-mail address',
  done: 'E-mail address confirmed.',
  description:
    'Takes the link that was mailed to the new address (valid once, for 24 hours). Requires a session of the account that requested it. ' +
    'Ends all other sessions, and mails the old address a link that undoes the change (7 days).',
  access: 'session',
  ofPerson: true,
  fresh: true,
  effect: 'update',
  input: { token: Type.String({ maxLength: 64, description: 'The last path segment of the link.' }) },
  output: Account,
  secrets: ['token'],
  form: { page: 'GET /account/email/confirm', after: () => '/account' },
  examples: [{ input: { token: '{{email_link}}' } }],
  async run({ caller, input, ...services }) {
    const { db, now, request } = services
    const { accountId, email } = caller.member
    const link = await findLink(db, { among: ['email'], secret: input.token, now })
    if (link?.account_id !== accountId || link.email === null || !(await takeLink(db, link))) {
      fail('invalid_state', m.link_of_another_account())
    }
    const { email_verified_at } = await db
      .selectFrom('accounts')
      .select('email_verified_at')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    await changeAddress(services, { accountId, email: link.email, isProved: true })
    if (link.email !== email) {
      await factorsChanged(services, caller)
      await noticeOfChange(services, {
        accountId,
        from: email,
        to: link.email,
        wasVerified: isVerified({ email_verified_at }),
        browser: say => browserOf(request.header('user-agent') ?? '', say),
      })
    }
    return toAccount(await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow())
  },
})

export const account_delete = operation({
  route: 'DELETE /account',
  summary: 'Delete the account',
  description: 'Deletes its memberships, API tokens and sessions as well. Refused while it is the only owner of a workspace.',
  access: 'session',
  ofPerson: true,
  fresh: true,
  effect: 'delete',
  input: { confirm: confirmInput('The e-mail address of the account') },
  output: Account,
  form: { page: 'GET /account', after: () => '/sign-in' },
  examples: [{ input: { confirm: 'ada@example.com' } }],
  async run({ db, caller, input, config, setCookie }) {
    const { accountId, email } = caller.member
    confirmed(canonicalEmail(input.confirm), [email], m.address_of_account())
    const own = db.selectFrom('members').selectAll().where('account_id', '=', accountId).orderBy('workspace_id')
    for (const { workspace_id } of await own.execute()) await workspace.lock?.(db, workspace_id)
    // Read again: a member who was made owner meanwhile is the only owner by now.
    for (const member of await own.execute()) await keepAnOwner(db, member)
    await endSession({ db, config, setCookie }, caller.credentialId)
    return toAccount(await db.deleteFrom('accounts').where('id', '=', accountId).returningAll().executeTakeFirstOrThrow())
  },
})
