import { exampleRecords } from '../../../runtime/table/example.ts'
import { ids } from './records.ts'

export const example = exampleRecords(async ({ db, now, domain, id, newId }) => {
  const note = newId(ids.note)
  await db
    .insertInto('notes')
    .values({
      id: note,
      site_id: id('site'),
      at: now,
      text: 'Deployed 2.0',
      author: `owner@${domain}`,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return { note }
})
