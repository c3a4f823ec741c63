/** Writes the audit entry of a call in the transaction of the write. */
import { audit } from '../audit.ts'
import { auditId, makeId } from '../ids.ts'
import { workspacesOf } from '../caller.ts'
import { isObject } from '../json.ts'
import type { Call } from './call.ts'

export async function writeAudit({ core, operation, request, caller, at, input, place, answer, db }: Call): Promise<void> {
  if (!caller) return
  const about = idAndSite(answer?.data)
  // What a person does to their own account is of interest in every workspace that they can enter by it.
  for (const workspaceId of place.workspaceId === undefined ? workspacesOf(caller) : [place.workspaceId]) {
    await audit(db, {
      id: makeId(auditId, at, core.random(14)),
      at,
      operation,
      caller,
      surface: request.surface,
      ip: request.ip,
      requestId: request.id,
      input,
      workspaceId,
      siteId: place.siteId ?? about.siteId,
      subjectId: about.id ?? place.id,
    })
  }
}

/** The id of a new record is only in the answer. */
function idAndSite(data: unknown): { id: string | null; siteId: string | null } {
  const field = (name: string): unknown => (isObject(data) && name in data ? data[name] : null)
  const [id, siteId] = [field('id'), field('site_id')]
  return { id: typeof id === 'string' ? id : null, siteId: typeof siteId === 'string' ? siteId : null }
}
