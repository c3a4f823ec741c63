import { hash } from '@node-rs/argon2'
import { exampleRecords } from '../../../runtime/table/example.ts'
import { findOrAddAccount } from '../account/index.ts'
import { makeLink } from '../links/index.ts'

/** Deliberately cheap, because every test of the whole table hashes a password. */
const cost = { memoryCost: 1_024, timeCost: 1, parallelism: 1 }
let hashed: Promise<string> | undefined

/** A person with a password and without a workspace, and a link from the machine to set another password. */
export const example = exampleRecords(async ({ db, now, domain, newId, random }) => {
  const accountId = await findOrAddAccount(db, { adding: { now, newId }, email: `ada@${domain}` })
  hashed ??= hash('correct horse battery', cost)
  await db
    .insertInto('passwords')
    .values({ account_id: accountId, hash: await hashed, changed_at: now })
    .execute()
  return { set_up_link: await makeLink({ db, now, newId, random }, { kind: 'set_up', accountId }) }
})
