/** An invitation: a link with which a person becomes a member. */
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
    email: Type.String({ description: 'Address that was invited.' }),
    role: RoleName,
    status: OneOf(['open', 'expired'], {
      description: 'Whether the link is still valid. An accepted invitation no longer exists; the member does.',
    }),
    url: Nullable(Type.String(), { description: 'The link. Returned only when the invitation is created or sent again; null otherwise.' }),
    mailed: Type.Boolean({ description: 'Whether this call mailed the invitation: there is a mail server, and a link to send.' }),
    invited_by: Type.String({ description: 'E-mail address of the member who sent the invitation.' }),
    expires_at: DateTime({ description: 'When the link expires: 7 days after it was created or sent again.' }),
    created_at: DateTime({ description: 'When the invitation was created.' }),
    updated_at: DateTime({ description: 'When the invitation was last sent.' }),
  },
  'An invitation to a workspace.',
)

export const invitation = subject<'invitation', InvitationRow>({
  name: 'invitation',
  calledBy: 'email',
  async find(db, id) {
    const row = await db.selectFrom('invitations').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: null }
  },
  // Read under the lock of its workspace.
  lock: (db, id) => db.selectFrom('invitations').selectAll().where('id', '=', id).executeTakeFirst(),
})

/** @param url the link, only when the response may show it */
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
