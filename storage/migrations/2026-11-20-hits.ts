/** Visits and hits as integer rows (docs/analytics.md §5), clustered by site and day. */
import { type Column, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

/** The dimensions of visits at that time: later ones have migrations of their own. */
const dimensions = [
  'entry_page',
  'exit_page',
  'channel',
  'source',
  'referrer',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'country',
  'region',
  'city',
  'browser',
  'browser_version',
  'os',
  'os_version',
  'device',
  'screen',
  'language',
  'hostname',
]

export const hits: Migration = async (db, dialect) => {
  const table = (name: string, key: string, columns: Readonly<Record<string, Column>>) =>
    createTable(db, dialect, name, columns, { key, kind: 'keyed' })
  const ofDay = { site_id: 'int', day: 'int' } as const

  await table('dict', 'site_id, dim, id', {
    site_id: 'int',
    dim: 'int',
    id: 'int',
    value: ['text', ', unique (site_id, dim, value)'],
  })
  await table('salts', 'site_id, day', { ...ofDay, salt: 'text' })
  await table('site_days', 'site_id, day', {
    ...ofDay,
    starts_at: 'bigint',
    ends_at: 'bigint',
    next_visitor: 'int',
    next_loose: 'int',
    rev: 'int',
    sealed_rev: 'int',
  })
  await table('visitors', 'site_id, day, hash', { ...ofDay, hash: 'text', visitor: 'int' })
  await table('visits', 'site_id, day, visit_id', {
    ...ofDay,
    visit_id: 'bigint',
    started_at: 'bigint',
    duration: 'int',
    pageviews: 'int',
    events: 'int',
    bounce: 'int',
    ...Object.fromEntries(dimensions.map(dimension => [dimension, 'int' as const])),
    revenue: 'bigint',
    entry_after: 'int',
    exit_after: 'int',
    next_seq: 'int',
  })
  await table('hits', 'site_id, day, visit_id, seq', {
    ...ofDay,
    visit_id: 'bigint',
    seq: 'int',
    at: 'bigint',
    page: 'int',
    event: 'int',
    interactive: 'int',
    revenue: 'bigint',
    engaged_ms: 'int',
    scroll: 'int',
  })
  await table('hit_props', 'site_id, day, event, key, visit_id, seq', {
    ...ofDay,
    event: 'int',
    key: 'int',
    visit_id: 'bigint',
    seq: 'int',
    value: 'int',
    num: 'real?',
  })
  await table('vitals', 'site_id, day, page, metric, visit_id, seq', {
    ...ofDay,
    page: 'int',
    metric: 'text',
    visit_id: 'bigint',
    seq: 'int',
    value: 'int',
    device: 'int',
  })
  await table('clicks', 'site_id, day, page, visit_id, seq', {
    ...ofDay,
    page: 'int',
    visit_id: 'bigint',
    seq: 'int',
    selector: 'int',
    x: 'int',
    y: 'int',
  })
  await table('drops', 'site_id, day, reason', { ...ofDay, reason: 'text', count: 'int' })
}
