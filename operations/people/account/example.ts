import { exampleRecords } from '../../../runtime/example.ts'
import { makeLink } from '../links/index.ts'

/** The owner has asked for a new address. */
export const example = exampleRecords(async ({ db, now, domain, id, newId, random }) => {
  const { account_id } = await db.selectFrom('members').select('account_id').where('id', '=', id('owner')).executeTakeFirstOrThrow()
  const email_link = await makeLink({ db, now, newId, random }, { kind: 'email', accountId: account_id, email: `new@${domain}` })
  return { email_link }
})
