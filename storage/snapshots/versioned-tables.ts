/**
 * Postgres: the tables whose changes the table `changes` records, by triggers (`storage/migrations/change-triggers.ts`).
 * On the connections of a pool, only queries over these tables are answered from memory.
 */
export const versionedTables: ReadonlySet<string> = new Set([
  'accounts',
  'api_tokens',
  'event_settings',
  'goals',
  'members',
  'sessions',
  'sites',
  'sso_configurations',
  'sso_sessions',
  'workspace_settings',
  'workspaces',
])

/** The tables whose results are cached for a site as long as its version does not change. */
export const versionedForSite: ReadonlySet<string> = new Set(['dict', 'event_settings', 'site_days', 'sites'])
