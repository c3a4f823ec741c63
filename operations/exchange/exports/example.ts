/** A pending export. */
import { exampleRecords } from '../../../runtime/table/example.ts'
import { localDay } from '../../../storage/calendar/zones.ts'
import { ids } from './records.ts'

export const example = exampleRecords(async ({ db, now, id, newId }) => {
  const row = newId(ids.export)
  const { day } = localDay('UTC', now)
  await db
    .insertInto('exports')
    .values({
      id: row,
      workspace_id: id('workspace'),
      site_id: id('site'),
      created_by: null,
      kind: 'hits',
      format: 'ndjson',
      from_day: day - 7,
      to_day: day,
      raw: 0,
      bom: 0,
      filters: null,
      segment_id: null,
      scope: null,
      rows_written: 0,
      bytes: null,
      sha256: null,
      expires_at: null,
      status: 'pending',
      progress: 0,
      error_code: null,
      error_message: null,
      started_at: null,
      finished_at: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
  return { export: row }
})
