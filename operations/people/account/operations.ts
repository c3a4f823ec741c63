import { Type } from '@sinclair/typebox'
import { fail } from '../../../runtime/errors.ts'
import { operation } from '../../../runtime/operation.ts'
import { Clearable, flag, Nullable, optional } from '../../../runtime/schema.ts'
import { canonicalZone } from '../../../storage/zones.ts'
import { Account, choices, toAccount } from './records.ts'

export const account_get = operation({
  route: 'GET /account',
  summary: 'Get the account',
  description: 'The account of the member who owns the token.',
  access: 'account',
  effect: 'read',
  input: {},
  output: Account,
  examples: [{ input: {} }],
  run: async ({ db, caller }) =>
    toAccount(await db.selectFrom('accounts').selectAll().where('id', '=', caller.member.accountId).executeTakeFirstOrThrow()),
})

export const account_update = operation({
  route: 'PATCH /account',
  summary: 'Change the account',
  description:
    'A new e-mail address is kept as `unconfirmed_email`; the one in `email` stays in force until the new ' +
    'one is confirmed by the e-mail sent to it. Confirmation e-mails are not sent yet. An address that another ' +
    'account has is answered alike, so that nobody learns of it here.',
  access: 'account',
  effect: 'update',
  input: {
    name: optional(
      Nullable(Type.String({ maxLength: 100 }), {
        description: 'How the member is shown; empty: by the e-mail address.',
      }),
    ),
    email: optional(Type.String({ format: 'email', description: 'New e-mail address, to be confirmed.' })),
    theme: optional(choices.theme),
    default_landing: optional(choices.default_landing),
    locale: optional(choices.locale),
    timezone: optional(
      Clearable(Type.String({ format: 'timezone' }), {
        description: 'IANA time zone that the app shows times in; empty for none.',
      }),
    ),
    shortcuts_enabled: optional(choices.shortcuts_enabled),
    reduce_motion: optional(choices.reduce_motion),
    product_emails: optional(choices.product_emails),
    newsletter: optional(choices.newsletter),
    marketing_emails: optional(
      Type.Boolean({
        description: 'False unsubscribes; turning it on again needs a signed-in browser.',
      }),
    ),
  },
  output: Account,
  examples: [
    { input: { name: 'Ada', theme: 'dark', timezone: 'Europe/London' } },
    { summary: 'Without a time zone of its own', input: { timezone: '' } },
  ],
  async run({ db, caller, input }) {
    const own = db.selectFrom('accounts').selectAll().where('id', '=', caller.member.accountId)
    const { marketing_emails, email } = await own.executeTakeFirstOrThrow()
    if (input.marketing_emails && marketing_emails === 0) {
      fail('invalid_state', 'marketing_emails was unsubscribed from; turning it on again needs a signed-in browser.')
    }
    const wanted = input.email?.toLowerCase()
    return toAccount(
      await db
        .updateTable('accounts')
        .set({
          id: caller.member.accountId, // makes an empty update valid SQL
          unconfirmed_email: wanted === email.toLowerCase() ? undefined : wanted,
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
