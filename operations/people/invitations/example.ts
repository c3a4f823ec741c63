import { hashCredential } from '../../../runtime/call/credentials.ts'
import { exampleRecords } from '../../../runtime/table/example.ts'
import { goodMs } from './invite.ts'
import { ids } from './records.ts'

/** A person is invited and has not accepted yet. */
export const example = exampleRecords(async ({ db, now, domain, id, newId, random }) => {
  const secret = random(32).toString('base64url')
  const owner = await db
    .selectFrom('members as m')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .select('a.email')
    .where('m.id', '=', id('owner'))
    .executeTakeFirstOrThrow()
  const row = {
    id: newId(ids.invitation),
    workspace_id: id('workspace'),
    email: `hopper@${domain}`,
    role: 'analyst',
    hash: hashCredential(secret),
    mailed_hash: null,
    invited_by: owner.email,
    expires_at: now + goodMs,
    created_at: now,
    updated_at: now,
  }
  await db.insertInto('invitations').values(row).execute()
  return { invitation: row.id, invitation_link: secret }
})
