import { hash } from '@node-rs/argon2'
import { exampleRecords } from '../../../runtime/table/example.ts'
import { findOrAddAccount } from '../account/index.ts'
import { makeLink } from '../links/index.ts'

/** Cheap on purpose: every test of the whole table makes one. */
const cost = { memoryCost: 1_024, timeCost: 1, parallelism: 1 }
let hashed: Promise<string> | undefined

/** Somebody with a password, who is a member of no workspace, and a link of the machine to set another. */
export const example = exampleRecords(async ({ db, now, domain, newId, random }) => {
  const accountId = await findOrAddAccount(db, { adding: { now, newId }, email: `ada@${domain}` })
  hashed ??= hash('correct horse battery', cost)
  await db
    .insertInto('passwords')
    .values({ account_id: accountId, hash: await hashed, changed_at: now })
    .execute()
  return { set_up_link: await makeLink({ db, now, newId, random }, { kind: 'set_up', accountId }) }
})
