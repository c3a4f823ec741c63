/** Entries of the audit log, which the runtime writes in the transaction of each change. */
import { Type } from '@sinclair/typebox'
import { among, DateTime, iso, Nullable, OneOf, record, type Static } from '../../../runtime/table/schema.ts'
import { slot } from '../../../runtime/ui/slot.ts'
import type { AuditRow } from '../../../storage/tables/index.ts'

const surfaces = ['http', 'mcp', 'pages', 'cli'] as const
const outcomes = ['done', 'refused'] as const

export const AuditEntry = record(
  'AuditEntry',
  {
    id: Type.String({ description: 'Prefix `aud_`.' }),
    at: DateTime({ description: 'When it happened.' }),
    operation: Type.String({ description: 'Id of the operation, `sites_update`.' }),
    actor: Type.String({
      description: 'E-mail address of the member, as it was then; `setup` or `token` for a command of the machine, `Stripe` for a payment.',
    }),
    token_id: Nullable(Type.String(), { description: 'API token that was used.' }),
    subject_id: Nullable(Type.String(), { description: 'What was made, changed or deleted, where it has an id.' }),
    site_id: Nullable(Type.String(), { description: 'Site it belongs to; null for what belongs to the workspace.' }),
    surface: OneOf(surfaces, { description: 'How the call came in; `cli`: from the machine itself.' }),
    door: Type.String({
      description:
        'What was shown: `api_token`, `oauth` (the token of an OAuth client), `session`, `scim_token`; at a sign-in `password`, `passkey`, `link`, `sso`; `command` on the machine itself, `stripe` for changes that Stripe reported.',
    }),
    outcome: OneOf(outcomes, { description: '`refused` for a sign-in that failed; everything else in here was done.' }),
    ip: Nullable(Type.String(), { description: 'Address it came from.' }),
    request_id: Type.String({ description: 'The `X-Request-Id` of the answer.' }),
    input: Type.Object({}, { additionalProperties: true, description: 'Input of the call, without secrets.' }),
  },
  'An entry of the audit log: who changed what, when and how.',
)

/** Names of the sites of the workspace, by their ids. */
export const siteNames = slot<object, ReadonlyMap<string, string>>('names of sites')

export function toAuditEntry(row: AuditRow): Static<typeof AuditEntry> {
  return {
    id: row.id,
    at: iso(row.at),
    operation: row.operation,
    actor: row.actor,
    token_id: row.token_id,
    subject_id: row.subject_id,
    site_id: row.site_id,
    surface: among(surfaces, row.surface),
    door: row.door,
    outcome: among(outcomes, row.outcome),
    ip: row.ip,
    request_id: row.request_id,
    input: JSON.parse(row.input),
  }
}
