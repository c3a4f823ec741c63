/** An import that waits for its file. */
import { exampleRecords } from '../../../runtime/example.ts'
import { ids } from './records.ts'

export const example = exampleRecords(async ({ db, now, id, newId }) => {
  const row = newId(ids.import)
  await db
    .insertInto('imports')
    .values({
      id: row,
      workspace_id: id('workspace'),
      site_id: id('site'),
      source: 'plausible',
      kind: 'aggregates',
      filename: 'export.zip',
      map: '{}',
      timezone: 'UTC',
      from_day: null,
      to_day: null,
      dry_run: 0,
      bytes: null,
      fingerprint: null,
      first_day: null,
      last_day: null,
      rows_read: 0,
      rows_taken: 0,
      rows_refused: 0,
      ignored: '[]',
      removing: 0,
      status: 'awaiting_upload',
      progress: 0,
      error_code: null,
      error_message: null,
      started_at: null,
      finished_at: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return { import: row }
})
