/** Which hits of a site are not counted: its rules, how often each decided, and its settings. */
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const ofSite = ['text', 'references sites(id) on delete cascade'] as const

export const trafficRules: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'traffic_rules',
    {
      id: 'text',
      site_id: ofSite,
      kind: 'text',
      action: 'text',
      value: 'text',
      note: 'text?',
      enabled: 'int',
      expires_at: 'bigint?',
      created_at: 'bigint',
      updated_at: ['bigint', ', unique (site_id, kind, value)'],
    },
    { key: 'id' },
  )
  await createTable(
    db,
    dialect,
    'traffic_rule_matches',
    { rule_id: 'text', day: 'int', count: 'int', last_at: 'bigint' },
    { key: 'rule_id, day' },
  )
  await createIndex(db, 'traffic_rule_matches', 'last_at')
  await createTable(
    db,
    dialect,
    'traffic_settings',
    { site_id: ofSite, bots: 'text', spam_referrers: 'int', revision: 'int', updated_at: 'bigint' },
    { key: 'site_id' },
  )
}
