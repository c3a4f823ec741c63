import { fits, hashCredential, shownTo } from '../../../runtime/call/credentials.ts'
import type { Config } from '../../../runtime/settings/config.ts'
import type { Db } from '../../../storage/store.ts'
import { session } from './authenticator.ts'

/**
 * Finds the person who is signed in with the browser that sends a request, for public operations that do more for a person. A
 * write must set `ownOrigin`.
 */
export async function sessionShown({
  db,
  config,
  now,
  request,
}: {
  db: Db
  config: Config
  now: number
  request: { readonly id: string; readonly ip: string; readonly surface: string; header(name: string): string | undefined }
}): Promise<{ accountId: string; email: string; withoutAccount: boolean } | undefined> {
  const secret = shownTo(session, request, config.BASE_URL)
  if (secret === undefined || !fits(session, secret)) return undefined
  const found = await session.find(db, hashCredential(secret), { now, config })
  return found && { accountId: found.session.account_id, email: found.session.email, withoutAccount: found.withoutAccount }
}
