/** The audit entry of a change made without a caller or token: by a command on the machine, or by a service that reports it. */
import type { Trx } from '../../storage/store.ts'
import { auditId, makeId, makeUuid } from '../values/ids.ts'

export interface CommandAudited {
  readonly now: number
  random(size: number): Buffer
  /** Name of the command, `setup`, or of the service. */
  readonly actor: string
  /** The operation that makes the same change through the API. */
  readonly operation: string
  readonly workspaceId: string
  readonly siteId?: string
  readonly subjectId: string | null
  /** How the change arrived, if not by a command. */
  readonly via?: { readonly surface: string; readonly door: string }
  /** Without secrets. */
  readonly input: Readonly<Record<string, unknown>>
}

export async function auditCommand(trx: Trx, { now, random, input, ...entry }: CommandAudited): Promise<void> {
  await trx
    .insertInto('audit_entries')
    .values({
      id: makeId(auditId, now, random(14)),
      workspace_id: entry.workspaceId,
      site_id: entry.siteId ?? null,
      at: now,
      operation: entry.operation,
      subject_id: entry.subjectId,
      actor: entry.actor,
      token_id: null,
      surface: entry.via?.surface ?? 'cli',
      door: entry.via?.door ?? 'command',
      outcome: 'done',
      ip: null,
      request_id: makeUuid(random(16)),
      input: JSON.stringify(input),
    })
    .execute()
}
