import { Type } from '@sinclair/typebox'
import { sql } from 'kysely'
import { failWith } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { Name, Clearable, DateTime, Id, optional, PermissionName, help } from '../../../runtime/table/schema.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { workspace } from '../workspaces/records.ts'
import { narrowedBy, reachFaults } from './grant.ts'
import { issueToken, revokeToken } from './issue.ts'
import { ApiToken, api_token, toApiToken, tokens } from './records.ts'

/** Most sites in a token's restriction; above this, leave it unrestricted. */
const MOST_SITES = 500

export const api_tokens_create = operation({
  route: 'POST /workspaces/{workspace_id}/api_tokens',
  summary: 'Create an API token',
  description:
    'It belongs to the member who makes it and never does more than they may at the time, nor more than the token used ' +
    'here: not other permissions or sites, not from other addresses, not for longer. Its secret is in this answer only.',
  help: 'It is yours, and never does more than you may at the time. Its secret is shown once.',
  access: 'tokens.manage',
  on: workspace,
  effect: 'create',
  input: {
    name: Name({ maxLength: 100, description: 'What the token is for, shown in lists.' }),
    permissions: optional(
      Type.Array(PermissionName(), {
        minItems: 1,
        maxItems: 100,
        description: 'What it may do; only what the caller holds. Left out: all of it.',
        [help]: 'What it may do, of what you may; none checked: all of it.',
      }),
    ),
    site_ids: Type.Array(Id({ description: 'A site.' }), {
      default: [],
      maxItems: MOST_SITES,
      description: 'Restricts it to these sites; empty means all, later ones too.',
    }),
    expires_at: optional(
      Clearable(DateTime(), {
        description: 'When it stops being accepted; empty means never, or when the token used here does.',
        [help]: 'When it stops being accepted; empty: never.',
      }),
    ),
    allowed_ips: Type.Array(Type.String({ format: 'cidr' }), {
      default: [],
      maxItems: 100,
      description: 'Addresses and CIDR ranges it accepts requests from; empty means any, or the addresses of the token used here.',
      [help]: 'Addresses and CIDR ranges it accepts requests from; empty: any.',
    }),
  },
  output: ApiToken,
  secrets: ['token'],
  examples: [
    { summary: 'With all of the caller’s permissions', input: { workspace_id: '{{workspace}}', name: 'Terminal' } },
    {
      summary: 'To read one site, from one network',
      input: {
        workspace_id: '{{workspace}}',
        name: 'Dashboard in the office',
        permissions: ['analytics.read'],
        site_ids: ['{{site}}'],
        allowed_ips: ['203.0.113.0/24'],
        expires_at: '2099-12-31T00:00:00Z',
      },
    },
  ],
  async run({ db, workspace, caller, input, now, random }) {
    const reach = narrowedBy(caller, {
      permissions: input.permissions,
      siteIds: input.site_ids,
      allowedIps: input.allowed_ips,
      expiresAt: input.expires_at ? Date.parse(input.expires_at) : null,
    })
    failWith(await reachFaults(db, { caller, asked: reach, now }))
    const bySso = caller.signedInBy !== undefined
    const grant = { ...reach, workspaceId: workspace.id, memberId: caller.member.memberId, name: input.name, bySso }
    const { row, token } = await issueToken(db, { now, random }, grant)
    return toApiToken({ ...row, owner: caller.member.email }, now, token)
  },
})

export const api_tokens_list = list({
  route: 'GET /workspaces/{workspace_id}/api_tokens',
  summary: 'List API tokens',
  title: 'API tokens',
  place: 'settings',
  description:
    'Their permissions, sites, expiry and last use, newest first, without their secrets. A token restricted to sites ' +
    'sees those that are restricted to the same or fewer.',
  access: 'member',
  on: workspace,
  effect: 'read',
  input: {
    include_revoked: Type.Boolean({ default: false, description: 'Also those that were revoked or have expired.' }),
  },
  of: ApiToken,
  examples: [
    { input: { workspace_id: '{{workspace}}' } },
    { summary: 'With those that ended', input: { workspace_id: '{{workspace}}', include_revoked: true } },
  ],
  async run({ db, workspace, caller, input, now, page }) {
    let query = tokens(db).where('t.workspace_id', '=', workspace.id)
    if (!input.include_revoked) {
      query = query
        .where('t.revoked_at', 'is', null)
        .where(({ or, eb }) => or([eb('t.expires_at', 'is', null), eb('t.expires_at', '>', now)]))
    }
    if (caller.siteIds.length > 0) {
      query = query
        .where('t.site_ids', '!=', '[]')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('sites as s')
                .select('s.id')
                .whereRef('s.workspace_id', '=', 't.workspace_id')
                .where('s.id', 'not in', caller.siteIds)
                .where('t.site_ids', 'like', sql<string>`'%"' || s.id || '"%'`),
            ),
          ),
        )
    }
    const { rows, total } = await pageOf(query.orderBy('t.created_at', 'desc').orderBy('t.id'), page)
    return { rows: rows.map(row => toApiToken(row, now)), total }
  },
})

export const api_tokens_delete = operation({
  route: 'DELETE /workspaces/{workspace_id}/api_tokens/{id}',
  summary: 'Revoke an API token',
  done: 'API token revoked.',
  description:
    'From the next request on it is refused; where an OAuth client has it, that client is disconnected. Revoking it again changes nothing.',
  access: 'tokens.manage',
  on: [workspace, api_token],
  effect: 'delete',
  offered: { status: ['active', 'expired'] },
  input: {},
  output: ApiToken,
  examples: [{ input: { workspace_id: '{{workspace}}', id: '{{token}}' } }],
  async run({ db, api_token, now }) {
    await revokeToken(db, api_token.id, now)
    return toApiToken({ ...api_token, revoked_at: api_token.revoked_at ?? now }, now)
  },
})
