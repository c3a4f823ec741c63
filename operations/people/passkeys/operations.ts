import { fail } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { proofInput } from '../../../runtime/table/prover.ts'
import { optional } from '../../../runtime/table/schema.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { sayTo, sendNotice } from '../mail/index.ts'
import { browserOf, factorsChanged, notePasskey } from '../sessions/index.ts'
import { addPasskey, countPasskeys, creationOptions, requestOptions } from './ceremony.ts'
import { Attestation, Passkey, PasskeyOptions, passkey, passkeyName, toPasskey } from './records.ts'
import { m } from './messages.ts'
import type { Say } from '../../../runtime/texts/say.ts'

export const passkeys_list = list({
  route: 'GET /account/passkeys',
  summary: 'List passkeys',
  description: 'The passkeys of the account, oldest first.',
  access: 'session',
  ofPerson: true,
  effect: 'read',
  input: {},
  of: Passkey,
  empty: {
    says: 'With a passkey, you sign in by fingerprint, by face or with the code of your device, without a password. Add one in your account.',
    like: [['MacBook', '2026-11-02']],
  },
  examples: [{ input: {} }],
  async run({ db, caller, page }) {
    const own = db.selectFrom('passkeys').selectAll().where('account_id', '=', caller.member.accountId)
    const { rows, total } = await pageOf(own.orderBy('created_at').orderBy('id'), page)
    return { rows: rows.map(toPasskey), total }
  },
})

export const passkeys_options = operation({
  route: 'POST /account/passkeys/options',
  summary: 'Begin to make a passkey',
  description: 'Returns the options for `navigator.credentials.create`. Pass its result to `passkeys_create` within five minutes.',
  access: 'session',
  ofPerson: true,
  proof: true,
  effect: 'update',
  unaudited: true,
  input: { ...proofInput },
  output: PasskeyOptions,
  examples: [{ input: {} }],
  async run({ caller: { member }, ...services }) {
    return { options: { ...(await creationOptions(services, member)) } }
  },
})

export const passkeys_create = operation({
  route: 'POST /account/passkeys',
  summary: 'Make a passkey',
  description: 'Ends all other sessions of the account.',
  access: 'session',
  ofPerson: true,
  fresh: true,
  effect: 'create',
  input: { passkey: Attestation, name: optional(passkeyName) },
  output: Passkey,
  secrets: ['passkey'],
  examples: [
    {
      input: {
        name: 'Laptop',
        passkey: {
          id: '{{credential}}',
          rawId: '{{credential}}',
          type: 'public-key',
          response: { clientDataJSON: '{{client_data}}', attestationObject: '{{attestation}}' },
        },
      },
    },
  ],
  async run({ caller, input, ...services }) {
    const { accountId, email } = caller.member
    const browser = (say: Say) => browserOf(services.request.header('user-agent') ?? '', say)
    const name = input.name ?? browser(await sayTo(services.db, email))
    const row = await addPasskey(services, { accountId, name, attestation: input.passkey })
    await notePasskey(services.db, caller.credentialId)
    await factorsChanged(services, caller)
    await sendNotice(services, { to: email, what: m.passkey_added(), browser })
    return toPasskey(row)
  },
})

export const passkeys_delete = operation({
  route: 'DELETE /account/passkeys/{id}',
  summary: 'Delete a passkey',
  description:
    'It can no longer sign in, and all other sessions of the account end. Refused if it is the only way to sign in: set a password first.',
  access: 'session',
  ofPerson: true,
  proof: true,
  on: passkey,
  effect: 'delete',
  input: { ...proofInput },
  output: Passkey,
  form: { page: 'GET /account', after: () => '/account' },
  examples: [{ input: { id: '{{passkey}}' } }],
  async run({ caller, passkey, ...services }) {
    const { db } = services
    const { accountId, email } = caller.member
    const password = await db.selectFrom('passwords').select('account_id').where('account_id', '=', accountId).executeTakeFirst()
    const others = await db.selectFrom('passkeys').select('id').where('account_id', '=', accountId).where('id', '!=', passkey.id).execute()
    if (!password && others.length === 0) fail('invalid_state', m.only_way_in())
    await db.deleteFrom('passkeys').where('id', '=', passkey.id).execute()
    await countPasskeys(db, accountId)
    await factorsChanged(services, caller)
    const browser = (say: Say) => browserOf(services.request.header('user-agent') ?? '', say)
    await sendNotice(services, { to: email, what: m.passkey_deleted(), browser })
    return toPasskey(passkey)
  },
})

export const sessions_options = operation({
  route: 'POST /session/options',
  summary: 'Begin to sign in with a passkey',
  description: 'Returns the options for `navigator.credentials.get`. Pass its result to `sessions_create` within five minutes.',
  access: 'public',
  ownOrigin: true,
  surfaces: ['http'],
  effect: 'update',
  input: {},
  output: PasskeyOptions,
  examples: [{ input: {} }],
  run: async services => ({ options: { ...(await requestOptions(services)) } }),
})
