/** Funnels of sites, and the dashboards of workspaces. */
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const dashboards: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'funnels',
    {
      id: 'text',
      site_id: ['text', 'references sites(id) on delete cascade'],
      name: 'text',
      steps: 'text',
      created_at: 'bigint',
      updated_at: ['bigint', ', unique (site_id, name)'],
    },
    { key: 'id' },
  )
  await createTable(
    db,
    dialect,
    'dashboards',
    {
      id: 'text',
      workspace_id: ['text', 'references workspaces(id) on delete cascade'],
      name: 'text',
      cards: 'text',
      created_at: 'bigint',
      updated_at: 'bigint',
    },
    { key: 'id' },
  )
  await createIndex(db, 'dashboards', 'workspace_id, created_at')
}
