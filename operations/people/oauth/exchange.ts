/** Exchanges an authorization code for tokens (RFC 6749 §4.1.3). */
import { createHash } from 'node:crypto'
import { issueToken } from '../tokens/index.ts'
import { workspace } from '../workspaces/records.ts'
import { hostOf } from './client.ts'
import { exchangedFor, takeCode, workspaceOf } from './codes.ts'
import { endMisused, type Granting, listOf, makeRefresh, type Tokens, writeEntry } from './grants.ts'
import { accessMs, grantMs } from './lifetimes.ts'
import { refuse, type Refusal } from './wire-format.ts'
import { ownerOf } from './owner.ts'

export interface Exchange {
  readonly code: string
  readonly clientId: string
  readonly redirectUri: string
  readonly verifier: string
  readonly resource: string | undefined
}

const unusable = refuse('invalid_grant', 'The code is invalid: it was used before, has expired, or belongs to another client.')

/** Runs in a transaction that commits also if it refuses, because a code can be used only once. */
export async function exchange(
  granting: Granting,
  { code, clientId, redirectUri, verifier, resource }: Exchange,
): Promise<Tokens | Refusal> {
  const { db, now, random } = granting
  const workspaceId = await workspaceOf(db, code)
  // Until the token exists and can be revoked, no member can leave and single sign-on cannot be enforced.
  if (workspaceId !== undefined) await workspace.lock?.(db, workspaceId)
  const taken = await takeCode(db, code, now)
  if (!taken) {
    const tokenId = await exchangedFor(db, code)
    if (tokenId !== null) await endMisused(granting, tokenId, 'code_used_again')
    return unusable
  }
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  if (taken.expires_at <= now || taken.client_id !== clientId || taken.redirect_uri !== redirectUri || taken.challenge !== challenge)
    return unusable
  if (resource !== undefined && resource !== taken.resource)
    return refuse('invalid_target', 'resource must be the resource of the authorization request.')
  const owner = await ownerOf(db, taken.member_id, { bySso: taken.by_sso === 1 })
  if (!owner) return unusable
  const permissions = listOf(taken.permissions)
  const { row, token } = await issueToken(db, granting, {
    workspaceId: owner.workspaceId,
    memberId: owner.memberId,
    name: taken.client_name,
    permissions,
    siteIds: listOf(taken.site_ids),
    expiresAt: now + accessMs,
    oauthClient: clientId,
    bySso: taken.by_sso === 1,
  })
  const host = hostOf(clientId, redirectUri)
  await db
    .insertInto('oauth_grants')
    .values({
      token_id: row.id,
      client_id: clientId,
      client_host: host,
      resource: taken.resource,
      permissions: taken.permissions,
      by_sso: taken.by_sso,
      created_at: now,
      expires_at: now + grantMs,
    })
    .execute()
  await db.updateTable('oauth_codes').set({ token_id: row.id }).where('hash', '=', taken.hash).execute()
  await writeEntry(granting, owner, { operation: 'oauth_token', outcome: 'done', tokenId: row.id, about: { client: host, permissions } })
  return { access: token, refresh: await makeRefresh({ db, now, random }, row.id), permissions }
}
