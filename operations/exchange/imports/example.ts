/** An import that waits for its file. */
import { exampleRecords } from '../../../runtime/table/example.ts'
import { newImport } from './new-import.ts'
import { ids } from './records.ts'

export const example = exampleRecords(async ({ db, now, id, newId }) => {
  const row = newId(ids.import)
  const site = { id: id('site'), workspace_id: id('workspace') }
  const asked = { source: 'plausible', filename: 'export.zip', map: {}, timezone: 'UTC', from: null, to: null, dry_run: false } as const
  await db
    .insertInto('imports')
    .values(newImport(asked, site, { id: row, now, createdBy: null }))
    .execute()
  return { import: row }
})
