import { exampleRecords } from '../../../runtime/table/example.ts'
import { ids } from './records.ts'

export const example = exampleRecords(async ({ db, now, domain, id, newId }) => {
  const site = newId(ids.site)
  await db
    .insertInto('sites')
    .values({
      id: site,
      workspace_id: id('workspace'),
      name: 'Example',
      domain,
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      public: 1,
      week_start: 1,
      umami_id: null,
      created_at: now,
      deleted_at: null,
    })
    .execute()
  const site_group = newId(ids.site)
  await db
    .insertInto('sites')
    .values({
      ...{
        id: site_group,
        workspace_id: id('workspace'),
        kind: 'group',
        name: 'All of them',
        domain: null,
        timezone: 'UTC',
        currency: 'XXX',
      },
      ...{ public: 0, week_start: 1, umami_id: null, created_at: now, deleted_at: null },
    })
    .execute()
  await db.insertInto('group_sites').values({ group_id: site_group, site_id: site }).execute()
  return { site, site_group }
})
