/** Exchanges a refresh token for new tokens. */
import { hashCredential } from '../../../runtime/call/credentials.ts'
import { isPermission, type Permission } from '../../../runtime/table/permissions.ts'
import type { OAuthGrantRow } from '../../../storage/tables/oauth.ts'
import { renewToken, revokeToken } from '../tokens/index.ts'
import { endMisused, type Granting, keepClient, listOf, makeRefresh, type Tokens } from './grants.ts'
import { accessMs, connectionMs, grantMs } from './lifetimes.ts'
import { refuse, type Refusal } from './wire-format.ts'
import { ownerOf } from './owner.ts'
import { permissionsIn } from './scope.ts'

export interface Refreshing {
  readonly refresh: string
  readonly clientId: string
  readonly scope: string | undefined
  readonly resource: string | undefined
}

const ended = refuse('invalid_grant', 'The refresh token is no longer valid. Connect again.')

/** Commit its transaction whatever it returns, as with `exchange`. */
export async function refresh(granting: Granting, { refresh, clientId, scope, resource }: Refreshing): Promise<Tokens | Refusal> {
  const { db, now, random } = granting
  const hash = hashCredential(refresh)
  const found = await db
    .selectFrom('oauth_refresh_tokens as r')
    .innerJoin('oauth_grants as g', 'g.token_id', 'r.token_id')
    .innerJoin('api_tokens as t', 't.id', 'r.token_id')
    .selectAll('g')
    .select(['r.used_at', 'r.expires_at as good_until', 't.member_id', 't.revoked_at'])
    .where('r.hash', '=', hash)
    .executeTakeFirst()
  if (!found || found.good_until <= now || found.revoked_at !== null) return ended
  if (found.used_at !== null || found.client_id !== clientId) {
    await endMisused(granting, found.token_id, found.used_at === null ? 'refresh_token_of_another_client' : 'refresh_token_used_again')
    return ended
  }
  if (resource !== undefined && resource !== found.resource)
    return refuse('invalid_target', 'resource must be the resource of the authorization request.')
  const permissions = narrowed(found, scope)
  if (!permissions) return refuse('invalid_scope', 'scope exceeds the granted permissions.')
  const isOver = found.created_at + connectionMs <= now
  if (isOver || !(await ownerOf(db, found.member_id, { bySso: found.by_sso === 1 }))) {
    await revokeToken(db, found.token_id, now)
    return ended
  }
  // First lock the row that all requests with tokens of this grant change, in the same order as the removal of a member.
  const access = await renewToken(db, { random, id: found.token_id, permissions, expiresAt: now + accessMs })
  if (access === undefined) return ended
  const taken = await db
    .updateTable('oauth_refresh_tokens')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('hash')
    .executeTakeFirst()
  if (!taken) {
    await endMisused(granting, found.token_id, 'refresh_token_used_again')
    return ended
  }
  await db
    .updateTable('oauth_grants')
    .set({ expires_at: now + grantMs })
    .where('token_id', '=', found.token_id)
    .execute()
  await keepClient({ db, now }, found.client_id)
  return { access, refresh: await makeRefresh({ db, now, random }, found.token_id), permissions }
}

/** A client may request fewer permissions for a token, never more. */
function narrowed({ permissions }: Pick<OAuthGrantRow, 'permissions'>, scope: string | undefined): readonly Permission[] | undefined {
  const granted = listOf(permissions).filter(isPermission)
  if (scope === undefined || scope.trim() === '') return granted
  const asked = permissionsIn(scope)
  return asked?.every(permission => granted.includes(permission)) ? asked : undefined
}
