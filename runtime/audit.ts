/** Writes the audit entry of a write in the same transaction. Operations need not declare anything. */
import type { Db } from '../storage/store.ts'
import type { Caller } from './caller.ts'
import type { NamedOperation } from './table.ts'

export interface Audited {
  readonly id: string
  readonly at: number
  readonly operation: NamedOperation
  readonly caller: Caller
  readonly workspaceId: string
  readonly siteId: string | null
  readonly subjectId: string | null
  readonly surface: string
  readonly ip: string
  readonly requestId: string
  readonly input: Readonly<Record<string, unknown>>
}

export async function audit(db: Db, { operation, caller, input, ...entry }: Audited): Promise<void> {
  await db
    .insertInto('audit_entries')
    .values({
      id: entry.id,
      workspace_id: entry.workspaceId,
      site_id: entry.siteId,
      at: entry.at,
      operation: operation.id,
      subject_id: entry.subjectId,
      actor: caller.actor,
      token_id: caller.credentialId,
      surface: entry.surface,
      ip: entry.ip,
      request_id: entry.requestId,
      input: JSON.stringify(redacted(input, operation.secrets)),
    })
    .execute()
}

export function redacted(fields: Readonly<Record<string, unknown>>, secrets: readonly string[]): Record<string, unknown> {
  if (secrets.length === 0) return fields
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, secrets.includes(name) && value !== null ? '[secret]' : value]),
  )
}
