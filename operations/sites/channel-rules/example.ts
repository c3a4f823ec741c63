import { exampleRecords } from '../../../runtime/table/example.ts'
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
  const application = newId(ids.channel_application)
  await db
    .insertInto('channel_applications')
    .values({
      id: application,
      site_id: id('site'),
      status: 'completed',
      from_day: 20_513,
      to_day: 20_521,
      next_day: 20_522,
      next_visit: 0,
      changed: 12,
      error: null,
      created_at: now,
      started_at: now,
      finished_at: now,
    })
    .execute()
  return { channel_rule: rule, channel_application: application }
})
