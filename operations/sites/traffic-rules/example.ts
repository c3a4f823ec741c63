import { exampleRecords } from '../../../runtime/table/example.ts'
import { ids } from './records.ts'

export const example = exampleRecords(async ({ db, now, id, newId }) => {
  const [rule, page_rule] = [newId(ids.traffic_rule), newId(ids.traffic_rule)]
  const common = { site_id: id('site'), action: 'block', enabled: 1, expires_at: null, created_at: now, updated_at: now }
  await db
    .insertInto('traffic_rules')
    .values([
      { id: rule, kind: 'ip', value: '198.51.100.7', note: 'Ann at home', ...common },
      { id: page_rule, kind: 'page', value: '/drafts/*', note: null, ...common },
    ])
    .execute()
  return { traffic_rule: rule, page_rule }
})
