/** A page with a public check, an open incident, and a subscriber. */
import { exampleRecords } from '../../../runtime/table/example.ts'
import { ids } from './records.ts'
import { subscriptionToken } from './subscription.ts'

export const example = exampleRecords(async world => {
  const { db, now, id, newId, use, domain } = world
  const check = await db.selectFrom('uptime_checks').select('number').where('id', '=', id('check')).executeTakeFirstOrThrow()
  const page = newId(ids.status_page)
  const slug = page.toLowerCase().replace('_', '-')
  await db
    .insertInto('status_pages')
    .values({
      id: page,
      workspace_id: id('workspace'),
      name: 'Acme',
      slug,
      domain: null,
      description: '',
      show_response_times: 1,
      theme: 'system',
      indexable: 0,
      auto_incidents: 0,
      language: 'en',
      timezone: 'UTC',
      created_at: now,
      updated_at: now,
    })
    .execute()
  await db.insertInto('status_page_groups').values({ page_id: page, position: 0, name: 'Website' }).execute()
  await db
    .insertInto('status_page_checks')
    .values({ page_id: page, check_number: check.number, group_position: 0, position: 0, label: 'Shop' })
    .execute()
  const incident = newId(ids.status_incident)
  await db
    .insertInto('status_incidents')
    .values({
      id: incident,
      page_id: page,
      kind: 'incident',
      title: 'Payments are slow',
      impact: 'minor',
      status: 'investigating',
      automatic: 0,
      automatic_for: null,
      starts_at: now - 600_000,
      ends_at: null,
      clock_at: null,
      notify_at: null,
      notify_since: null,
      notify_after: '',
      created_at: now,
      updated_at: now,
    })
    .execute()
  await db.insertInto('status_incident_checks').values({ incident_id: incident, check_number: check.number, outage_id: null }).execute()
  await db
    .insertInto('status_incident_updates')
    .values({
      id: newId(ids.status_update),
      incident_id: incident,
      status: 'investigating',
      body: 'We are *looking* into it.',
      notify: 1,
      created_at: now - 600_000,
    })
    .execute()
  const subscriber = newId(ids.status_subscriber)
  await db
    .insertInto('status_subscribers')
    .values({
      id: subscriber,
      page_id: page,
      email: `reader@${domain}`,
      pending_until: null,
      confirmed_at: now,
      refused: 0,
      created_at: now,
    })
    .execute()
  return {
    status_page: page,
    status_slug: slug,
    status_incident: incident,
    status_subscriber: subscriber,
    status_subscription: await subscriptionToken(use, db, subscriber),
  }
})
