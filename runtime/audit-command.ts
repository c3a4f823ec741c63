/** The audit entry of a change that a command of the machine makes: there is no caller, and no token. */
import type { Trx } from '../storage/store.ts'
import { auditId, makeId, makeUuid } from './ids.ts'

export interface CommandAudited {
  readonly now: number
  random(size: number): Buffer
  /** The command, `setup`. */
  readonly actor: string
  /** The operation that does the same for a caller. */
  readonly operation: string
  readonly workspaceId: string
  readonly siteId?: string
  readonly subjectId: string
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
      surface: 'cli',
      door: 'command',
      outcome: 'done',
      ip: null,
      request_id: makeUuid(random(16)),
      input: JSON.stringify(input),
    })
    .execute()
}
