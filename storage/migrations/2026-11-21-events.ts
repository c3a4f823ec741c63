/** Settings of a site's events and properties, and requested deletions of events. */
import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const ofSite = ['text', 'references sites(id) on delete cascade'] as const

export const events: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'event_settings',
    {
      site_id: ofSite,
      name: 'text',
      display_name: 'text?',
      hidden: 'int',
      currency: 'text?',
      updated_at: 'bigint',
    },
    { key: 'site_id, name', kind: 'keyed' },
  )
  await createTable(
    db,
    dialect,
    'property_settings',
    {
      site_id: ofSite,
      key: 'text',
      display_name: 'text?',
      hidden: 'int',
      export_safe: 'int',
      updated_at: ['bigint', ', unique (site_id, display_name)'],
    },
    { key: 'site_id, key', kind: 'keyed' },
  )
  await createTable(
    db,
    dialect,
    'event_deletions',
    {
      site_id: ofSite,
      event: 'int',
      name: 'text',
      hits: 'int',
      next_day: 'int?',
      progress: 'int',
      requested_at: 'bigint',
      finished_at: 'bigint?',
    },
    { key: 'site_id, event', kind: 'keyed' },
  )
}
