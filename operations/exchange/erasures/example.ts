import { exampleRecords } from '../../../runtime/table/example.ts'
import { ids } from './records.ts'

export const example = exampleRecords(async ({ db, now, id, newId }) => {
  const erasure = newId(ids.visit_erasure)
  await db
    .insertInto('visit_erasures')
    .values({
      id: erasure,
      site_id: id('site'),
      from_day: 20_000,
      to_day: 20_001,
      filters: '[["country","is","DE"]]',
      segment_id: null,
      scope: '{"where":[],"hits":null,"goals":[]}',
      rule: null,
      visits: 12,
      pageviews: 20,
      events: 1,
      revenue: 0,
      next_day: null,
      progress: 100,
      requested_at: now,
      finished_at: now,
    })
    .execute()
  return { visit_erasure: erasure }
})
