import type { Db } from '../../../storage/store.ts'
import { isOwnAddress } from './own-address.ts'

interface Membership {
  readonly workspace_id: string
  readonly active: number
  readonly awaited_email: string | null
}

/**
 * Whether a person is shut out of the service: a workspace has deactivated them, and in no workspace are they an active member. Only
 * workspaces count that the person has joined, or that have verified the domain of the address: anyone may add a stranger to a workspace
 * (docs/decisions.md §9).
 */
export async function isShutOut(db: Db, email: string, memberships: readonly Membership[]): Promise<boolean> {
  if (memberships.some(({ active }) => active === 1)) return false
  for (const { workspace_id, awaited_email } of memberships) {
    if (awaited_email === null || (await isOwnAddress(db, workspace_id, email))) return true
  }
  return false
}

/** Whether a membership opens for this account. A membership that an identity provider added requires a proved address. */
export const isOpenTo = (
  { awaited_email }: Pick<Membership, 'awaited_email'>,
  { email_verified_at }: { email_verified_at: number | null },
) => awaited_email === null || email_verified_at !== null
