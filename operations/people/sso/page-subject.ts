import { type Caller, callerIn, maySee } from '../../../runtime/table/caller.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { isPlausibleId } from '../../../runtime/values/ids.ts'
import type { Db } from '../../../storage/store.ts'
import { type Configured, configured } from './records.ts'
import { m } from './messages.ts'

/** Finds the workspace of a page for a person who manages it. @throws Failure as an operation does */
export async function findSubject(db: Db, visitor: Caller | undefined, id: string): Promise<Configured> {
  const found = isPlausibleId(id) ? await configured.find(db, id) : undefined
  const caller = visitor && callerIn(visitor, id)
  if (!found || !caller || !maySee(caller, id, null)) return fail('not_found')
  if (!caller.permissions.has('workspace.manage')) fail('permission_denied', m.needs_permission({ permission: 'workspace.manage' }))
  return found.row
}
