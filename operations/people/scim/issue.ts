/** Makes the SCIM token of a workspace. Only its hash is stored, so only the return value contains the secret. */
import { makeUuid } from '../../../runtime/values/ids.ts'
import { hashToken, makeToken, tokenPrefixLength } from '../../../runtime/call/tokens.ts'
import type { Db } from '../../../storage/store.ts'
import type { ScimTokenRow } from '../../../storage/tables/scim.ts'

interface TokenServices {
  readonly db: Db
  readonly now: number
  random(size: number): Buffer
}

/** Issues a token and revokes the previous ones: a workspace has one identity provider. The workspace must be locked. */
export async function issueScimToken(
  { db, now, random }: TokenServices,
  { workspaceId, createdBy }: { readonly workspaceId: string; readonly createdBy: string },
): Promise<{ row: ScimTokenRow; token: string }> {
  await revokeScimTokens({ db, now }, workspaceId)
  const token = makeToken(random, 'scim_')
  const row: ScimTokenRow = {
    id: makeUuid(random(16)),
    workspace_id: workspaceId,
    hash: hashToken(token),
    token_prefix: token.slice(0, tokenPrefixLength),
    created_by: createdBy,
    last_used_at: null,
    revoked_at: null,
    created_at: now,
  }
  await db.insertInto('scim_tokens').values(row).execute()
  return { row, token }
}

export async function revokeScimTokens({ db, now }: Pick<TokenServices, 'db' | 'now'>, workspaceId: string): Promise<void> {
  await db
    .updateTable('scim_tokens')
    .set({ revoked_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('revoked_at', 'is', null)
    .execute()
}
