/** An import of a whole workspace, from the file that another installation exported. */
import { Type } from '@sinclair/typebox'
import { jobFields, jobState } from '../../../../runtime/tasks/job.ts'
import { among, Nullable, record, type Static } from '../../../../runtime/table/schema.ts'
import { subject } from '../../../../runtime/table/subject.ts'
import type { ImportRow } from '../../../../storage/tables/index.ts'
import { states } from '../records.ts'
import { planOf } from './plan.ts'

/** The kind and the source of the import of a workspace, which belongs to the group of all of its sites. */
export const workspaceKind = 'workspace'

export const WorkspaceImport = record(
  'WorkspaceImport',
  {
    id: Type.String({ description: 'Prefix `imp_`.' }),
    workspace_id: Type.String({ description: 'Workspace that receives the sites.' }),
    filename: Type.String({ description: 'Name of the file.' }),
    upload_url: Nullable(Type.String(), {
      description: 'URL to PUT the file for 24 hours, complete or in pieces with Content-Range; null once the import is started.',
    }),
    received: Type.Integer({ unit: 'bytes', description: 'Bytes of the file received so far; 0 once the import is started.' }),
    total: Nullable(Type.Integer(), { unit: 'bytes', description: 'Size that the upload has declared; null before it.' }),
    site_ids: Type.Array(Type.String(), { description: 'Ids that the sites have here; empty before the start.' }),
    renumbered: Type.Boolean({ description: 'Whether all records got new ids, because some of them were taken.' }),
    rows: Type.Integer({ unit: 'count', description: 'Rows stored so far.' }),
    fingerprint: Nullable(Type.String(), { description: 'SHA-256 of the file, hex; null until it is started.' }),
    ...jobFields(states, '`awaiting_upload` until it is started.'),
  },
  'An import of a whole workspace.',
)

export const workspaceImport = subject<'import', ImportRow>({
  name: 'import',
  calledBy: null,
  async find(db, id) {
    const row = await db.selectFrom('imports').selectAll().where('id', '=', id).where('kind', '=', workspaceKind).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: null }
  },
  lock: (db, id) =>
    db
      .updateTable('imports')
      .set(({ ref }) => ({ status: ref('status') }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),
})

export function toWorkspaceImport(row: ImportRow, upload: { url: string; received: number } | null): Static<typeof WorkspaceImport> {
  const { ids, sites } = planOf(row)
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    filename: row.filename,
    upload_url: upload?.url ?? null,
    received: upload?.received ?? 0,
    total: row.bytes,
    site_ids: [...sites],
    renumbered: ids === 'new',
    rows: row.rows_taken,
    fingerprint: row.fingerprint,
    status: among(states, row.status),
    ...jobState(row),
  }
}
