/** An API token without its secret. */
import { Type } from '@sinclair/typebox'
import { isPermission } from '../../../runtime/table/permissions.ts'
import { DateTime, iso, Nullable, OneOf, PermissionName, record, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { Db } from '../../../storage/store.ts'
import type { TokenRow } from '../../../storage/tables/index.ts'

export const ApiToken = record(
  'ApiToken',
  {
    id: Type.String({ description: 'A UUID.' }),
    name: Type.String({ description: 'Purpose of the token.' }),
    token: Nullable(Type.String(), { description: 'The secret, only in the response that creates or rotates the token; null otherwise.' }),
    token_prefix: Type.String({ description: 'First characters of the secret, to recognize the token.' }),
    owner: Type.String({ description: 'E-mail address of the member to whom the token belongs.' }),
    permissions: Type.Array(PermissionName(), {
      description: "Granted permissions. The token can use those that the owner's role also allows at the time of a call.",
    }),
    site_ids: Type.Array(Type.String(), { description: 'Sites that the token is restricted to. Empty: all.' }),
    allowed_ips: Type.Array(Type.String(), {
      description: 'IP addresses and CIDR ranges that the token is accepted from. Empty: any.',
    }),
    oauth_client: Nullable(Type.String(), { description: 'Id of the OAuth client that received the token.' }),
    status: OneOf(['active', 'expired', 'revoked'], { description: 'Only an active token is accepted.' }),
    expires_at: Nullable(DateTime(), { description: 'When the token expires. Null: never.' }),
    last_used_at: Nullable(DateTime(), { description: 'Time of its last request, to the minute.' }),
    revoked_at: Nullable(DateTime(), { description: 'When the token was revoked.' }),
    created_at: DateTime({ description: 'When the token was created.' }),
    replaced_by: Nullable(Type.String(), { description: 'Id of the token with the new secret, if this one was rotated.' }),
  },
  'An API token, with its permissions, sites, addresses and expiry.',
)

export type OwnedToken = TokenRow & { owner: string }

export function tokens(db: Db) {
  return db
    .selectFrom('api_tokens as t')
    .innerJoin('members as m', 'm.id', 't.member_id')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .selectAll('t')
    .select('a.email as owner')
}

export const api_token = subject<'api_token', OwnedToken>({
  name: 'api_token',
  async find(db, id) {
    const row = await tokens(db).where('t.id', '=', id).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: null }
  },
  async lock(db, id) {
    // An update that changes nothing locks the row on both engines; SQLite has no FOR UPDATE.
    await db
      .updateTable('api_tokens')
      .set(({ ref }) => ({ name: ref('name') }))
      .where('id', '=', id)
      .execute()
    return tokens(db).where('t.id', '=', id).executeTakeFirst()
  },
})

/** @param token the secret, only when the response may show it */
export function toApiToken(row: OwnedToken, now: number, token: string | null = null): Static<typeof ApiToken> {
  return {
    id: row.id,
    name: row.name,
    token,
    token_prefix: row.token_prefix,
    owner: row.owner,
    permissions: strings(row.permissions).filter(isPermission),
    site_ids: strings(row.site_ids),
    allowed_ips: strings(row.allowed_ips),
    oauth_client: row.oauth_client,
    status: status(row, now),
    expires_at: iso(row.expires_at),
    last_used_at: iso(row.last_used_at),
    revoked_at: iso(row.revoked_at),
    created_at: iso(row.created_at),
    replaced_by: row.replaced_by,
  }
}

export function status({ revoked_at, expires_at }: TokenRow, now: number): Static<typeof ApiToken>['status'] {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= now ? 'expired' : 'active'
}

export function strings(json: string): string[] {
  return JSON.parse(json) // written by issue.ts
}
