/** Remote probes: agents that fetch a workspace's checks, probe from their own location, and submit results. */
import { Type } from '@sinclair/typebox'
import { authenticator } from '../../../../runtime/table/authenticator.ts'
import { DateTime, iso, Nullable, OneOf, record, type Static } from '../../../../runtime/table/schema.ts'
import { subject } from '../../../../runtime/table/subject.ts'
import type { ProbeTokenRow } from '../../../../storage/tables/index.ts'
import { UptimeCheck } from '../../../reports/availability/records.ts'

export const ProbeToken = record(
  'ProbeToken',
  {
    id: Type.String({ description: 'A UUID.' }),
    name: Type.String({ description: 'Purpose of the token.' }),
    location: Type.String({ description: 'The location whose results it submits.' }),
    token: Nullable(Type.String(), { description: 'The secret, only in the response that creates it; otherwise null.' }),
    token_prefix: Type.String({ description: 'First characters, to recognize it.' }),
    created_by: Type.String({ description: 'E-mail address of the member who created it.' }),
    status: OneOf(['active', 'revoked'], { description: 'Whether Footfall accepts the token.' }),
    last_used_at: Nullable(DateTime(), { description: 'Time of its last request, to the minute.' }),
    revoked_at: Nullable(DateTime(), { description: 'Time of the revocation.' }),
    created_at: DateTime({ description: 'Creation time.' }),
  },
  'The token of a probe. It may only read the checks of its workspace and submit results of one location.',
)

const { id, kind, url, host, port, keyword, expected_status, accepted_statuses, http_method, interval_seconds, timeout_seconds } =
  UptimeCheck.properties
export const ProbeCheck = record(
  'ProbeCheck',
  {
    id,
    kind,
    url,
    host,
    port,
    keyword,
    expected_status,
    // Only if there are any: agents of before 0.7 refuse a field that they do not know, and would judge such a check wrongly.
    accepted_statuses: Type.Optional(accepted_statuses),
    http_method,
    interval_seconds,
    timeout_seconds,
    watched_since: DateTime({
      description: 'Time at which the check was created, was resumed or got another target; earlier results are refused.',
    }),
  },
  'A check as a probe needs it.',
)

export const ProbeChecks = record(
  'ProbeChecks',
  {
    location: Type.String({ description: 'The location of the token.' }),
    user_agent: Type.String({ description: 'User agent of http and keyword probes.' }),
    checks: Type.Array(ProbeCheck, { description: 'All checks of the workspace that are not paused.' }),
  },
  'The checks of a probe.',
)

export const ProbeLocations = record(
  'ProbeLocations',
  {
    user_agent: Type.String({ description: 'User agent of http and keyword probes.' }),
    locations: Type.Array(
      record(
        'ProbeLocation',
        {
          location: Type.String({ description: 'Name, as in response times and incidents.' }),
          ip_ranges: Type.Array(Type.String(), {
            description: 'Addresses and CIDR ranges of its probes; empty if the operator has set none.',
          }),
        },
        'A location that probes.',
      ),
      {
        description: 'Locations of this installation. Locations of single workspaces are not listed.',
      },
    ),
  },
  'User agent and addresses of probes, for allow-lists.',
)

export const refusals = {
  not_found: 'the workspace of the token has no such check',
  paused: 'the check is paused',
  outdated: 'the check was created, was resumed or got another target since then',
  duplicate: 'a result of this check, location and time exists already',
  too_old: '`checked_at` is more than 10 minutes ago',
  in_future: '`checked_at` is more than 60 seconds ahead',
} as const
export type Refusal = keyof typeof refusals

export const ProbeSubmission = record(
  'ProbeSubmission',
  {
    accepted: Type.Integer({ unit: 'count', description: 'Number of stored results.' }),
    rejected: Type.Array(
      record(
        'ProbeRejection',
        {
          index: Type.Integer({ description: 'Index in `results`, from 0.' }),
          code: OneOf(Object.keys(refusals) as Refusal[], {
            description: `Reason: ${Object.entries(refusals)
              .map(([code, meaning]) => `\`${code}\` ${meaning}`)
              .join('; ')}.`,
          }),
        },
        'A refused result.',
      ),
      { description: 'Refused results; sending them again changes nothing.' },
    ),
  },
  'The outcome of submitted results.',
)

export const probe_token = subject<'probe_token', ProbeTokenRow>({
  name: 'probe_token',
  async find(db, id) {
    const row = await db.selectFrom('probe_tokens').selectAll().where('id', '=', id).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: null }
  },
})

export const probe = authenticator<'probe', ProbeTokenRow>({
  name: 'probe',
  sentAs: { bearer: 'prb_' },
  acceptedBy: 'name',
  find: (db, hash) => db.selectFrom('probe_tokens').selectAll().where('hash', '=', hash).where('revoked_at', 'is', null).executeTakeFirst(),
  callerOf: row => ({
    kind: 'probe',
    credentialId: row.id,
    workspaceId: row.workspace_id,
    permissions: new Set(),
    siteIds: [],
    actor: `probe ${row.location}`,
    member: null,
    expiresAt: null,
    allowedIps: [],
    lastUsedAt: row.last_used_at,
  }),
})

/** @param token the secret, while it may be shown */
export function toProbeToken(row: ProbeTokenRow, token: string | null = null): Static<typeof ProbeToken> {
  return {
    id: row.id,
    name: row.name,
    location: row.location,
    token,
    token_prefix: row.token_prefix,
    created_by: row.created_by,
    status: row.revoked_at === null ? 'active' : 'revoked',
    last_used_at: iso(row.last_used_at),
    revoked_at: iso(row.revoked_at),
    created_at: iso(row.created_at),
  }
}
