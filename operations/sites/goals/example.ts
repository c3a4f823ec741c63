import { exampleRecords } from '../../../runtime/table/example.ts'
import { ids } from './records.ts'

export const example = exampleRecords(async ({ db, now, id, newId }) => {
  const goal = newId(ids.goal)
  await db
    .insertInto('goals')
    .values({
      id: goal,
      site_id: id('site'),
      name: 'Signup',
      kind: 'event',
      path: null,
      event: 'Signup',
      property: null,
      value: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return { goal }
})
