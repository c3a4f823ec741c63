/**
 * Checks permissions that depend on the rows and the input: the declaration's functions `role`, `reach` and `denies`.
 * They are checked again when a request is repeated.
 */
import { fail } from '../table/errors.ts'
import type { Reach } from '../table/access.ts'
import type { Call } from './call.ts'
import { missingRole } from './missing-role.ts'
import { servicesOf } from './run.ts'
import { m } from './messages.ts'

/** @throws Failure `permission_denied` */
export function checkRights(call: Call): void {
  const {
    operation: { role, reach, denies },
    caller,
  } = call
  const services = servicesOf(call) as never // the declaration's own types ensure that this fits
  const needed = typeof role === 'function' ? role(services) : undefined
  const missing = needed && missingRole(caller, needed)
  if (missing) fail('permission_denied', missing.message)
  if (typeof reach === 'function' && caller && !reaches(caller.siteIds, reach(services))) {
    fail('permission_denied', m.beyond_sites())
  }
  const reason = denies?.(services)
  if (reason !== undefined) fail('permission_denied', reason)
}

function reaches(siteIds: readonly string[], reach: Reach): boolean {
  return siteIds.length === 0 || (reach !== 'workspace' && reach.every(site => siteIds.includes(site)))
}
