/** Checks that the plan of the workspace allows the record that an operation is about to create. */
import { isPermission } from '../table/permissions.ts'
import { type Adding, adding, addsContent } from '../table/quota.ts'
import type { NamedOperation } from '../table/table.ts'
import type { Call } from './call.ts'
import { servicesOf } from './run.ts'

export const usesQuota = ({ adds, effect, access }: NamedOperation): boolean =>
  adds !== undefined || (effect === 'create' && isPermission(access) && addsContent(access))

/** @throws Failure `limit_reached` */
export async function checkQuota(call: Call): Promise<void> {
  const about = addingOf(call)
  if (about) await call.core.emitIn(call.db, call.at)(adding, about)
}

function addingOf(call: Call): Adding | undefined {
  const {
    operation: { adds },
    place: { workspaceId },
  } = call
  if (typeof adds === 'function') return adds(servicesOf(call) as never) // the declaration's own types ensure that this fits
  return workspaceId === undefined ? undefined : { workspaceId, quota: adds }
}
