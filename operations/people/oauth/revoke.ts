/** Revocation of a token by its client. */
import { hashCredential } from '../../../runtime/call/credentials.ts'
import { revokeToken } from '../tokens/index.ts'
import { auditGrant, type Granting } from './grants.ts'

/** Ends the grant of a token if it belongs to this client. @returns false if it belongs to another client */
export async function revoke(granting: Granting, token: string, clientId: string): Promise<boolean> {
  const { db, now } = granting
  const hash = hashCredential(token)
  const found = token.startsWith('prt_')
    ? await db
        .selectFrom('oauth_grants as g')
        .innerJoin('oauth_refresh_tokens as r', 'r.token_id', 'g.token_id')
        .select(['g.token_id', 'g.client_id'])
        .where('r.hash', '=', hash)
        .executeTakeFirst()
    : await db
        .selectFrom('oauth_grants as g')
        .innerJoin('api_tokens as t', 't.id', 'g.token_id')
        .select(['g.token_id', 'g.client_id'])
        .where('t.hash', '=', hash)
        .executeTakeFirst()
  if (!found) return true
  if (found.client_id !== clientId) return false
  if (await revokeToken(db, found.token_id, now)) await auditGrant(granting, found.token_id, { operation: 'oauth_revoke', outcome: 'done' })
  return true
}
