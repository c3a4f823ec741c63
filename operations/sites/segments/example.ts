import { exampleRecords } from '../../../runtime/table/example.ts'
import { ids } from './records.ts'

export const example = exampleRecords(async ({ db, now, id, newId }) => {
  const segment = newId(ids.segment)
  await db
    .insertInto('saved_segments')
    .values({
      id: segment,
      site_id: id('site'),
      name: 'Germany',
      filters: JSON.stringify([['country', 'is', 'DE']]),
      created_at: now,
      updated_at: now,
    })
    .execute()
  return { segment }
})
