import { exampleRecords } from '../../../runtime/table/example.ts'
import { session } from './authenticator.ts'
import { ids, sessionRow } from './records.ts'

/** Two sessions of the owner: the caller's, and another that can be ended. */
export const example = exampleRecords(async ({ db, now, id, newId, random, shows }) => {
  const { account_id: accountId } = await db
    .selectFrom('members')
    .select('account_id')
    .where('id', '=', id('owner'))
    .executeTakeFirstOrThrow()
  const secret = () => random(32).toString('base64url')
  const [shown, userAgent] = [secret(), 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0']
  const own = sessionRow({ id: newId(ids.session), accountId, secret: shown, now, userAgent })
  const other = sessionRow({ id: newId(ids.session), accountId, secret: secret(), now, userAgent, ip: '203.0.113.7' })
  await db.insertInto('sessions').values([own, other]).execute()
  shows(session, shown)
  return { session: other.id }
})
