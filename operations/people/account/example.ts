import { exampleRecords } from '../../../runtime/table/example.ts'
import { makeLink } from '../links/index.ts'

/** The owner has requested a new address, and has changed it once before. */
export const example = exampleRecords(async ({ db, now, domain, id, newId, random }) => {
  const { account_id } = await db.selectFrom('members').select('account_id').where('id', '=', id('owner')).executeTakeFirstOrThrow()
  const email_link = await makeLink({ db, now, newId, random }, { kind: 'email', accountId: account_id, email: `new@${domain}` })
  await db
    .updateTable('accounts')
    .set({ unconfirmed_email: `new@${domain}` })
    .where('id', '=', account_id)
    .execute()
  const email_undo_link = await makeLink({ db, now, newId, random }, { kind: 'email_undo', accountId: account_id, email: `old@${domain}` })
  return { email_link, email_undo_link }
})
