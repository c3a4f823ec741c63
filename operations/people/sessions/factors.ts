/** Follows every change of a password, a second factor, a passkey or an address. */
import { cookieFor, hashCredential } from '../../../runtime/authenticator.ts'
import { endLinks } from '../links/index.ts'
import { cookieSeconds, sessionCookie } from './cookie.ts'
import { endSessions, type Starting } from './start.ts'

type Changing = Pick<Starting, 'db' | 'config' | 'random' | 'setCookie'>

/**
 * Ends what began with the former factors: other sessions, sign-ins that wait for a code, links that set a password. The
 * session that asks stays signed in with another secret, because it may do more than before (OWASP ASVS 5.0, 7.2.4).
 */
export async function factorsChanged(
  { db, config, random, setCookie }: Changing,
  { member, credentialId }: { readonly member: { readonly accountId: string }; readonly credentialId: string },
): Promise<void> {
  await endSessions(db, member.accountId, { except: credentialId })
  await endLinks(db, member.accountId, ['reset', 'set_up', 'second_factor'])
  const secret = random(32).toString('base64url')
  await db
    .updateTable('sessions')
    .set({ hash: hashCredential(secret) })
    .where('id', '=', credentialId)
    .execute()
  setCookie(cookieFor(sessionCookie, secret, cookieSeconds, config.BASE_URL))
}
