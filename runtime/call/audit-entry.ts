/** Writes the audit entries. The runtime writes one for every write of an operation; only sign-ins write their own. */
import type { Db } from '../../storage/store.ts'
import type { Caller } from '../table/caller.ts'
import { auditId, makeId } from '../values/ids.ts'
import type { NamedOperation } from '../table/table.ts'

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
  /** Without secrets. */
  readonly changes?: readonly object[] | undefined
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
      door: caller.kind,
      outcome: 'done',
      ip: entry.ip,
      request_id: entry.requestId,
      input: JSON.stringify(redacted(input, operation.secrets)),
      ...(entry.changes && { changes: JSON.stringify(entry.changes) }),
    })
    .execute()
}

/** An action of a person who is not yet a caller, done or refused: for example a sign-in, or a link of a mail. */
export interface PersonAudited {
  readonly now: number
  random(size: number): Buffer
  readonly request: { readonly id: string; readonly ip: string; readonly surface: string }
  readonly operation: string
  readonly accountId: string
  /** The e-mail address of the account. */
  readonly actor: string
  /** The kind of credential: `password`, `passkey`, `link`. */
  readonly door: string
  readonly outcome: 'done' | 'refused'
  readonly subjectId?: string | null
  /** Set if it concerns only one workspace. */
  readonly workspaceId?: string
  /** The parts of the input worth keeping, without secrets. Not called `input`, because a spread of services would then bring all of the input. */
  readonly about?: Readonly<Record<string, unknown>>
}

/** A refused attempt to enter a workspace. */
export interface VisitorAudited extends Omit<PersonAudited, 'accountId' | 'outcome' | 'workspaceId'> {
  readonly workspaceId: string
}

export async function auditRefused(db: Db, { now, random, request, workspaceId, ...entry }: VisitorAudited): Promise<void> {
  await db
    .insertInto('audit_entries')
    .values({
      id: makeId(auditId, now, random(14)),
      workspace_id: workspaceId,
      site_id: null,
      at: now,
      operation: entry.operation,
      subject_id: null,
      actor: entry.actor,
      token_id: null,
      surface: request.surface,
      door: entry.door,
      outcome: 'refused',
      ip: request.ip,
      request_id: request.id,
      input: JSON.stringify(entry.about ?? {}),
    })
    .execute()
}

/** Writes one entry in each workspace whose member the person is and has used, or in the one that it concerns. The member who added a person must not learn where and when that person signs in elsewhere. */
export async function auditPerson(db: Db, { now, random, request, accountId, workspaceId, ...entry }: PersonAudited): Promise<void> {
  const own = db.selectFrom('members').select('workspace_id').where('account_id', '=', accountId)
  const query = workspaceId === undefined ? own.where('awaited_email', 'is', null) : own.where('workspace_id', '=', workspaceId)
  const members = await query.execute()
  if (members.length === 0) return
  await db
    .insertInto('audit_entries')
    .values(
      members.map(({ workspace_id }) => ({
        id: makeId(auditId, now, random(14)),
        workspace_id,
        site_id: null,
        at: now,
        operation: entry.operation,
        subject_id: entry.subjectId ?? null,
        actor: entry.actor,
        token_id: null,
        surface: request.surface,
        door: entry.door,
        outcome: entry.outcome,
        ip: request.ip,
        request_id: request.id,
        input: JSON.stringify(entry.about ?? {}),
      })),
    )
    .execute()
}

export function redacted(fields: Readonly<Record<string, unknown>>, secrets: readonly string[]): Record<string, unknown> {
  if (secrets.length === 0) return fields
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, secrets.includes(name) && value !== null ? '[secret]' : value]),
  )
}
