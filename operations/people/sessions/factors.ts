/** Follows every change of a password, a second factor, a passkey or an address. */
import type { Db } from '../../../storage/store.ts'
import { endLinks } from '../links/index.ts'
import { endSessions } from './start.ts'

/**
 * Ends what began with the former factors: other sessions, sign-ins that wait for a code, links that set a password. The
 * session that asks goes on with its secret: it got that at its sign-in, which is at most ten minutes ago (`fresh`).
 */
export async function factorsChanged(
  { db }: { readonly db: Db },
  { member, credentialId }: { readonly member: { readonly accountId: string }; readonly credentialId: string },
): Promise<void> {
  await endSessions(db, member.accountId, { except: credentialId })
  await endLinks(db, { accountId: member.accountId, which: ['reset', 'set_up', 'second_factor'] })
}
