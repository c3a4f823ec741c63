/** Records that were deleted and can be restored. */
import { Type } from '@sinclair/typebox'
import { DateTime, iso, Nullable, OneOf, record, type Static } from '../../../runtime/table/schema.ts'
import { restorableMs } from '../../../runtime/table/restoring.ts'
import type { DeletedRecordRow } from '../../../storage/tables/index.ts'
import { kindNames, kindOf } from './kinds.ts'

export const DeletedRecord = record(
  'DeletedRecord',
  {
    id: Type.String({ description: 'Id of the record, which it gets back.' }),
    kind: OneOf(kindNames, { description: 'Kind of the record.' }),
    name: Type.String({ description: 'Its name; of a note, its text.' }),
    site_id: Nullable(Type.String(), { description: 'Site of the record; null if it belongs to the workspace.' }),
    deleted_at: DateTime({ description: 'When it was deleted.' }),
    deleted_by: Type.String({ description: 'E-mail address of the member who deleted it.' }),
    restorable_until: DateTime({ description: 'From then on, it cannot be restored.' }),
    restore: Type.String({ description: 'Operation that restores it, for example `goals_restore`.' }),
    restore_path: Type.String({ description: 'Path of that operation for this record.' }),
  },
  'A deleted record that can be restored.',
)

/** @returns an empty list for a kind that this version does not know */
export function toDeletedRecord(row: DeletedRecordRow): Static<typeof DeletedRecord>[] {
  const kind = kindOf(row.of)
  if (!kind) return []
  return [
    {
      id: row.id,
      kind: kind.kind as (typeof kindNames)[number],
      name: row.name,
      site_id: row.site_id,
      deleted_at: iso(row.deleted_at),
      deleted_by: row.deleted_by,
      restorable_until: iso(row.deleted_at + restorableMs),
      restore: kind.restore,
      restore_path: `${kind.path({ siteId: row.site_id ?? '', workspaceId: row.workspace_id })}/${row.id}/restore`,
    },
  ]
}
