/** Invitations to workspaces, and settings of workspaces. */
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const ofWorkspace = ['text', 'references workspaces(id) on delete cascade'] as const

export const workspacePeople: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'invitations',
    {
      id: 'text',
      workspace_id: ofWorkspace,
      email: 'text',
      role: 'text',
      hash: ['text', 'unique'],
      invited_by: 'text',
      expires_at: 'bigint',
      created_at: 'bigint',
      updated_at: ['bigint', ', unique (workspace_id, email)'],
    },
    { key: 'id' },
  )
  await createIndex(db, 'invitations', 'expires_at')
  await createTable(
    db,
    dialect,
    'workspace_settings',
    {
      workspace_id: ofWorkspace,
      default_timezone: 'text',
      default_currency: 'text',
      week_start: 'int',
      require_two_factor: 'int',
      assistant_enabled: 'int',
      report_logo_url: 'text?',
    },
    { key: 'workspace_id' },
  )
}
