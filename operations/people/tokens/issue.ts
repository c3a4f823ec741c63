/** Creates, renews and revokes API tokens of members. The secret is returned and never stored. */
import type { Db } from '../../../storage/store.ts'
import type { TokenRow } from '../../../storage/tables/index.ts'
import { makeUuid } from '../../../runtime/values/ids.ts'
import { hashToken, makeToken, tokenPrefixLength } from '../../../runtime/call/tokens.ts'

export interface TokenGrant {
  readonly workspaceId: string
  readonly memberId: string
  readonly name: string
  readonly permissions: readonly string[]
  readonly siteIds?: readonly string[]
  readonly allowedIps?: readonly string[]
  readonly expiresAt?: number | null
  /** The OAuth client that receives it. */
  readonly oauthClient?: string
  /** Whether it was created in a session of single sign-on, or with a token of such a session. */
  readonly bySso?: boolean
}

export async function issueToken(
  db: Db,
  { now, random }: { now: number; random(size: number): Buffer },
  grant: TokenGrant,
): Promise<{ row: TokenRow; token: string }> {
  const token = makeToken(random, 'pat_')
  const row: TokenRow = {
    id: makeUuid(random(16)),
    workspace_id: grant.workspaceId,
    member_id: grant.memberId,
    name: grant.name,
    hash: hashToken(token),
    token_prefix: token.slice(0, tokenPrefixLength),
    permissions: listed(grant.permissions),
    site_ids: listed(grant.siteIds),
    allowed_ips: listed(grant.allowedIps),
    oauth_client: grant.oauthClient ?? null,
    by_sso: Number(grant.bySso ?? false),
    expires_at: grant.expiresAt ?? null,
    last_used_at: null,
    revoked_at: null,
    created_at: now,
    replaced_by: null,
  }
  await db.insertInto('api_tokens').values(row).execute()
  return { row, token }
}

interface RenewToken {
  readonly random: (size: number) => Buffer
  readonly id: string
  readonly permissions: readonly string[]
  readonly expiresAt: number
}

/**
 * Replaces the secret of a token.
 * @returns undefined if the token was revoked meanwhile
 */
export async function renewToken(db: Db, { random, id, permissions, expiresAt }: RenewToken): Promise<string | undefined> {
  const token = makeToken(random, 'pat_')
  const renewed = await db
    .updateTable('api_tokens')
    .set({
      hash: hashToken(token),
      token_prefix: token.slice(0, tokenPrefixLength),
      permissions: listed(permissions),
      expires_at: expiresAt,
    })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return renewed && token
}

/** @returns whether this call revoked it */
export async function revokeToken(db: Db, id: string, now: number): Promise<boolean> {
  const revoked = await db
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return revoked !== undefined
}

/** Revokes the tokens of a member that were created in sessions of single sign-on. */
export async function revokeTokensBySso(
  { db, now }: { readonly db: Db; readonly now: number },
  { workspaceId, accountId }: { readonly workspaceId: string; readonly accountId: string },
): Promise<void> {
  const own = db.selectFrom('members').select('id').where('workspace_id', '=', workspaceId).where('account_id', '=', accountId)
  await db
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('member_id', 'in', own)
    .where('by_sso', '=', 1)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Serializes the distinct items. */
function listed(items: readonly string[] = []): string {
  return JSON.stringify([...new Set(items)])
}
