/** Channels of a site's own, and the jobs that give them to visits of the past. */
import { addVisitDimension, createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const ofSite = ['text', 'references sites(id) on delete cascade'] as const

export const channelRules: Migration = async (db, dialect) => {
  await addVisitDimension(db, dialect, 'custom_channel')
  await createTable(
    db,
    dialect,
    'channel_rules',
    {
      id: 'text',
      site_id: ofSite,
      channel: 'text',
      match: 'text',
      conditions: 'text',
      position: 'int',
      created_at: 'bigint',
      updated_at: 'bigint',
    },
    { key: 'id' },
  )
  await createIndex(db, 'channel_rules', 'site_id, position')
  await createTable(db, dialect, 'channel_rule_sets', { site_id: ofSite, revision: 'int', changed_at: 'bigint' }, { key: 'site_id' })
  await createTable(
    db,
    dialect,
    'channel_applications',
    {
      id: 'text',
      site_id: ofSite,
      status: 'text',
      from_day: 'int',
      to_day: 'int',
      next_day: 'int',
      next_visit: 'bigint',
      changed: 'int',
      error: 'text?',
      created_at: 'bigint',
      started_at: 'bigint?',
      finished_at: 'bigint?',
    },
    { key: 'id' },
  )
  await createIndex(db, 'channel_applications', 'site_id')
}
