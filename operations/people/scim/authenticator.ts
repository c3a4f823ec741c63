/** The token of an identity provider. It belongs to a workspace and to no member. */
import { authenticator } from '../../../runtime/table/authenticator.ts'
import { fail } from '../../../runtime/table/errors.ts'
import type { ScimTokenRow } from '../../../storage/tables/scim.ts'

export const scim = authenticator<'scim', ScimTokenRow>({
  name: 'scim',
  sentAs: { bearer: 'scim_' },
  acceptedBy: 'name',
  async find(db, hash) {
    const row = await db.selectFrom('scim_tokens').selectAll().where('hash', '=', hash).executeTakeFirst()
    if (row && row.revoked_at !== null) fail('token_revoked', 'This SCIM token was revoked or replaced by a newer one.')
    return row
  },
  callerOf: row => ({
    kind: 'scim',
    credentialId: row.id,
    workspaceId: row.workspace_id,
    permissions: new Set(),
    siteIds: [],
    actor: `SCIM ${row.token_prefix}`,
    member: null,
    expiresAt: null,
    allowedIps: [],
    lastUsedAt: row.last_used_at,
  }),
  noteUse: (store, id, { now }) => store.write.updateTable('scim_tokens').set({ last_used_at: now }).where('id', '=', id).execute(),
})
