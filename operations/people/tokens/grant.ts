/** Limits a new token to the reach of the caller: permissions, sites, addresses and expiry. */
import { type Caller, isWithin } from '../../../runtime/table/caller.ts'
import type { DetailCode, Fault } from '../../../runtime/table/errors.ts'
import type { Permission } from '../../../runtime/table/permissions.ts'
import type { Db } from '../../../storage/store.ts'
import { m } from './messages.ts'
import { type Message, timeTerm } from '../../../runtime/texts/message.ts'

export interface Reach {
  readonly permissions: readonly Permission[]
  /** Empty: all. */
  readonly siteIds: readonly string[]
  /** Empty: any. */
  readonly allowedIps: readonly string[]
  /** Epoch ms; null: never. */
  readonly expiresAt: number | null
}

/** The widest token that the caller can create. */
export function reachOf({ permissions, siteIds, allowedIps, expiresAt }: Caller): Reach {
  return { permissions: [...permissions], siteIds, allowedIps, expiresAt }
}

/** Returns the requested reach, completed with the caller's for everything that is left out. */
export function narrowedBy(caller: Caller, asked: Partial<Reach>): Reach {
  const own = reachOf(caller)
  return {
    permissions: asked.permissions ?? own.permissions,
    siteIds: asked.siteIds?.length ? asked.siteIds : own.siteIds,
    allowedIps: asked.allowedIps?.length ? asked.allowedIps : own.allowedIps,
    expiresAt: asked.expiresAt ?? own.expiresAt,
  }
}

/** Faults of the input for everything that exceeds the caller's reach. */
export async function reachFaults(db: Db, { caller, asked, now }: { caller: Caller; asked: Reach; now: number }): Promise<Fault[]> {
  return [
    ...permissionFaults(caller, asked.permissions),
    ...(await siteFaults(db, caller, asked.siteIds)),
    ...addressFaults(caller, asked.allowedIps),
    ...expiryFaults(caller, asked.expiresAt, now),
  ]
}

function permissionFaults(caller: Caller, wanted: readonly Permission[]): Fault[] {
  return faultsAt({
    list: 'permissions',
    items: wanted,
    holds: name => caller.permissions.has(name),
    fault: name => ({
      code: 'permission_required',
      message: m.permission_not_held({ name }),
    }),
  })
}

async function siteFaults(db: Db, caller: Caller, wanted: readonly string[]): Promise<Fault[]> {
  if (wanted.length === 0) return []
  // Selected by workspace, because client-supplied ids may contain characters that a database refuses.
  const sites = await db
    .selectFrom('sites')
    .select('id')
    .where('workspace_id', '=', caller.workspaceId)
    .where('domain', 'is not', null)
    .where('deleted_at', 'is', null)
    .execute()
  const known = new Set(sites.map(site => site.id))
  const seen = (id: string) => known.has(id) && (caller.siteIds.length === 0 || caller.siteIds.includes(id))
  return faultsAt({ list: 'site_ids', items: wanted, holds: seen, fault: () => ({ code: 'not_found', message: m.no_such_site() }) })
}

function addressFaults({ allowedIps }: Caller, wanted: readonly string[]): Fault[] {
  const given = (range: string) => allowedIps.length === 0 || isWithin(range, allowedIps)
  return faultsAt({
    list: 'allowed_ips',
    items: wanted,
    holds: given,
    fault: range => ({
      code: 'permission_required',
      message: m.address_not_held({ range }),
    }),
  })
}

export function expiryFaults(caller: Caller, expiresAt: number | null, now: number): Fault[] {
  if (expiresAt === null) return []
  if (expiresAt <= now) return [expiryFault('too_small', m.expiry_after_now({ now: timeTerm(now) }))]
  const isLater = caller.expiresAt !== null && expiresAt > caller.expiresAt
  return isLater ? [expiryFault('too_large', m.expiry_within_token({ limit: timeTerm(caller.expiresAt) }))] : []
}

function expiryFault(code: DetailCode, message: Message): Fault {
  return { pointer: '/expires_at', code, message }
}

function faultsAt<T>({
  list,
  items,
  holds,
  fault,
}: {
  list: string
  items: readonly T[]
  holds: (item: T) => boolean
  fault: (item: T) => Omit<Fault, 'pointer'>
}): Fault[] {
  return items.flatMap((item, i) => (holds(item) ? [] : [{ ...fault(item), pointer: `/${list}/${i}` }]))
}
