/** Status pages with their incidents and subscribers; maintenance of uptime checks, and their availability by day. */
import { sql } from 'kysely'
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const ofWorkspace = ['text', 'references workspaces(id) on delete cascade'] as const
const ofCheck = ['int', 'references uptime_checks(number) on delete cascade'] as const
const ofPage = ['text', 'references status_pages(id) on delete cascade'] as const
const ofIncident = ['text', 'references status_incidents(id) on delete cascade'] as const
const ofSubscriber = ['text', 'references status_subscribers(id) on delete cascade'] as const

export const statusPages: Migration = async (db, dialect) => {
  const table = (name: string, key: string, columns: Parameters<typeof createTable>[3], kind?: 'keyed') =>
    createTable(db, dialect, name, columns, { key, ...(kind && { kind }) })

  await table('uptime_days', 'check_number, day', { check_number: ofCheck, day: 'int', up_ms: 'int', down_ms: 'int' }, 'keyed')
  await table(
    'uptime_maintenance',
    'check_number, planned_by, starts_at',
    { planned_by: 'text', check_number: ofCheck, starts_at: 'bigint', ends_at: 'bigint' },
    'keyed',
  )
  await createIndex(db, 'uptime_maintenance', 'planned_by')

  await table('status_pages', 'id', {
    id: 'text',
    workspace_id: ofWorkspace,
    name: 'text',
    slug: ['text', 'unique'],
    domain: ['text?', 'unique'],
    description: 'text',
    show_response_times: 'int',
    theme: 'text',
    indexable: 'int',
    auto_incidents: 'int',
    created_at: 'bigint',
    updated_at: 'bigint',
  })
  await createIndex(db, 'status_pages', 'workspace_id')
  await table('status_page_groups', 'page_id, position', { page_id: ofPage, position: 'int', name: 'text' }, 'keyed')
  await table(
    'status_page_checks',
    'page_id, check_number',
    { page_id: ofPage, check_number: ofCheck, group_position: 'int', position: 'int', label: 'text?' },
    'keyed',
  )
  await createIndex(db, 'status_page_checks', 'check_number')

  await table('status_incidents', 'id', {
    id: 'text',
    page_id: ofPage,
    kind: 'text',
    title: 'text',
    impact: 'text',
    status: 'text',
    automatic: 'int',
    automatic_for: ['text?', 'unique'],
    starts_at: 'bigint',
    ends_at: 'bigint?',
    clock_at: 'bigint?',
    notify_at: 'bigint?',
    notify_since: 'bigint?',
    notify_after: 'text',
    created_at: 'bigint',
    updated_at: 'bigint',
  })
  await createIndex(db, 'status_incidents', 'page_id, starts_at')
  await createIndex(db, 'status_incidents', 'clock_at')
  await createIndex(db, 'status_incidents', 'notify_at')
  await table(
    'status_incident_checks',
    'incident_id, check_number',
    { incident_id: ofIncident, check_number: ofCheck, outage_id: 'text?' },
    'keyed',
  )
  await createIndex(db, 'status_incident_checks', 'check_number')
  await createIndex(db, 'status_incident_checks', 'outage_id')
  await table('status_incident_updates', 'id', {
    id: 'text',
    incident_id: ofIncident,
    status: 'text',
    body: 'text',
    notify: 'int',
    created_at: 'bigint',
  })
  await createIndex(db, 'status_incident_updates', 'incident_id, created_at')

  await table('status_subscribers', 'id', {
    id: 'text',
    page_id: ofPage,
    email: 'text',
    pending_until: 'bigint?',
    confirmed_at: 'bigint?',
    created_at: 'bigint',
  })
  await sql`create unique index status_subscribers_address on status_subscribers (page_id, email)`.execute(db)
  await createIndex(db, 'status_subscribers', 'page_id, id')
  await createIndex(db, 'status_subscribers', 'pending_until')
  await table('status_messages', 'id', {
    id: 'text',
    incident_id: ofIncident,
    subscriber_id: ofSubscriber,
    due_at: 'bigint?',
    leased_until: 'bigint?',
    attempt: 'int',
    told_until: 'bigint',
    sent_at: 'bigint?',
  })
  await sql`create unique index status_messages_one on status_messages (incident_id, subscriber_id)`.execute(db)
  await createIndex(db, 'status_messages', 'subscriber_id')
  await createIndex(db, 'status_messages', 'due_at')
}
