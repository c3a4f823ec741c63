import { hashCredential } from '../../../runtime/call/credentials.ts'
import { exampleRecords } from '../../../runtime/table/example.ts'
import { goodMs, ids } from './records.ts'

/** A person has signed up and not opened the link yet. */
export const example = exampleRecords(async ({ db, now, domain, newId, random }) => {
  const secret = random(32).toString('base64url')
  const times = { created_at: now, expires_at: now + goodMs }
  const row = {
    id: newId(ids.sign_up),
    email: `lovelace@${domain}`,
    name: null,
    hash: hashCredential(secret),
    code: null,
    via: null,
    ...times,
  }
  await db.insertInto('sign_ups').values(row).execute()
  return { sign_up: row.id, sign_up_link: secret }
})
