/** Ends access that former credentials gave, after a change of a password, second factor, passkey or address. */
import type { Db } from '../../../storage/store.ts'
import { endLinks } from '../links/index.ts'
import { endSessions } from './start.ts'

/**
 * Ends other sessions, sign-ins that wait for a code, and links that set a password. The session of the caller continues: its secret
 * is at most ten minutes old (`fresh`), or was replaced by this change (`proof`).
 */
export async function factorsChanged(
  { db }: { readonly db: Db },
  { member, credentialId }: { readonly member: { readonly accountId: string }; readonly credentialId: string },
): Promise<void> {
  await endSessions(db, member.accountId, { except: credentialId })
  await endLinks(db, { accountId: member.accountId, which: ['reset', 'set_up', 'second_factor'] })
}
