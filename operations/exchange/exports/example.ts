/** A pending export. */
import { exampleRecords } from '../../../runtime/table/example.ts'
import { localDay } from '../../../storage/calendar/zones.ts'
import { ids, newExport } from './records.ts'

export const example = exampleRecords(async ({ db, now, id, newId }) => {
  const row = newId(ids.export)
  const { day } = localDay('UTC', now)
  await db
    .insertInto('exports')
    .values({
      ...newExport(now),
      id: row,
      workspace_id: id('workspace'),
      site_id: id('site'),
      created_by: null,
      kind: 'hits',
      format: 'ndjson',
      from_day: day - 7,
      to_day: day,
    })
    .execute()
  return { export: row }
})
