/** A workspace contains members, tokens and sites. */
import { Type } from '@sinclair/typebox'
import { Name, DateTime, iso, record, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import { after } from '../../../storage/values/awaitable.ts'
import { prepared } from '../../../storage/sql/prepared.ts'
import type { WorkspaceRow } from '../../../storage/tables/index.ts'
import { idKind } from '../../../runtime/values/ids.ts'

export const ids = { workspace: idKind('ws_') }

export const workspaceName = Name({
  maxLength: 100,
  description: 'Name shown to its members.',
})

export const Workspace = record(
  'Workspace',
  {
    id: Type.String({ description: 'Prefix `ws_`.' }),
    name: Type.String({ description: 'Name shown to its members.' }),
    created_at: DateTime({ description: 'When the workspace was created.' }),
  },
  'A workspace: a group of members, API tokens and sites.',
)

const findWorkspace = prepared('workspaces/records.workspace', (db, id: string) =>
  db.selectFrom('workspaces').selectAll().where('id', '=', id),
)

export const workspace = subject<'workspace', WorkspaceRow>({
  name: 'workspace',
  find: (db, id) => after(findWorkspace(db, id), ([row]) => row && { row, workspaceId: row.id, siteId: null }),
  // Serialises decisions that concern the whole workspace, such as its last owner.
  lock: (db, id) =>
    db
      .updateTable('workspaces')
      .set(({ ref }) => ({ name: ref('name') }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),
})

export function toWorkspace({ id, name, created_at }: WorkspaceRow): Static<typeof Workspace> {
  return { id, name, created_at: iso(created_at) }
}
