/** A passkey: a key on a device for this service, which a finger, a face or a PIN unlocks (WebAuthn Level 3). */
import { type Static, Type } from '@sinclair/typebox'
import { idKind } from '../../../runtime/values/ids.ts'
import { DateTime, iso, Name, Nullable, optional, record } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { PasskeyRow } from '../../../storage/tables/factors.ts'

export const ids = { passkey: idKind('psk_') }

const encoded = (maxLength: number, description: string) => Type.String({ maxLength, description: `${description} (base64url).` })

const common = {
  id: encoded(1_500, 'Id of the credential'),
  rawId: encoded(1_500, 'Id of the credential, repeated'),
  type: Type.Literal('public-key', { description: 'Type of the credential in WebAuthn.' }),
}

/** The result of `navigator.credentials.create`, as JSON. */
export const Attestation = Type.Object(
  {
    ...common,
    response: Type.Object(
      {
        clientDataJSON: encoded(8_000, 'Client data that the browser signed'),
        attestationObject: encoded(100_000, 'The new key'),
        transports: optional(Type.Array(Type.String({ maxLength: 30 }), { maxItems: 10, description: 'Transports of the device.' })),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, description: 'What `navigator.credentials.create` answered (WebAuthn `RegistrationResponseJSON`).' },
)

/** The result of `navigator.credentials.get`, as JSON. */
export const Assertion = Type.Object(
  {
    ...common,
    response: Type.Object(
      {
        clientDataJSON: encoded(8_000, 'Client data that the browser signed'),
        authenticatorData: encoded(8_000, 'Authenticator data that the device signed'),
        signature: encoded(8_000, 'The signature'),
        userHandle: optional(Nullable(encoded(100, 'User handle of the owner of the key'))),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, description: 'What `navigator.credentials.get` answered (WebAuthn `AuthenticationResponseJSON`).' },
)

/** Options for the browser. WebAuthn defines their fields. */
export const PasskeyOptions = record(
  'PasskeyOptions',
  {
    options: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.',
      },
    ),
  },
  'Options for the browser, valid once, for five minutes.',
)

export const passkeyName = Name({ maxLength: 100, description: 'Name in the list.' })

export const Passkey = record(
  'Passkey',
  {
    id: Type.String({ description: 'Prefix `psk_`.' }),
    name: Type.String({ description: 'Name in the list.' }),
    backed_up: Type.Boolean({
      description: 'Whether it is stored in more than one place, for example in the account of a password manager.',
    }),
    last_used_at: Nullable(DateTime(), { description: 'Time of its last sign-in.' }),
    created_at: DateTime({ description: 'When the passkey was created.' }),
  },
  'A passkey of the account.',
)

export function toPasskey(row: PasskeyRow): Static<typeof Passkey> {
  return {
    id: row.id,
    name: row.name,
    backed_up: row.backed_up === 1,
    last_used_at: iso(row.last_used_at),
    created_at: iso(row.created_at),
  }
}

export const passkey = subject<'passkey', PasskeyRow>({
  name: 'passkey',
  async find(db, id) {
    const row = await db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { row, accountId: row.account_id }
  },
})
