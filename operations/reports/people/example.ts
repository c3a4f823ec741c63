import { exampleRecords } from '../../../runtime/table/example.ts'
import { ids } from './records.ts'

export const example = exampleRecords(async ({ db, now, id, newId }) => {
  const person = newId(ids.person)
  const { number } = await db.selectFrom('sites').select('number').where('id', '=', id('site')).executeTakeFirstOrThrow()
  await db
    .insertInto('persons')
    .values({
      site_id: number,
      person: 1,
      id: person,
      hash: person,
      name: null,
      traits: JSON.stringify({ plan: ['pro', now] }),
      first_at: now,
      last_at: now,
    })
    .execute()
  return { person }
})
