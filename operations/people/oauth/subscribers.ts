import { onHook } from '../../../runtime/subscriber.ts'
import { sso_enforced } from '../sso/index.ts'
import { revokeToken } from '../tokens/index.ts'
import { connected } from './records.ts'

/** Members have to sign in by the company and consent again. Everything else that revokes a member's tokens ends grants by itself. */
export const end_grants = onHook(sso_enforced, async ({ workspaceId }, { db, now }) => {
  const rows = await connected(db, now)
    .where('t.workspace_id', '=', workspaceId)
    .where('g.by_sso', '=', 0)
    .where('m.role', '!=', 'owner')
    .execute()
  for (const { id } of rows) await revokeToken(db, id, now)
})
