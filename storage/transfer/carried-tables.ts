/**
 * The tables whose rows the file of a workspace carries (docs/moving.md), in the order in which an import stores them. Columns
 * with secrets, and those that mean something only in their installation, stay out.
 */
import type { Column } from '../schema/column.ts'
import type { Table } from '../schema/table.ts'
import { familyNames } from '../tables/imported-families.ts'
import { type TableName, tables } from '../tables/index.ts'

/** Names a row by the workspace, the id of its site, the number of its site, or its import. */
export type CarriedBy = 'workspace_id' | 'site_id' | 'number' | 'import_id'

export interface CarriedTable {
  readonly name: TableName
  readonly by: CarriedBy
  /** `bulk`: as many rows as there was traffic, stored piece by piece. `settings`: few rows, stored in one transaction at the end. */
  readonly amount: 'bulk' | 'settings'
  readonly columns: readonly string[]
  readonly key: readonly string[]
}

const declared: Readonly<Record<string, Table>> = tables

interface Carrying {
  readonly by: CarriedBy
  readonly without?: readonly string[]
}

const carries = (name: TableName, amount: CarriedTable['amount'], { by, without = [] }: Carrying): CarriedTable => {
  const { columns = {}, key = [] } = declared[name] ?? {}
  const left = new Set(by === 'workspace_id' ? [...without, 'workspace_id'] : without)
  return Object.freeze({ name, by, amount, columns: Object.keys(columns).filter(column => !left.has(column)), key })
}
const site = { by: 'site_id' } as const
const number = { by: 'number' } as const

/** Ends of an import that only its own installation needs. */
const ofUpload = ['workspace_id', 'created_by', 'bytes', 'url', 'url_tag', 'upload_by', 'upload_until', 'removing'] as const

/** Sites and groups come first, because all others belong to them. */
export const carriedSites = carries('sites', 'settings', {
  by: 'workspace_id',
  without: ['identity_key', 'texts_forgotten', 'deleted_at'],
})

export const carriedTables: readonly CarriedTable[] = Object.freeze([
  carries('imports', 'bulk', { ...site, without: ofUpload }),
  ...familyNames.map(family => carries(`imported_${family}`, 'bulk', { by: 'import_id' })),
  carries('import_days', 'bulk', { by: 'import_id', without: ['rev', 'visitors', 'alone'] }),
  carries('hit_imports', 'bulk', number),
  carries('hit_import_days', 'bulk', number),
  carries('crawler_days', 'bulk', site),
  carries('crawler_pages', 'bulk', site),
  carries('drops', 'bulk', number),
  carries('persons', 'bulk', { ...number, without: ['hash'] }),
  carries('dict', 'bulk', number),
  carries('group_sites', 'settings', site),
  carries('site_aliases', 'settings', site),
  carries('site_tracking', 'settings', { ...site, without: ['script_path', 'nonce', 'nonce_expires_at', 'confirmed_at'] }),
  carries('traffic_settings', 'settings', site),
  carries('traffic_rules', 'settings', site),
  carries('channel_rule_sets', 'settings', site),
  carries('channel_rules', 'settings', site),
  carries('event_settings', 'settings', site),
  carries('property_settings', 'settings', site),
  carries('goals', 'settings', site),
  carries('saved_segments', 'settings', site),
  carries('funnels', 'settings', site),
  carries('notes', 'settings', site),
  carries('campaigns', 'settings', site),
  carries('dashboards', 'settings', { by: 'workspace_id' }),
  carries('alerts', 'settings', {
    by: 'workspace_id',
    without: ['state', 'last_triggered_at', 'last_evaluated_at', 'evaluate_at', 'leased_until', 'streak'],
  }),
])

/** Tables with records of a workspace that its file leaves out. */
export const leftOutTables = [
  ['members', 'workspace_id'],
  ['invitations', 'workspace_id'],
  ['api_tokens', 'workspace_id'],
  ['sso_configurations', 'workspace_id'],
  ['scim_tokens', 'workspace_id'],
  ['channels', 'workspace_id'],
  ['webhooks', 'workspace_id'],
  ['warehouse_syncs', 'workspace_id'],
  ['email_reports', 'workspace_id'],
  ['uptime_checks', 'workspace_id'],
  ['status_pages', 'workspace_id'],
  ['shared_links', 'site_id'],
  ['campaign_links', 'site_id'],
  ['link_hosts', 'workspace_id'],
  ['workspace_settings', 'workspace_id'],
] as const satisfies readonly (readonly [TableName, 'workspace_id' | 'site_id'])[]

/** The declaration of a column. @throws Error for a column that no table has */
export function columnOf(table: TableName, name: string): Column {
  const column = declared[table]?.columns[name]
  if (!column) throw new Error(`no column ${table}.${name}`)
  return column
}
