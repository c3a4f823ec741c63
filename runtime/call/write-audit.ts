/** Writes the audit entry of a call in the transaction of the write. */
import { changesOf } from './audit-changes.ts'
import { audit } from './audit-entry.ts'
import { auditId, makeId } from '../values/ids.ts'
import { workspacesOf } from '../table/caller.ts'
import { isObject } from '../values/json.ts'
import type { Call } from './call.ts'

export async function writeAudit(call: Call): Promise<void> {
  const { core, operation, request, caller, at, input, notes, place, answer, db } = call
  if (!caller) return
  const about = idsIn(answer?.data)
  const { workspaceId: named } = about
  const own = workspacesOf(caller)
  // A change to the caller's own account is recorded in every workspace of the account, unless the answer names the one that
  // it concerns. A record that moves to another workspace is recorded in both.
  const ownNamed = own.filter(id => id === named)
  const workspaces =
    place.workspaceId !== undefined ? [place.workspaceId, named ?? place.workspaceId] : ownNamed.length > 0 ? ownNamed : own
  for (const workspaceId of new Set(workspaces)) {
    await audit(db, {
      id: makeId(auditId, at, core.random(14)),
      at,
      operation,
      caller,
      surface: request.surface,
      ip: request.ip,
      requestId: request.id,
      input: { ...input, ...notes },
      changes: changesOf(call),
      workspaceId,
      siteId: place.siteId ?? about.siteId,
      subjectId: about.id ?? place.id,
    })
  }
}

/** Only the answer has the id of a new record, and the workspace that a record has moved to. */
function idsIn(data: unknown): { id: string | null; siteId: string | null; workspaceId: string | null } {
  const field = (name: string): string | null => {
    const value = isObject(data) && name in data ? data[name] : null
    return typeof value === 'string' ? value : null
  }
  return { id: field('id'), siteId: field('site_id'), workspaceId: field('workspace_id') }
}
