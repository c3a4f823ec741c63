/** An invitation: a link by which somebody becomes a member. */
import { type Static, Type } from '@sinclair/typebox'
import { idKind } from '../../../runtime/values/ids.ts'
import { roleNames } from '../../../runtime/table/permissions.ts'
import { among, DateTime, iso, Nullable, OneOf, record } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { InvitationRow } from '../../../storage/tables/workspaces.ts'
import { RoleName } from '../members/records.ts'

export const ids = { invitation: idKind('inv_') }

export const Invitation = record(
  'Invitation',
  {
    id: Type.String({ description: 'Prefix `inv_`.' }),
    email: Type.String({ description: 'Whom it is for.' }),
    role: RoleName,
    status: OneOf(['open', 'expired'], { description: 'An accepted one is gone: there is a member instead.' }),
    url: Nullable(Type.String(), { description: 'The link. Shown once, when it is made or sent again; null otherwise.' }),
    mailed: Type.Boolean({ description: 'Whether this answer sent it by mail: there is a mail server, and a link to send.' }),
    invited_by: Type.String({ description: 'E-mail address of who invited.' }),
    expires_at: DateTime({ description: 'When the link ends: 7 days after it was made.' }),
    created_at: DateTime({ description: 'When it was made.' }),
    updated_at: DateTime({ description: 'When it was last sent.' }),
  },
  'An invitation to a workspace.',
)

export const invitation = subject<'invitation', InvitationRow>({
  name: 'invitation',
  async find(db, id) {
    const row = await db.selectFrom('invitations').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: null }
  },
  // Under the lock of its workspace.
  lock: (db, id) => db.selectFrom('invitations').selectAll().where('id', '=', id).executeTakeFirst(),
})

/** @param url where it may still be shown */
export function toInvitation(
  row: InvitationRow,
  now: number,
  { url = null, mailed = false }: { url?: string | null; mailed?: boolean } = {},
): Static<typeof Invitation> {
  return {
    id: row.id,
    email: row.email,
    role: among(roleNames, row.role),
    status: row.expires_at > now ? 'open' : 'expired',
    url,
    mailed,
    invited_by: row.invited_by,
    expires_at: iso(row.expires_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}
