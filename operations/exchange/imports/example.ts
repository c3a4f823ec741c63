/** An import that waits for its file. */
import { exampleRecords } from '../../../runtime/table/example.ts'
import { newImport } from './new-import.ts'
import { ids } from './records.ts'
import { addGroupOfAll } from '../../sites/sites/index.ts'
import { allSitesOf } from '../../sites/sites/records.ts'
import { workspaceKind } from './workspace/records.ts'

export const example = exampleRecords(async ({ db, now, id, newId }) => {
  const row = newId(ids.import)
  const site = { id: id('site'), workspace_id: id('workspace') }
  const asked = { source: 'plausible', filename: 'export.zip', map: {}, timezone: 'UTC', from: null, to: null, dry_run: false } as const
  await db
    .insertInto('imports')
    .values(newImport(asked, site, { id: row, now, createdBy: null }))
    .execute()
  const ofAll = newId(ids.import)
  await addGroupOfAll(db, id('workspace'), now)
  const all = { id: allSitesOf(site.workspace_id), workspace_id: site.workspace_id }
  await db
    .insertInto('imports')
    .values({ ...newImport(asked, all, { id: ofAll, now, createdBy: null }), source: workspaceKind, kind: workspaceKind })
    .execute()
  return { import: row, workspace_import: ofAll }
})
