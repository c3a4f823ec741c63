import { exampleRecords } from '../../../runtime/example.ts'
import { ids } from './records.ts'

export const example = exampleRecords(async ({ db, now, id, newId }) => {
  const rule = newId(ids.channel_rule)
  await db
    .insertInto('channel_rules')
    .values({
      id: rule,
      site_id: id('site'),
      channel: 'Podcasts',
      match: 'all',
      conditions: JSON.stringify([{ field: 'utm_medium', operator: 'is', value: 'podcast' }]),
      position: 1,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return { channel_rule: rule }
})
