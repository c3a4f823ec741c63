/**
 * Postgres: the tables of which `changes` tells that they have changed (the migration `g-changes` made the triggers).
 * Only queries over these are answered from memory on the connections of a pool.
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

/** Values remembered for a site as long as its version does not change. */
export const versionedForSite: ReadonlySet<string> = new Set(['dict', 'event_settings', 'site_days', 'sites'])
