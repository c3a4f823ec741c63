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
    name: Type.String({ description: 'What it is for.' }),
    location: Type.String({ description: 'The one location it submits results of.' }),
    token: Nullable(Type.String(), { description: 'The secret itself, in the answer that makes it; null otherwise.' }),
    token_prefix: Type.String({ description: 'Its first characters, to recognise it.' }),
    created_by: Type.String({ description: 'E-mail address of the member who made it.' }),
    status: OneOf(['active', 'revoked'], { description: 'Only an active one is accepted.' }),
    last_used_at: Nullable(DateTime(), { description: 'Its last request, to the minute.' }),
    revoked_at: Nullable(DateTime(), { description: 'When it was revoked.' }),
    created_at: DateTime({ description: 'When it was made.' }),
  },
  'The token of a probe: it reads the checks of its workspace and submits results of one location, and nothing else.',
)

const { id, kind, url, host, port, keyword, expected_status, http_method, interval_seconds, timeout_seconds } = UptimeCheck.properties
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
    http_method,
    interval_seconds,
    timeout_seconds,
    watched_since: DateTime({
      description: 'Results from before are refused: it was made, resumed or aimed elsewhere then.',
    }),
  },
  'A check as a probe needs it.',
)

export const ProbeChecks = record(
  'ProbeChecks',
  {
    location: Type.String({ description: 'The location of the token.' }),
    user_agent: Type.String({ description: 'What probes of http and keyword checks call themselves.' }),
    checks: Type.Array(ProbeCheck, { description: 'Every check of the workspace that is not paused.' }),
  },
  'What a probe has to do.',
)

export const ProbeLocations = record(
  'ProbeLocations',
  {
    user_agent: Type.String({ description: 'What probes of http and keyword checks call themselves.' }),
    locations: Type.Array(
      record(
        'ProbeLocation',
        {
          location: Type.String({ description: 'Name, as response times and incidents have it.' }),
          ip_ranges: Type.Array(Type.String(), {
            description: 'Addresses and CIDR ranges its probes come from; empty where the operator names none.',
          }),
        },
        'A place that probes.',
      ),
      {
        description: 'Where this installation probes from. Probes of single workspaces are not listed.',
      },
    ),
  },
  'For allow-listing: who probes, and from where.',
)

export const refusals = {
  not_found: 'there is no such check in the workspace of the token',
  paused: 'the check is paused',
  outdated: 'the check was made, resumed or aimed elsewhere since',
  duplicate: 'there is a result of this check, location and time already',
  too_old: '`checked_at` is more than 10 minutes ago',
  in_future: '`checked_at` is more than 60 seconds ahead',
} as const
export type Refusal = keyof typeof refusals

export const ProbeSubmission = record(
  'ProbeSubmission',
  {
    accepted: Type.Integer({ unit: 'count', description: 'How many results were kept.' }),
    rejected: Type.Array(
      record(
        'ProbeRejection',
        {
          index: Type.Integer({ description: 'Place in `results`, from 0.' }),
          code: OneOf(Object.keys(refusals) as Refusal[], {
            description: `Why: ${Object.entries(refusals)
              .map(([code, meaning]) => `\`${code}\` ${meaning}`)
              .join('; ')}.`,
          }),
        },
        'A result that was not kept.',
      ),
      { description: 'Those that were not; sending them again changes nothing.' },
    ),
  },
  'What became of submitted results.',
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

/** @param token the secret, as long as it may be shown */
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
