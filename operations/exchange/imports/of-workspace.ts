/** Imports of a whole workspace, as new sites of the caller's. */
import { valueTerm } from '../../../runtime/texts/message.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { outcomeOf } from '../../../runtime/table/outcome.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { Name, ofFile } from '../../../runtime/table/schema.ts'
import type { Config } from '../../../runtime/settings/config.ts'
import type { Resource } from '../../../runtime/settings/resource.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { JobFailure, jobsOpen } from '../../../runtime/tasks/job.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import type { Db } from '../../../storage/store.ts'
import type { ImportRow } from '../../../storage/tables/index.ts'
import { discardHiddenSites } from '../../../storage/transfer/write-rows.ts'
import { workspace } from '../../people/workspaces/records.ts'
import { addGroupOfAll } from '../../sites/sites/index.ts'
import { allSitesOf } from '../../sites/sites/records.ts'
import { files, signedLink } from '../files/index.ts'
import { m } from './messages.ts'
import { newImport } from './new-import.ts'
import { ids } from './records.ts'
import { openArchive } from './sources/archive.ts'
import { importTask, UPLOAD_MS } from './task-name.ts'
import { uploadPath } from './upload-path.ts'
import { planOf } from './workspace/plan.ts'
import { workspaceKind, toWorkspaceImport, WorkspaceImport, workspaceImport } from './workspace/records.ts'

const ofExample = { workspace_id: '{{workspace}}', id: '{{workspace_import}}' }
const ofOwner = { access: 'workspace.manage', needs: ['sites.manage', 'analytics.read'], role: 'owner', reach: 'workspace' } as const

/** The parts of a link for an upload. */
interface Showing {
  readonly db: Db
  use<T>(resource: Resource<T>): T
  readonly config: Config
}

async function shown(row: ImportRow, { db, use, config }: Showing) {
  if (row.status !== 'awaiting_upload') return toWorkspaceImport(row, null)
  const until = row.created_at + UPLOAD_MS
  const url = await signedLink({ db, box: use(secretBox), config }, { method: 'PUT', path: uploadPath(row.id), until })
  return toWorkspaceImport(row, { url, received: (await use(files).sizeOf(row.id)) ?? 0 })
}

export const workspace_imports_list = list({
  route: 'GET /workspaces/{workspace_id}/imports',
  summary: 'List the imports of a workspace',
  title: 'Imports of the workspace',
  empty: {
    says: 'The file of a workspace that another installation of Footfall exported becomes sites of this one, with everything that they have.',
    like: [['workspace-exp_01.zip', '84 MB']],
  },
  description: 'Newest first, with their progress.',
  place: 'data',
  ...ofOwner,
  on: workspace,
  effect: 'read',
  secrets: ['upload_url'],
  input: {},
  of: WorkspaceImport,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, workspace, page, use, config }) {
    const all = db.selectFrom('imports').selectAll().where('site_id', '=', allSitesOf(workspace.id)).where('kind', '=', workspaceKind)
    const { rows, total } = await pageOf(all.orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
    return { rows: await Promise.all(rows.map(row => shown(row, { db, use, config }))), total }
  },
})

export const workspace_imports_get = operation({
  route: 'GET /workspaces/{workspace_id}/imports/{id}',
  summary: 'Get an import of a workspace: its progress, and the link to upload its file',
  ...ofOwner,
  on: [workspace, workspaceImport],
  effect: 'read',
  secrets: ['upload_url'],
  input: {},
  output: WorkspaceImport,
  examples: [{ input: ofExample }],
  run: ({ db, import: row, use, config }) => shown(row, { db, use, config }),
})

/** One import at a time: two files might bring the same. */
async function refuseSecond(db: Db, place: string): Promise<void> {
  const open = db.selectFrom('imports').select('id').where('site_id', '=', place).where('status', 'in', jobsOpen)
  if (await open.executeTakeFirst()) fail('limit_reached', m.workspace_imported_already())
}

const started = { succeeded: m.import_finished, failed: m.the_import_failed, pending: m.import_started, cancelled: m.import_cancelled }

export const workspaces_import = operation({
  route: 'POST /workspaces/{workspace_id}/imports',
  summary: 'Import a whole workspace from the file of another installation',
  label: 'Import a workspace',
  description:
    'Upload the file that `workspaces_export` made with PUT to `upload_url`, then call `workspace_imports_start`. Its sites become new sites of this workspace; ' +
    'a site with a domain that is here already refuses the file.',
  help: 'The file that another installation of Footfall exported. Its sites become sites of this workspace; if one of their domains is here already, the file is refused.',
  ...ofOwner,
  on: locked(workspace),
  effect: 'create',
  secrets: ['upload_url'],
  input: { filename: Name({ maxLength: 200, description: 'Name of the file.', [ofFile]: true }) },
  output: WorkspaceImport,
  outcome: () => ({ is: 'success', says: m.import_created }),
  examples: [{ input: { workspace_id: '{{workspace}}', filename: 'workspace.zip' } }],
  async run({ db, workspace, caller, input, now, newId, use, config }) {
    const place = allSitesOf(workspace.id)
    await addGroupOfAll(db, workspace.id, now)
    await refuseSecond(db, place)
    const asked = { source: 'footfall', filename: input.filename, map: {}, timezone: 'UTC', from: null, to: null, dry_run: false } as const
    const made = { id: newId(ids.import), now, createdBy: caller.member.accountId }
    const row = { ...newImport(asked, { id: place, workspace_id: workspace.id }, made), source: workspaceKind, kind: workspaceKind }
    await db.insertInto('imports').values(row).execute()
    return shown(row, { db, use, config })
  },
})

export const workspace_imports_start = operation({
  route: 'POST /workspaces/{workspace_id}/imports/{id}/start',
  summary: 'Start the import of a workspace after its file was uploaded',
  label: 'Start the import',
  done: 'Import started.',
  description: 'First reads the whole file and checks that it is complete, that this version can read it, and that its domains are free.',
  ...ofOwner,
  on: [locked(workspace), locked(workspaceImport)],
  effect: 'update',
  offered: { status: ['awaiting_upload'] },
  adds: 'sites',
  rate: 'costly',
  secrets: ['upload_url'],
  input: {},
  output: WorkspaceImport,
  outcome: ({ status, error }) => outcomeOf(status === 'awaiting_upload' ? 'pending' : status, started, error),
  examples: [{ input: ofExample }],
  async prepare({ import: row, db, use, now }) {
    if (row.status !== 'awaiting_upload') fail('invalid_state', m.is_already({ state: valueTerm(row.status) }))
    if (row.upload_until !== null && row.upload_until > now) fail('invalid_state', m.being_uploaded())
    const size = await use(files).sizeOf(row.id)
    if (size === undefined) fail('invalid_state', m.not_uploaded_yet())
    if (row.bytes !== null && size < row.bytes) fail('invalid_state', m.partly_uploaded({ here: size, all: row.bytes }))
    try {
      const archive = await openArchive(use(files), row.id, row.filename)
      try {
        const { checkWorkspace } = await import('./workspace/check-file.ts')
        return { checked: await checkWorkspace(db, archive, row, now) }
      } finally {
        await archive.close()
      }
    } catch (error) {
      if (error instanceof JobFailure) return fail(error.code === 'already_exists' ? 'already_exists' : 'invalid_state', error.sentence)
      throw error
    }
  },
  async run({ db, import: row, checked, now }) {
    if (row.status !== 'awaiting_upload') fail('invalid_state', m.is_already({ state: valueTerm(row.status) }))
    await refuseSecond(db, row.site_id)
    const running = await db
      .updateTable('imports')
      .set({ status: 'pending', fingerprint: checked.fingerprint, map: JSON.stringify(checked.plan), updated_at: now })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    wakeAfter(db, importTask)
    return toWorkspaceImport(running, null)
  },
})

export const workspace_imports_cancel = operation({
  route: 'POST /workspaces/{workspace_id}/imports/{id}/cancel',
  summary: 'Cancel the import of a workspace',
  label: 'Stop the import',
  done: 'Import cancelled.',
  description: 'Removes everything that it has stored.',
  ...ofOwner,
  on: [workspace, locked(workspaceImport)],
  effect: 'update',
  discards: true,
  offered: { status: ['awaiting_upload', 'pending', 'running'] },
  secrets: ['upload_url'],
  input: {},
  output: WorkspaceImport,
  examples: [{ input: ofExample }],
  async run({ db, import: row, now }) {
    if (!['awaiting_upload', ...jobsOpen].includes(row.status)) fail('invalid_state', m.is_already({ state: valueTerm(row.status) }))
    await discardHiddenSites(db, { workspaceId: row.workspace_id, ids: planOf(row).sites, now })
    const cancelled = await db
      .updateTable('imports')
      .set({ status: 'cancelled', finished_at: now, updated_at: now })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toWorkspaceImport(cancelled, null)
  },
})
