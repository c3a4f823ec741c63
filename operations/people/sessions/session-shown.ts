import { fits, hashCredential, shownTo } from '../../../runtime/call/credentials.ts'
import type { Config } from '../../../runtime/settings/config.ts'
import type { Db } from '../../../storage/store.ts'
import { session } from './authenticator.ts'

/**
 * Who is signed in with the browser that sends a request, for what is open to anybody and does more for a person. A
 * write must ask for `ownOrigin`.
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
  const found = await session.find(db, hashCredential(secret), now, config)
  return found && { accountId: found.session.account_id, email: found.session.email, withoutAccount: found.withoutAccount }
}
