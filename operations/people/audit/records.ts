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
    operation: Type.String({ description: 'Id of the operation, for example `sites_update`.' }),
    actor: Type.String({
      description: 'E-mail address of the member at that time; `setup` or `token` for a command of the machine, `Stripe` for a payment.',
    }),
    token_id: Nullable(Type.String(), { description: 'API token of the call.' }),
    subject_id: Nullable(Type.String(), { description: 'Id of the created, changed or deleted record, if it has one.' }),
    site_id: Nullable(Type.String(), { description: 'Site of the record; null if it belongs to the workspace.' }),
    surface: OneOf(surfaces, { description: 'Interface of the call; `cli` is a command on the machine itself.' }),
    door: Type.String({
      description:
        'Credential of the call: `api_token`, `oauth` (the token of an OAuth client), `session` or `scim_token`; at a sign-in `password`, `passkey`, `link` or `sso`; `command` on the machine itself; `stripe` for changes that Stripe reported.',
    }),
    outcome: OneOf(outcomes, { description: '`refused` for a failed sign-in; otherwise `done`.' }),
    ip: Nullable(Type.String(), { description: 'IP address of the caller.' }),
    request_id: Type.String({ description: 'The `X-Request-Id` of the response.' }),
    input: Type.Object({}, { additionalProperties: true, description: 'Input of the call, without secrets.' }),
    changes: Nullable(
      Type.Array(
        Type.Object({
          field: Type.String({ description: 'Name of the field.' }),
          before: Type.Unknown({ description: 'Value before the change.' }),
          after: Type.Unknown({ description: 'Value after it; null if the record was deleted.' }),
        }),
      ),
      { description: 'Changed fields of the record, without secrets; null for entries without a record that could be read before.' },
    ),
  },
  'An entry of the audit log: actor, change, time and credential.',
)

/** Names of the sites of the workspace, by their ids. */
export const siteNames = slot<object, ReadonlyMap<string, string>>('names of sites')

/** Deleted records that can be restored, by id: the path of the operation, and the time of the deletion. */
export const restorableRecords = slot<object, ReadonlyMap<string, { readonly path: string; readonly deletedAt: string }>>(
  'restorable records',
)

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
    changes: row.changes === null ? null : JSON.parse(row.changes),
  }
}
