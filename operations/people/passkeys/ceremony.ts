/** The ceremonies of WebAuthn: creating a passkey and signing in with it. Keys are always discoverable and always verify the user. */
import type { Static } from '@sinclair/typebox'
import { hashCredential } from '../../../runtime/call/credentials.ts'
import type { Config } from '../../../runtime/settings/config.ts'
import { Failure } from '../../../runtime/table/errors.ts'
import type { IdKind } from '../../../runtime/values/ids.ts'
import type { Db, Store } from '../../../storage/store.ts'
import type { PasskeyRow } from '../../../storage/tables/factors.ts'
import { noteFactors } from '../account/index.ts'
import { type Assertion, type Attestation, ids } from './records.ts'
import { m } from './messages.ts'

/** Loaded with the first passkey, so that the start of the process does not wait for it. */
const webauthn = () => import('@simplewebauthn/server')

const goodMs = 5 * 60_000
/** Largest number of passkeys of an account. */
const MAX_PASSKEYS = 20

interface CeremonyServices {
  readonly db: Db
  readonly now: number
  readonly config: Pick<Config, 'BASE_URL'>
  random(size: number): Buffer
}

const partyOf = ({ BASE_URL }: Pick<Config, 'BASE_URL'>) => {
  const { hostname, origin } = new URL(BASE_URL)
  return { rpID: hostname, origin }
}

async function challenge({ db, now, random }: CeremonyServices, accountId: string | null): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(random(32))
  await db
    .insertInto('passkey_challenges')
    .values({ hash: hashCredential(Buffer.from(bytes).toString('base64url')), account_id: accountId, expires_at: now + goodMs })
    .execute()
  return bytes
}

/** Uses the challenge up, so that no answer to it is accepted twice. */
async function takeChallenge(db: Db, { text, accountId, now }: { text: string; accountId: string | null; now: number }): Promise<boolean> {
  const taken = await db
    .deleteFrom('passkey_challenges')
    .where('hash', '=', hashCredential(text))
    .where('expires_at', '>', now)
    .where('account_id', accountId === null ? 'is' : '=', accountId)
    .returning('hash')
    .executeTakeFirst()
  return taken !== undefined
}

/** The options with which a browser makes a passkey. */
export async function creationOptions(
  services: CeremonyServices,
  { accountId, email, name }: { accountId: string; email: string; name: string },
) {
  const known = await services.db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('account_id', '=', accountId)
    .execute()
  if (known.length >= MAX_PASSKEYS) throw new Failure('limit_reached', m.most_passkeys({ most: MAX_PASSKEYS }))
  return (await webauthn()).generateRegistrationOptions({
    rpName: 'Footfall',
    rpID: partyOf(services.config).rpID,
    userName: email,
    userDisplayName: name,
    userID: new TextEncoder().encode(accountId),
    challenge: await challenge(services, accountId),
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports: listOf(transports) })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  })
}

/** The options with which a browser signs in: any passkey of the person for this service. */
export async function requestOptions(services: CeremonyServices) {
  return (await webauthn()).generateAuthenticationOptions({
    rpID: partyOf(services.config).rpID,
    challenge: await challenge(services, null),
    userVerification: 'required',
  })
}

/** Stores a passkey that a browser created. @throws Failure `validation_failed` if it does not match the challenge */
export async function addPasskey(
  { db, now, config, newId }: Pick<CeremonyServices, 'db' | 'now' | 'config'> & { newId(kind: IdKind): string },
  { accountId, name, attestation }: { accountId: string; name: string; attestation: Static<typeof Attestation> },
): Promise<PasskeyRow> {
  const { rpID, origin } = partyOf(config)
  const answered = await (await webauthn())
    .verifyRegistrationResponse({
      response: {
        ...attestation,
        response: { ...attestation.response, transports: attestation.response.transports ?? [] },
        clientExtensionResults: {},
      },
      expectedChallenge: text => takeChallenge(db, { text, accountId, now }),
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    })
    .catch(() => undefined) // whatever the fault, the answer does not match
  if (!answered?.verified) throw refused()
  const { credential, credentialBackedUp } = answered.registrationInfo
  const taken = await db.selectFrom('passkeys').select('id').where('credential_id', '=', credential.id).executeTakeFirst()
  if (taken) throw refused()
  const row: PasskeyRow = {
    id: newId(ids.passkey),
    account_id: accountId,
    name,
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: JSON.stringify(attestation.response.transports ?? []),
    backed_up: Number(credentialBackedUp),
    last_used_at: null,
    created_at: now,
  }
  await db.insertInto('passkeys').values(row).execute()
  await countPasskeys(db, accountId)
  return row
}

export async function countPasskeys(db: Db, accountId: string): Promise<void> {
  const rows = await db.selectFrom('passkeys').select('id').where('account_id', '=', accountId).execute()
  await noteFactors(db, accountId, { passkeys: rows.length })
}

/** Finds the account whose passkey signed this. @returns undefined if the key is unknown, or does not match the challenge */
export async function personOf(
  { store, now, config }: { store: Store; now: number; config: Pick<Config, 'BASE_URL'> },
  assertion: Static<typeof Assertion>,
): Promise<{ accountId: string; passkeyId: string } | undefined> {
  const { rpID, origin } = partyOf(config)
  const row = await store.read.selectFrom('passkeys').selectAll().where('credential_id', '=', assertion.id).executeTakeFirst()
  if (!row) return undefined
  const { userHandle, ...response } = assertion.response
  const answered = await (await webauthn())
    .verifyAuthenticationResponse({
      response: { ...assertion, response, clientExtensionResults: {} },
      expectedChallenge: text => takeChallenge(store.write, { text, accountId: null, now }),
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: row.credential_id,
        publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
        counter: row.counter,
        transports: listOf(row.transports),
      },
    })
    .catch(() => undefined) // as above
  if (!answered?.verified) return undefined
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== row.account_id) return undefined
  const { newCounter, credentialBackedUp } = answered.authenticationInfo
  await store.write
    .updateTable('passkeys')
    .set({ counter: newCounter, backed_up: Number(credentialBackedUp), last_used_at: now })
    .where('id', '=', row.id)
    .execute()
  return { accountId: row.account_id, passkeyId: row.id }
}

/** Whether the passkey still exists. If so, it cannot be deleted until the transaction ends. */
export async function isStillPasskey(db: Db, id: string): Promise<boolean> {
  const row = await db.updateTable('passkeys').set({ id }).where('id', '=', id).returning('id').executeTakeFirst()
  return row !== undefined
}

/** Whether a passkey of the account signed in at this time, epoch ms, or later. A passkey that was only added did not. */
export async function usedSince(db: Db, accountId: string, since: number): Promise<boolean> {
  const used = db.selectFrom('passkeys').select('id').where('account_id', '=', accountId).where('last_used_at', '>=', since)
  return (await used.limit(1).executeTakeFirst()) !== undefined
}

const refused = () =>
  new Failure('validation_failed', undefined, { details: [{ pointer: '/passkey', code: 'mismatch', message: m.another_passkey() }] })

const listOf = (json: string): string[] => JSON.parse(json) // written by addPasskey
