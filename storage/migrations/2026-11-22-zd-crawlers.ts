/** Requests of crawlers, as daily counters: no address is among them. */
import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const ofSite = ['text', 'references sites(id) on delete cascade'] as const

export const crawlers: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'crawler_days',
    {
      site_id: ofSite,
      day: 'int',
      name: 'text',
      operator: 'text',
      category: 'text',
      requests: 'bigint',
      script_hits: 'bigint',
      status_4xx: 'bigint',
      status_5xx: 'bigint',
      bytes: 'bigint',
      verified: 'bigint',
      spoofed: 'bigint',
      first_at: 'bigint',
      last_at: 'bigint',
    },
    { key: 'site_id, day, name' },
  )
  await createTable(
    db,
    dialect,
    'crawler_pages',
    { site_id: ofSite, day: 'int', name: 'text', category: 'text', path: 'text', requests: 'bigint', last_at: 'bigint' },
    { key: 'site_id, day, name, path' },
  )
}
