/** Links that show reports of a site to people without an account. */
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const ofSite = ['text', 'references sites(id) on delete cascade'] as const

export const sharing: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'shared_links',
    {
      id: 'text',
      site_id: ofSite,
      slug: ['text', 'unique'],
      name: 'text',
      password_hash: 'text?',
      expires_at: 'bigint?',
      segment_id: 'text?',
      reports: 'text',
      dimensions: 'text',
      max_days: 'int?',
      show_revenue: 'int',
      allow_export: 'int',
      embed_origins: 'text',
      theme: 'text',
      views: 'bigint',
      last_viewed_at: 'bigint?',
      created_at: 'bigint',
      updated_at: 'bigint',
    },
    { key: 'id' },
  )
  await createIndex(db, 'shared_links', 'site_id')
  await createTable(
    db,
    dialect,
    'share_tokens',
    {
      id: 'text',
      hash: ['text', 'unique'],
      site_id: ofSite,
      link_id: ['text?', 'references shared_links(id) on delete cascade'],
      expires_at: 'bigint',
      created_at: 'bigint',
    },
    { key: 'id' },
  )
  await createIndex(db, 'share_tokens', 'site_id')
  await createIndex(db, 'share_tokens', 'link_id')
}
