import { domainOf } from '../../../runtime/values/email.ts'
import type { Db } from '../../../storage/store.ts'

/** Whether a workspace has verified the domain of this address, and so may say who holds the address. */
export async function isOwnAddress(db: Db, workspaceId: string, email: string): Promise<boolean> {
  const domain = await db
    .selectFrom('sso_domains')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('domain', '=', domainOf(email))
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  return domain !== undefined
}
