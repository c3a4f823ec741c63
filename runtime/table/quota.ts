/**
 * Quotas of plans. An operation that uses a quota declares it in its row (`adds`). The runtime calls a hook in the transaction
 * of the write, before the operation runs. The area that knows the plans subscribes to the hook and may refuse.
 */
import type { Permission } from './permissions.ts'
import { hook } from '../events/hook.ts'

/** `invitations`: who is invited counts to the members already, until they come. */
export type Quota = 'sites' | 'members' | 'invitations'

export interface Addition {
  readonly quota: Quota
  readonly workspaceId: string
}

export interface Adding {
  readonly workspaceId: string
  /** Undefined for what no plan counts. */
  readonly quota: Quota | undefined
}

/** Before something is created in a workspace; what is not created by an operation emits it by itself. */
export const adding = hook<Adding>('something is about to be created in a workspace')

/** Members of a workspace that may not grow can still read, pay, and export their data. */
const alwaysAllowed: ReadonlySet<Permission> = new Set(['analytics.read', 'analytics.export', 'billing.manage'])

/** Whether what is created belongs to the content of a workspace. */
export const addsContent = (permission: Permission): boolean => !alwaysAllowed.has(permission)
