import { exampleRecords } from '../../../runtime/table/example.ts'
import { ids } from './records.ts'
import { newSlug } from './slug.ts'

export const example = exampleRecords(async ({ db, now, id, newId, random }) => {
  const row = {
    id: newId(ids.shared_link),
    site_id: id('site'),
    slug: newSlug(random),
    name: 'Client',
    password_hash: null,
    expires_at: null,
    segment_id: null,
    reports: JSON.stringify(['overview', 'breakdown', 'events', 'funnels']),
    dimensions: '[]',
    max_days: null,
    show_revenue: 0,
    allow_export: 0,
    embed_origins: JSON.stringify(['https://www.example.com']),
    theme: 'system',
    views: 3,
    last_viewed_at: now,
    created_at: now,
    updated_at: now,
  }
  await db.insertInto('shared_links').values(row).execute()
  return { shared_link: row.id, shared_slug: row.slug }
})
