/** Authorization codes: 256 random bits, good once and for a minute. What is stored is a hash. */
import { hashCredential } from '../../../runtime/authenticator.ts'
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

/** Uses a code up, whatever becomes of it. @returns undefined where it is not known, or was used before */
export function takeCode(db: Db, code: string, now: number): Promise<OAuthCodeRow | undefined> {
  return db
    .updateTable('oauth_codes')
    .set({ used_at: now })
    .where('hash', '=', hashCredential(code))
    .where('used_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** What a code was exchanged for that is shown again. */
export async function exchangedFor(db: Db, code: string): Promise<string | null> {
  const row = await db.selectFrom('oauth_codes').select('token_id').where('hash', '=', hashCredential(code)).executeTakeFirst()
  return row?.token_id ?? null
}

export const forgotten = { table: 'oauth_codes', key: ['hash'], from: 'expires_at', afterMs: codeMemoryMs } as const
