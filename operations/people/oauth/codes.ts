/** Authorization codes: 256 random bits, valid once and for a minute. Only a hash is stored. */
import { hashCredential } from '../../../runtime/call/credentials.ts'
import type { Db } from '../../../storage/store.ts'
import type { OAuthCodeRow } from '../../../storage/tables/oauth.ts'
import { codeMemoryMs, codeMs } from './lifetimes.ts'

/** @returns the code itself */
export async function makeCode(
  { db, now, random }: { readonly db: Db; readonly now: number; random(size: number): Buffer },
  granted: Omit<OAuthCodeRow, 'hash' | 'token_id' | 'used_at' | 'expires_at'>,
): Promise<string> {
  const code = random(32).toString('base64url')
  await db
    .insertInto('oauth_codes')
    .values({ ...granted, hash: hashCredential(code), token_id: null, used_at: null, expires_at: now + codeMs })
    .execute()
  return code
}

/** Uses a code up, even if the exchange then fails. @returns undefined if it is unknown or was used before */
export function takeCode(db: Db, code: string, now: number): Promise<OAuthCodeRow | undefined> {
  return db
    .updateTable('oauth_codes')
    .set({ used_at: now })
    .where('hash', '=', hashCredential(code))
    .where('used_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** @returns the id of the access token that a used code was exchanged for */
export async function exchangedFor(db: Db, code: string): Promise<string | null> {
  const row = await db.selectFrom('oauth_codes').select('token_id').where('hash', '=', hashCredential(code)).executeTakeFirst()
  return row?.token_id ?? null
}

/** Finds the workspace that a code gives access to. */
export async function workspaceOf(db: Db, code: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('oauth_codes as c')
    .innerJoin('members as m', 'm.id', 'c.member_id')
    .select('m.workspace_id')
    .where('c.hash', '=', hashCredential(code))
    .executeTakeFirst()
  return row?.workspace_id
}

export const forgotten = { table: 'oauth_codes', key: ['hash'], from: 'expires_at', afterMs: codeMemoryMs } as const
