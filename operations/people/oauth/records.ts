/** A connected client: a member's consent as a record. */
import { Type } from '@sinclair/typebox'
import { isPermission } from '../../../runtime/table/permissions.ts'
import { DateTime, iso, Nullable, PermissionName, record, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { Db } from '../../../storage/store.ts'

export const ConnectedClient = record(
  'ConnectedClient',
  {
    id: Type.String({ description: 'UUID of its access token, as in the audit log.' }),
    name: Type.String({ description: 'Name that the client gave itself.' }),
    host: Type.String({ description: 'Host of its id; otherwise, host of its redirect URI.' }),
    client_id: Type.String({ description: 'Id of the client.' }),
    owner: Type.String({ description: 'E-mail address of the member who connected it.' }),
    permissions: Type.Array(PermissionName(), {
      description: "Granted permissions. The client may use those that the member's role also allows at the time of a call.",
    }),
    site_ids: Type.Array(Type.String(), { description: 'Sites that the client is restricted to. Empty: all.' }),
    last_used_at: Nullable(DateTime(), { description: 'Time of its last request, to the minute.' }),
    expires_at: DateTime({ description: 'When the connection expires unless it is used before: 30 days after its last token renewal.' }),
    created_at: DateTime({ description: 'When the client was connected.' }),
  },
  'An OAuth client that a member has connected.',
)

/** Grants that can still renew their token. */
export function connected(db: Db, now: number) {
  return grants(db).where('t.revoked_at', 'is', null).where('g.expires_at', '>', now)
}

function grants(db: Db) {
  return db
    .selectFrom('oauth_grants as g')
    .innerJoin('api_tokens as t', 't.id', 'g.token_id')
    .innerJoin('members as m', 'm.id', 't.member_id')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .select([
      't.id',
      't.workspace_id',
      't.member_id',
      't.name',
      'g.client_host',
      'g.client_id',
      'g.permissions',
      't.site_ids',
      't.last_used_at',
      't.revoked_at',
      'g.expires_at',
      'g.created_at',
      'a.email as owner',
    ])
}

export type ConnectedRow = Awaited<ReturnType<ReturnType<typeof grants>['execute']>>[number]

export const connected_client = subject<'connected_client', ConnectedRow>({
  name: 'connected_client',
  async find(db, id) {
    const row = await grants(db).where('t.id', '=', id).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: null }
  },
})

export function toConnectedClient(row: ConnectedRow): Static<typeof ConnectedClient> {
  return {
    id: row.id,
    name: row.name,
    host: row.client_host,
    client_id: row.client_id,
    owner: row.owner,
    permissions: listOf(row.permissions).filter(isPermission),
    site_ids: listOf(row.site_ids),
    last_used_at: iso(row.last_used_at),
    expires_at: iso(row.expires_at),
    created_at: iso(row.created_at),
  }
}

function listOf(json: string): string[] {
  return JSON.parse(json) // written as a list of strings
}
