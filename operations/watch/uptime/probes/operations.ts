import { m } from '../messages.ts'
import { fieldTerm } from '../../../../runtime/texts/message.ts'
import { Type } from '@sinclair/typebox'
import { failWith } from '../../../../runtime/table/errors.ts'
import { makeUuid } from '../../../../runtime/values/ids.ts'
import { bounds } from '../../../../runtime/table/caller.ts'
import { plain } from '../../../../runtime/table/answer-kinds.ts'
import { list, operation } from '../../../../runtime/table/operation.ts'
import { Name, iso } from '../../../../runtime/table/schema.ts'
import { hashToken, makeToken, tokenPrefixLength } from '../../../../runtime/call/tokens.ts'
import { pageOf } from '../../../../storage/sql/page.ts'
import { workspace } from '../../../people/workspaces/records.ts'
import { userAgentOf } from '../probing/user-agent.ts'
import { probe, probe_token, ProbeChecks, ProbeLocations, ProbeSubmission, ProbeToken, toProbeToken } from './records.ts'
import { foreignLocation, ProbeResult, submitResults } from './submit.ts'
import { PROBE_LOCATION, PROBE_RANGES } from '../settings.ts'

const httpOnly = { surfaces: ['http'] } as const
const ofCheck = { check_id: '{{check}}', location: 'fra1', checked_at: '2026-03-10T12:00:00Z' }

export const uptime_probes_list = operation({
  route: 'GET /uptime/probes',
  summary: 'List locations of probes',
  description: 'Locations, user agent and addresses of the probes of this installation, for allow-lists.',
  access: 'public',
  ...httpOnly,
  answers: plain,
  effect: 'read',
  input: {},
  output: ProbeLocations,
  examples: [{ input: {} }],
  run: async ({ config }) => ({
    user_agent: userAgentOf(config.BASE_URL),
    locations: [{ location: config.of(PROBE_LOCATION), ip_ranges: [...config.of(PROBE_RANGES)] }],
  }),
})

export const uptime_probes_checks = operation({
  route: 'GET /uptime/probes/checks',
  summary: 'List the checks of a probe',
  description: 'All checks of the workspace that are not paused. With `If-None-Match`, an unchanged list returns 304.',
  access: 'public',
  credential: probe,
  ...httpOnly,
  answers: plain,
  effect: 'read',
  input: {},
  output: ProbeChecks,
  examples: [{ input: {} }],
  async run({ db, probe, config }) {
    const rows = await db
      .selectFrom('uptime_checks')
      .select(['id', 'kind', 'url', 'host', 'port', 'keyword', 'expected_status', 'accepted_statuses', 'http_method'])
      .select(['interval_seconds', 'timeout_seconds', 'watched_since'])
      .where('workspace_id', '=', probe.workspace_id)
      .where('status', '!=', 'paused')
      .orderBy('id')
      .execute()
    return {
      location: probe.location,
      user_agent: userAgentOf(config.BASE_URL),
      checks: rows.map(({ accepted_statuses, ...row }) => ({
        ...row,
        ...(accepted_statuses !== '[]' && { accepted_statuses: JSON.parse(accepted_statuses) }),
        watched_since: iso(row.watched_since),
      })),
    }
  },
})

export const uptime_probes_results = operation({
  route: 'POST /uptime/probes/results',
  summary: 'Submit results of a probe',
  description:
    'Accepts results from 10 minutes ago to 60 seconds ahead. If a result names another location than the token’s, all are refused with 403.',
  access: 'public',
  credential: probe,
  ...httpOnly,
  answers: plain,
  effect: 'update',
  unaudited: true,
  denies: ({ probe, input }) => foreignLocation(probe, input.results),
  input: { results: Type.Array(ProbeResult, { maxItems: 500, description: 'Results, in any order.' }) },
  output: ProbeSubmission,
  examples: [
    { input: { results: [{ ...ofCheck, ok: true, status_code: 200, response_ms: 87 }] } },
    { summary: 'A failure', input: { results: [{ ...ofCheck, ok: false, error: 'timeout' }] } },
  ],
  run: ({ probe, input, ...services }) => submitResults(services, probe, input.results),
})

export const probe_tokens_create = operation({
  route: 'POST /workspaces/{workspace_id}/uptime/probe_tokens',
  summary: 'Create a probe token',
  description:
    'For `npm run probe` on another machine: it probes every check of the workspace, ' +
    'and counts as one more location. Requires `analytics.read` and `uptime.manage`, because a probe reads all checks and decides their state. ' +
    'Only this response contains the secret.',
  help: 'For `npm run probe` on another machine: it probes every check of the workspace, and counts as one more location. Its secret is shown once.',
  access: 'workspace.manage',
  needs: ['analytics.read', 'uptime.manage'],
  denies: ({ caller }) => bounds(caller),
  on: workspace,
  ...httpOnly,
  effect: 'create',
  input: {
    location: Type.String({
      maxLength: 64,
      pattern: '^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$',
      description:
        'Name of the location, for example `fra1`: lower-case letters, digits and dashes. ' +
        'To replace a token, create another one with the same location.',
    }),
    name: Name({ default: 'Probe', maxLength: 100, description: 'Purpose of the token.' }),
  },
  output: ProbeToken,
  secrets: ['token'],
  examples: [{ input: { workspace_id: '{{workspace}}', location: 'fra1', name: 'Frankfurt' } }],
  async run({ db, workspace, caller, config, input, now, random }) {
    if (input.location === config.of(PROBE_LOCATION)) {
      failWith([
        {
          pointer: '/location',
          code: 'mismatch',
          message: m.own_location({ field: fieldTerm('location'), location: config.of(PROBE_LOCATION) }),
        },
      ])
    }
    const token = makeToken(random, 'prb_')
    const row = {
      id: makeUuid(random(16)),
      workspace_id: workspace.id,
      name: input.name,
      location: input.location,
      hash: hashToken(token),
      token_prefix: token.slice(0, tokenPrefixLength),
      created_by: caller.member.email,
      last_used_at: null,
      revoked_at: null,
      created_at: now,
    }
    await db.insertInto('probe_tokens').values(row).execute()
    return toProbeToken(row, token)
  },
})

export const probe_tokens_list = list({
  route: 'GET /workspaces/{workspace_id}/uptime/probe_tokens',
  summary: 'List probe tokens',
  empty: {
    says: 'A probe on another of your machines checks from there. Its token lets it in.',
    like: [
      ['fra1', 'active'],
      ['nyc1', 'active'],
    ],
  },
  title: 'Probe tokens',
  place: 'integrations',
  description: 'Newest first, without their secrets.',
  access: 'workspace.manage',
  on: workspace,
  ...httpOnly,
  effect: 'read',
  input: { include_revoked: Type.Boolean({ default: false, description: 'Whether to include revoked tokens.' }) },
  of: ProbeToken,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, workspace, input, page }) {
    let query = db.selectFrom('probe_tokens').selectAll().where('workspace_id', '=', workspace.id)
    if (!input.include_revoked) query = query.where('revoked_at', 'is', null)
    const { rows, total } = await pageOf(query.orderBy('created_at', 'desc').orderBy('id'), page)
    return { rows: rows.map(row => toProbeToken(row)), total }
  },
})

export const probe_tokens_delete = operation({
  route: 'DELETE /workspaces/{workspace_id}/uptime/probe_tokens/{id}',
  summary: 'Revoke a probe token',
  done: 'Probe token revoked.',
  description: 'Refuses the token from its next request on. Repeating it changes nothing.',
  access: 'workspace.manage',
  on: [workspace, probe_token],
  ...httpOnly,
  effect: 'delete',
  offered: { status: ['active'] },
  input: {},
  output: ProbeToken,
  examples: [{ input: { workspace_id: '{{workspace}}', id: '{{probe_token}}' } }],
  async run({ db, probe_token, now }) {
    await db.updateTable('probe_tokens').set({ revoked_at: now }).where('id', '=', probe_token.id).where('revoked_at', 'is', null).execute()
    return toProbeToken({ ...probe_token, revoked_at: probe_token.revoked_at ?? now })
  },
})
