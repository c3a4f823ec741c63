import type { Db } from '../../../storage/store.ts'
import { isOwnAddress } from './own-address.ts'

interface Membership {
  readonly workspace_id: string
  readonly active: number
  readonly awaited_email: string | null
}

/**
 * Whether somebody is kept out of the service: a workspace has deactivated them, and none has them as an active member. Only those have
 * a say that the person has come to, or that have proved the domain of their address: anybody may add a stranger to a workspace
 * (docs/decisions.md §9).
 */
export async function isShutOut(db: Db, email: string, memberships: readonly Membership[]): Promise<boolean> {
  if (memberships.some(({ active }) => active === 1)) return false
  for (const { workspace_id, awaited_email } of memberships) {
    if (awaited_email === null || (await isOwnAddress(db, workspace_id, email))) return true
  }
  return false
}

/** Whether a membership opens to its person: what an identity provider added is for the holder of the address, who has to prove it. */
export const isOpenTo = (
  { awaited_email }: Pick<Membership, 'awaited_email'>,
  { email_verified_at }: { email_verified_at: number | null },
) => awaited_email === null || email_verified_at !== null
