import { hashCredential } from '../../../runtime/call/credentials.ts'
import { exampleRecords } from '../../../runtime/table/example.ts'
import { ids } from './records.ts'
import { softPasskey } from './soft-passkey.ts'

/** The owner has a passkey and a password, and a device has just created another passkey. */
export const example = exampleRecords(async ({ db, now, id, newId, random }) => {
  const { account_id } = await db.selectFrom('members').select('account_id').where('id', '=', id('owner')).executeTakeFirstOrThrow()
  const challenge = random(32).toString('base64url')
  await db
    .insertInto('passkey_challenges')
    .values({ hash: hashCredential(challenge), account_id, expires_at: now + 60_000 })
    .execute()
  const device = softPasskey('http://footfall.test', { credential: random(32) })
  const created = device.create(challenge)
  const rows = ['Phone', 'Key'].map(name => ({
    id: newId(ids.passkey),
    account_id,
    name,
    credential_id: random(32).toString('base64url'),
    public_key: '',
    counter: 0,
    transports: '[]',
    backed_up: 1,
    last_used_at: null,
    created_at: now,
  }))
  await db.insertInto('passkeys').values(rows).execute()
  return { passkey: rows[0]?.id ?? '', credential: device.id, client_data: created.clientDataJSON, attestation: created.attestationObject }
})
