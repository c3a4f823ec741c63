import { Type } from '@sinclair/typebox'
import { sql } from 'kysely'
import { failWith } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { Name, Clearable, DateTime, Id, optional, PermissionName, help } from '../../../runtime/table/schema.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { workspace } from '../workspaces/records.ts'
import { narrowedBy, reachFaults } from './grant.ts'
import { issueToken, revokeToken } from './issue.ts'
import { ApiToken, api_token, toApiToken, tokens } from './records.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'

/** Largest number of sites that a token can be restricted to. For more, leave the token unrestricted. */
const MAX_SITES = 500
/** Hours, 30 days. */
const MAX_OVERLAP = 720

export const api_tokens_create = operation({
  route: 'POST /workspaces/{workspace_id}/api_tokens',
  summary: 'Create an API token',
  description:
    'The token belongs to the member who creates it. It never has more permissions than that member has at the time of a call, nor more than the ' +
    'calling token: no other permissions or sites, no other addresses, no later expiry. Only this response contains the secret.',
  help: 'The token belongs to you and never has more permissions than you have at the time of a call. Its secret is shown once.',
  access: 'tokens.manage',
  on: workspace,
  effect: 'create',
  input: {
    name: Name({ maxLength: 100, description: 'Purpose of the token, shown in lists.' }),
    permissions: optional(
      Type.Array(PermissionName(), {
        minItems: 1,
        maxItems: 100,
        description: 'Permissions of the token, at most those of the caller. Defaults to all of them.',
        [help]: 'Permissions of the token, among yours.',
      }),
    ),
    site_ids: Type.Array(Id({ description: 'A site.' }), {
      default: [],
      maxItems: MAX_SITES,
      description: 'Restricts the token to these sites. Empty: all sites, including later ones.',
    }),
    expires_at: optional(
      Clearable(DateTime(), {
        description: 'When the token expires. Empty: never, or with the calling token.',
        [help]: 'When the token expires. Empty: never.',
      }),
    ),
    allowed_ips: Type.Array(Type.String({ format: 'cidr' }), {
      default: [],
      maxItems: 100,
      description: 'IP addresses and CIDR ranges that the token is accepted from. Empty: any, or those of the calling token.',
      [help]: 'IP addresses and CIDR ranges that the token is accepted from. Empty: any.',
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

export const api_tokens_rotate = operation({
  route: 'POST /workspaces/{workspace_id}/api_tokens/{id}/rotate',
  summary: 'Rotate an API token',
  label: 'Rotate',
  description:
    'Creates a token with the same settings and a new secret, which only this response contains. The former token ends after `overlap_hours`. ' +
    'Only its owner can rotate it, with at least its permissions.',
  help: 'A new token with the same permissions replaces it. Both are accepted during the overlap, so that programs can change over.',
  access: 'tokens.manage',
  on: [workspace, locked(api_token)],
  effect: 'create',
  offered: { status: ['active'], replaced_by: [null], oauth_client: [null] },
  input: {
    overlap_hours: Type.Integer({
      default: 24,
      minimum: 0,
      maximum: MAX_OVERLAP,
      unit: 'hours',
      description: 'How long the former token is still accepted, in hours. 0: it ends at once.',
    }),
    expires_at: optional(
      Clearable(DateTime(), {
        description: 'When the new token expires. Empty: when the former would have, or with the calling token.',
        [help]: 'When the new token expires. Empty: when the former would have.',
      }),
    ),
  },
  output: ApiToken,
  secrets: ['token'],
  examples: [
    { summary: 'With a day to change over', input: { workspace_id: '{{workspace}}', id: '{{own_token}}' } },
    { summary: 'At once, because the secret leaked', input: { workspace_id: '{{workspace}}', id: '{{own_token}}', overlap_hours: 0 } },
  ],
  async run({ db, api_token, caller, input, now, random }) {
    const { rotateToken } = await import('./rotate.ts')
    const asked = {
      caller,
      now,
      random,
      overlapMs: input.overlap_hours * HOUR_MS,
      expiresAt: input.expires_at ? Date.parse(input.expires_at) : null,
    }
    const { row, token } = await rotateToken(db, api_token, asked)
    return toApiToken(row, now, token)
  },
})

export const api_tokens_list = list({
  route: 'GET /workspaces/{workspace_id}/api_tokens',
  summary: 'List API tokens',
  title: 'API tokens',
  place: 'programs',
  description:
    'Permissions, sites, expiry and last use, newest first, without secrets. A token restricted to sites ' +
    'sees only tokens that are restricted to the same or fewer sites.',
  access: 'member',
  on: workspace,
  effect: 'read',
  input: {
    include_revoked: Type.Boolean({ default: false, description: 'Includes revoked and expired tokens.' }),
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
    'Footfall refuses the token from then on. If an OAuth client received it, that client is disconnected. Revoking it again has no effect.',
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
