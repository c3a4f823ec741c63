/** Checks that members grant tokens only what they have or see themselves. Each function returns the input's faults. */
import type { Caller } from '../../../runtime/caller.ts'
import type { Fault } from '../../../runtime/errors.ts'
import type { Permission } from '../../../runtime/permissions.ts'
import type { Db } from '../../../storage/store.ts'

export function permissionFaults(caller: Caller, wanted: readonly Permission[]): Fault[] {
  return faultsAt(
    'permissions',
    wanted,
    name => caller.permissions.has(name),
    name => ({
      code: 'permission_required',
      message: `The token used here does not hold ${name}, so it cannot give it.`,
    }),
  )
}

export async function siteFaults(db: Db, caller: Caller, wanted: readonly string[]): Promise<Fault[]> {
  if (wanted.length === 0) return []
  // Selected by workspace, since ids from outside may contain characters that a database refuses.
  const sites = await db
    .selectFrom('sites')
    .select('id')
    .where('workspace_id', '=', caller.workspaceId)
    .where('deleted_at', 'is', null)
    .execute()
  const known = new Set(sites.map(site => site.id))
  const seen = (id: string) => known.has(id) && (caller.siteIds.length === 0 || caller.siteIds.includes(id))
  return faultsAt('site_ids', wanted, seen, () => ({ code: 'not_found', message: 'There is no such site.' }))
}

export function expiryFaults(expiresAt: number | null, now: number): Fault[] {
  if (expiresAt === null || expiresAt > now) return []
  return [
    {
      pointer: '/expires_at',
      code: 'too_small',
      message: `expires_at must be after now, ${new Date(now).toISOString()}.`,
    },
  ]
}

function faultsAt<T>(list: string, items: readonly T[], holds: (item: T) => boolean, fault: (item: T) => Omit<Fault, 'pointer'>): Fault[] {
  return items.flatMap((item, i) => (holds(item) ? [] : [{ ...fault(item), pointer: `/${list}/${i}` }]))
}
