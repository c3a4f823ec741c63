/** A pending export of a site, and one of its workspace. */
import { exampleRecords } from '../../../runtime/table/example.ts'
import { localDay } from '../../../storage/calendar/zones.ts'
import { addGroupOfAll } from '../../sites/sites/index.ts'
import { allSitesOf } from '../../sites/sites/records.ts'
import { workspaceKind } from './export-files.ts'
import { ids, newExport } from './records.ts'

export const example = exampleRecords(async ({ db, now, id, newId }) => {
  const siteExport = newId(ids.export)
  const { day } = localDay('UTC', now)
  await db
    .insertInto('exports')
    .values({
      ...newExport(now),
      id: siteExport,
      workspace_id: id('workspace'),
      site_id: id('site'),
      created_by: null,
      kind: 'hits',
      format: 'ndjson',
      from_day: day - 7,
      to_day: day,
    })
    .execute()
  const workspaceExport = newId(ids.export)
  await addGroupOfAll(db, id('workspace'), now)
  await db
    .insertInto('exports')
    .values({
      ...newExport(now),
      status: 'completed',
      id: workspaceExport,
      workspace_id: id('workspace'),
      site_id: allSitesOf(id('workspace')),
      created_by: null,
      kind: workspaceKind,
      format: 'ndjson',
      from_day: day,
      to_day: day,
    })
    .execute()
  return { export: siteExport, workspace_export: workspaceExport }
})
