/**
 * A grant gives a client an access token, which is a row of `api_tokens`, and a refresh token, which changes at every use.
 * The row stays when its secret is replaced, so the audit log and the rate limits see one connected client under one id.
 * Revoking that row ends the grant.
 */
import { auditPerson } from '../../../runtime/call/audit-entry.ts'
import { hashCredential } from '../../../runtime/call/credentials.ts'
import { makeToken } from '../../../runtime/call/tokens.ts'
import type { Db } from '../../../storage/store.ts'
import { revokeToken } from '../tokens/index.ts'
import { grantMs, usedClientMs } from './lifetimes.ts'
import type { Owner } from './owner.ts'

export interface Granting {
  readonly db: Db
  readonly now: number
  random(size: number): Buffer
  readonly request: { readonly id: string; readonly ip: string; readonly surface: string }
}

export interface Tokens {
  readonly access: string
  readonly refresh: string
  readonly permissions: readonly string[]
}

export async function makeRefresh({ db, now, random }: Pick<Granting, 'db' | 'now' | 'random'>, tokenId: string): Promise<string> {
  const token = makeToken(random, 'prt_')
  await db
    .insertInto('oauth_refresh_tokens')
    .values({ hash: hashCredential(token), token_id: tokenId, used_at: null, created_at: now, expires_at: now + grantMs })
    .execute()
  return token
}

/** Extends the life of a registered client that people use. */
export async function keepClient({ db, now }: Pick<Granting, 'db' | 'now'>, clientId: string): Promise<void> {
  await db
    .updateTable('oauth_clients')
    .set({ expires_at: now + usedClientMs })
    .where('id', '=', clientId)
    .execute()
}

/** Ends a grant whose used code or token was presented again: it was copied, and the holder of the copy is unknown (RFC 9700 §4.14.2). */
export async function endMisused(granting: Granting, tokenId: string, reason: string): Promise<void> {
  if (!(await revokeToken(granting.db, tokenId, granting.now))) return
  await auditGrant(granting, tokenId, { operation: 'oauth_token', outcome: 'refused', about: { reason } })
}

interface Entry {
  readonly operation: string
  readonly outcome: 'done' | 'refused'
  readonly about?: Readonly<Record<string, unknown>>
}

export async function auditGrant(granting: Granting, tokenId: string, entry: Entry): Promise<void> {
  const row = await granting.db
    .selectFrom('oauth_grants as g')
    .innerJoin('api_tokens as t', 't.id', 'g.token_id')
    .innerJoin('members as m', 'm.id', 't.member_id')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .select(['g.client_host', 't.member_id', 'm.workspace_id', 'm.account_id', 'a.email'])
    .where('g.token_id', '=', tokenId)
    .executeTakeFirst()
  if (!row) return
  const owner = { memberId: row.member_id, workspaceId: row.workspace_id, accountId: row.account_id, email: row.email }
  await writeEntry(granting, owner, { ...entry, tokenId, about: { client: row.client_host, ...entry.about } })
}

export async function writeEntry(
  { db, now, random, request }: Granting,
  { workspaceId, accountId, email }: Owner,
  { tokenId, ...entry }: Entry & { readonly tokenId: string },
): Promise<void> {
  await auditPerson(db, { now, random, request, workspaceId, accountId, actor: email, door: 'oauth', subjectId: tokenId, ...entry })
}

export function listOf(json: string): string[] {
  return JSON.parse(json) // written as a list of strings
}
