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
    name: Type.String({ description: 'What it is for.' }),
    token: Nullable(Type.String(), { description: 'The secret itself, in the answer that makes it; null otherwise.' }),
    token_prefix: Type.String({ description: 'Its first characters, to recognise it.' }),
    owner: Type.String({ description: 'E-mail address of the member it belongs to.' }),
    permissions: Type.Array(PermissionName(), {
      description: "What it was given; what it may do is this and what the owner's role allows at the time.",
    }),
    site_ids: Type.Array(Type.String(), { description: 'Sites it is restricted to; empty means all.' }),
    allowed_ips: Type.Array(Type.String(), {
      description: 'Addresses and CIDR ranges it accepts requests from; empty means any.',
    }),
    oauth_client: Nullable(Type.String(), { description: 'Id of the OAuth client that received it.' }),
    status: OneOf(['active', 'expired', 'revoked'], { description: 'Only an active one is accepted.' }),
    expires_at: Nullable(DateTime(), { description: 'When it stops being accepted; null means never.' }),
    last_used_at: Nullable(DateTime(), { description: 'Its last request, to the minute.' }),
    revoked_at: Nullable(DateTime(), { description: 'When it was revoked.' }),
    created_at: DateTime({ description: 'When it was made.' }),
  },
  'An API token: what it may do, for which sites, from where and until when.',
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
})

/** @param token the secret, as long as it may be shown */
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
  }
}

function status({ revoked_at, expires_at }: TokenRow, now: number): Static<typeof ApiToken>['status'] {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= now ? 'expired' : 'active'
}

function strings(json: string): string[] {
  return JSON.parse(json) // written by issue.ts
}
