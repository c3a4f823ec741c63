import { exampleRecords } from '../../../runtime/table/example.ts'
import { ids } from './records.ts'

export const example = exampleRecords(async ({ db, now, id, newId }) => {
  const rule = newId(ids.traffic_rule)
  await db
    .insertInto('traffic_rules')
    .values({
      id: rule,
      site_id: id('site'),
      kind: 'ip',
      action: 'block',
      value: '198.51.100.7',
      note: 'Ann at home',
      enabled: 1,
      expires_at: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return { traffic_rule: rule }
})
