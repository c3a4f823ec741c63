/** Campaigns, and the links that lead to them. */
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const ofSite = ['text', 'references sites(id) on delete cascade'] as const

export const campaigns: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'campaigns',
    {
      id: 'text',
      site_id: ofSite,
      name: 'text',
      utm_campaign: 'text',
      starts_on: 'text?',
      ends_on: 'text?',
      cost_cents: 'bigint?',
      goal_id: ['text?', 'references goals(id) on delete set null'],
      created_at: 'bigint',
      updated_at: ['bigint', ', unique (site_id, utm_campaign)'],
    },
    { key: 'id' },
  )
  await createIndex(db, 'campaigns', 'goal_id')
  await createTable(
    db,
    dialect,
    'campaign_links',
    {
      id: 'text',
      site_id: ofSite,
      slug: ['text', 'unique'],
      url: 'text',
      utm_source: 'text?',
      utm_medium: 'text?',
      utm_campaign: 'text?',
      utm_content: 'text?',
      utm_term: 'text?',
      clicks: 'bigint',
      last_clicked_at: 'bigint?',
      created_at: 'bigint',
      updated_at: 'bigint',
    },
    { key: 'id' },
  )
  await createIndex(db, 'campaign_links', 'site_id')
}
