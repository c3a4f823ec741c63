/** Imports by the API, the totals they bring, and exports. */
import { type Column, createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const ofSite = ['text', 'references sites(id) on delete cascade'] as const
const ofImport = ['text', 'references imports(id) on delete cascade'] as const

const job: Readonly<Record<string, Column>> = {
  status: 'text',
  progress: 'int',
  error_code: 'text?',
  error_message: 'text?',
  started_at: 'bigint?',
  finished_at: 'bigint?',
  created_at: 'bigint',
  updated_at: 'bigint',
}

const family = (texts: readonly string[], counts: readonly string[]) => ({ texts, counts })
const families = {
  visitors: family([], ['visitors', 'pageviews', 'bounces', 'visits', 'visit_duration']),
  sources: family(
    ['source', 'referrer', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'],
    ['pageviews', 'visitors', 'visits', 'visit_duration', 'bounces'],
  ),
  pages: family(
    ['hostname', 'page'],
    [
      'visits',
      'visitors',
      'pageviews',
      'total_scroll_depth',
      'total_scroll_depth_visits',
      'total_time_on_page',
      'total_time_on_page_visits',
    ],
  ),
  entry_pages: family(['entry_page'], ['visitors', 'entrances', 'visit_duration', 'bounces', 'pageviews']),
  exit_pages: family(['exit_page'], ['visitors', 'visit_duration', 'exits', 'bounces', 'pageviews']),
  custom_events: family(['name', 'link_url', 'path'], ['visitors', 'events']),
  locations: family(['country', 'region'], ['visitors', 'visits', 'visit_duration', 'bounces', 'pageviews']),
  devices: family(['device'], ['visitors', 'visits', 'visit_duration', 'bounces', 'pageviews']),
  browsers: family(['browser', 'browser_version'], ['visitors', 'visits', 'visit_duration', 'bounces', 'pageviews']),
  operating_systems: family(
    ['operating_system', 'operating_system_version'],
    ['visitors', 'visits', 'visit_duration', 'bounces', 'pageviews'],
  ),
}

export const imports: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'imports',
    {
      id: 'text',
      workspace_id: 'text',
      site_id: ofSite,
      source: 'text',
      kind: 'text',
      filename: 'text',
      map: 'text',
      timezone: 'text',
      from_day: 'int?',
      to_day: 'int?',
      dry_run: 'int',
      bytes: 'bigint?',
      fingerprint: 'text?',
      first_day: 'int?',
      last_day: 'int?',
      rows_read: 'int',
      rows_taken: 'int',
      rows_refused: 'int',
      ignored: 'text',
      removing: 'int',
      ...job,
    },
    { key: 'id' },
  )
  await createIndex(db, 'imports', 'site_id, created_at')
  await createIndex(db, 'imports', 'status')
  await createTable(
    db,
    dialect,
    'import_days',
    { import_id: ofImport, day: 'int', rev: 'int', visitors: 'int', alone: 'int' },
    { key: 'import_id, day', kind: 'keyed' },
  )
  await createTable(
    db,
    dialect,
    'import_refusals',
    { import_id: ofImport, seq: 'int', file: 'text', line: 'int', reason: 'text', text: 'text' },
    { key: 'import_id, seq', kind: 'keyed' },
  )
  for (const [name, { texts, counts }] of Object.entries(families)) {
    await createTable(
      db,
      dialect,
      `imported_${name}`,
      {
        import_id: ofImport,
        day: 'int',
        seq: 'int',
        ...Object.fromEntries(texts.map(text => [text, 'text' as const])),
        ...Object.fromEntries(counts.map(count => [count, 'bigint?' as const])),
      },
      { key: 'import_id, day, seq', kind: 'keyed' },
    )
  }
  await createTable(
    db,
    dialect,
    'exports',
    {
      id: 'text',
      workspace_id: 'text',
      site_id: ofSite,
      kind: 'text',
      format: 'text',
      from_day: 'int',
      to_day: 'int',
      raw: 'int',
      rows_written: 'int',
      bytes: 'bigint?',
      sha256: 'text?',
      expires_at: 'bigint?',
      ...job,
    },
    { key: 'id' },
  )
  await createIndex(db, 'exports', 'site_id, created_at')
  await createIndex(db, 'exports', 'status')
}
