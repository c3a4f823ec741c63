/** Exports of a whole workspace. They are like exports of a site, and belong to the group of all of its sites. */
import { fail } from '../../../runtime/table/errors.ts'
import { outcomeOf } from '../../../runtime/table/outcome.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { jobsOpen } from '../../../runtime/tasks/job.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import type { ExportRow } from '../../../storage/tables/index.ts'
import { workspace } from '../../people/workspaces/records.ts'
import { addGroupOfAll } from '../../sites/sites/index.ts'
import { allSitesOf } from '../../sites/sites/records.ts'
import { exportTask, workspaceKind } from './export-files.ts'
import { m } from './messages.ts'
import { cancel, created, downloadUrl, type LinkServices, remove } from './outcomes.ts'
import { ids, newExport } from './records.ts'
import { countLeftOut, toWorkspaceExport, WorkspaceExport, workspaceExport } from './workspace-records.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

const ofExample = { workspace_id: '{{workspace}}', id: '{{workspace_export}}' }

/** The file has everything that an owner sees, so only an owner makes and reads it. */
const ofOwner = { access: 'workspace.manage', needs: ['analytics.export'], role: 'owner', reach: 'workspace' } as const

const shown = async (row: ExportRow, services: LinkServices) => toWorkspaceExport(row, await downloadUrl(row, services))

export const workspace_exports_list = list({
  route: 'GET /workspaces/{workspace_id}/exports',
  summary: 'List the exports of a workspace',
  title: 'Exports of the workspace',
  empty: {
    says: 'An export of the workspace is one file with its sites, their settings and all data. Another installation of Footfall imports it.',
    like: [['workspace-2026-11-27.zip', '84 MB']],
  },
  description: 'Newest first, with links to the files that are ready.',
  place: 'data',
  ...ofOwner,
  on: workspace,
  effect: 'read',
  secrets: ['download_url'],
  input: {},
  of: WorkspaceExport,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, workspace, page, use, config, now }) {
    const all = db.selectFrom('exports').selectAll().where('site_id', '=', allSitesOf(workspace.id)).where('kind', '=', workspaceKind)
    const { rows, total } = await pageOf(all.orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
    return { rows: await Promise.all(rows.map(row => shown(row, { db, box: use(secretBox), config, now }))), total }
  },
})

export const workspace_exports_get = operation({
  route: 'GET /workspaces/{workspace_id}/exports/{id}',
  summary: 'Get an export of a workspace: its progress, and the link to its file',
  ...ofOwner,
  on: [workspace, workspaceExport],
  effect: 'read',
  secrets: ['download_url'],
  input: {},
  output: WorkspaceExport,
  examples: [{ input: ofExample }],
  run: ({ db, export: row, use, config, now }) => shown(row, { db, box: use(secretBox), config, now }),
})

export const workspaces_export = operation({
  route: 'POST /workspaces/{workspace_id}/exports',
  summary: 'Export a whole workspace as one file for another installation',
  label: 'Export the workspace',
  description:
    'The file has all sites with their settings, hits, imported history and people, and no secrets; `left_out` names what it does not have. ' +
    '`workspaces_import` reads it. The event `export.ready` and a mail announce that it is ready.',
  help: 'One file with all sites, their settings and data, for another installation of Footfall. It has no passwords, tokens or other secrets.',
  ...ofOwner,
  on: locked(workspace),
  effect: 'create',
  rate: 'costly',
  secrets: ['download_url'],
  input: {},
  output: WorkspaceExport,
  outcome: ({ status, error }) => outcomeOf(status, created, error),
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, workspace, caller, now, newId, use, config }) {
    const place = allSitesOf(workspace.id)
    await addGroupOfAll(db, workspace.id, now)
    const open = db.selectFrom('exports').select('id').where('site_id', '=', place).where('status', 'in', jobsOpen)
    if (await open.executeTakeFirst()) fail('limit_reached', m.workspace_exported_already())
    const day = Math.floor(now / DAY_MS)
    const row: ExportRow = {
      ...newExport(now),
      id: newId(ids.export),
      workspace_id: workspace.id,
      site_id: place,
      created_by: caller.member.accountId,
      kind: workspaceKind,
      format: 'ndjson',
      from_day: day,
      to_day: day,
      scope: JSON.stringify(await countLeftOut(db, workspace.id)),
    }
    await db.insertInto('exports').values(row).execute()
    wakeAfter(db, exportTask)
    return shown(row, { db, box: use(secretBox), config, now })
  },
})

export const workspace_exports_cancel = operation({
  route: 'POST /workspaces/{workspace_id}/exports/{id}/cancel',
  summary: 'Cancel an export of a workspace',
  label: 'Stop the export',
  done: 'Export cancelled.',
  ...ofOwner,
  on: [workspace, locked(workspaceExport)],
  effect: 'update',
  discards: true,
  offered: { status: jobsOpen },
  secrets: ['download_url'],
  input: {},
  output: WorkspaceExport,
  examples: [{ input: ofExample }],
  run: async ({ db, export: row, now }) => toWorkspaceExport(await cancel(db, row, now), null),
})

export const workspace_exports_delete = operation({
  route: 'DELETE /workspaces/{workspace_id}/exports/{id}',
  summary: 'Delete an export of a workspace and its file',
  ...ofOwner,
  on: [workspace, workspaceExport],
  effect: 'delete',
  secrets: ['download_url'],
  input: {},
  output: WorkspaceExport,
  examples: [{ input: ofExample }],
  run: async ({ db, export: row }) => toWorkspaceExport(await remove(db, row), null),
})
