/** Time-based codes (RFC 6238) and recovery codes: how they are made, kept and checked. */
import { Secret, TOTP } from 'otpauth'
import { hashCredential } from '../../../runtime/authenticator.ts'
import type { Resource } from '../../../runtime/resource.ts'
import { secretBox } from '../../../runtime/secret-box.ts'
import type { Db } from '../../../storage/store.ts'

const periodMs = 30_000
const count = 10

interface Opening {
  readonly db: Db
  use<T>(resource: Resource<T>): T
}

/** @param label how the app shows the account */
export function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: 'Footfall', label, secret: Secret.fromBase32(secret), digits: 6, period: periodMs / 1000 })
}

/** Begins a second factor; nothing is asked for until `enable`. @returns the secret, base32 */
export async function beginTotp({ db, use, random }: Opening & { random(size: number): Buffer }, accountId: string): Promise<string> {
  const secret = new Secret({ buffer: new Uint8Array(random(20)).buffer }).base32
  const sealed = await use(secretBox).seal(db, secret, accountId)
  await db
    .insertInto('totp')
    .values({ account_id: accountId, secret: sealed, enabled_at: null, last_step: 0 })
    .onConflict(on => on.column('account_id').doUpdateSet({ secret: sealed, last_step: 0 }).where('totp.enabled_at', 'is', null))
    .execute()
  return secret
}

/** Whether one was begun, in force or not. */
export async function hasBegun(db: Db, accountId: string): Promise<boolean> {
  return (await db.selectFrom('totp').select('account_id').where('account_id', '=', accountId).executeTakeFirst()) !== undefined
}

/** Whether one is in force. */
export async function hasTotp(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('totp')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('enabled_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Takes a code of this step, the one before or the one after (RFC 6238 §5.2), each once. @returns whether it was right */
export async function takeCode({ db, use, now }: Opening & { now: number }, accountId: string, code: string): Promise<boolean> {
  const row = await db.selectFrom('totp').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  const secret = row && (await use(secretBox).unseal(db, row.secret, accountId))
  if (!secret) return false
  const delta = totpOf(secret).validate({ token: code.replaceAll(' ', ''), timestamp: now, window: 1 })
  if (delta === null) return false
  const step = Math.floor(now / periodMs) + delta
  const taken = await db
    .updateTable('totp')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('last_step', '<', step)
    .returning('account_id')
    .executeTakeFirst()
  return taken !== undefined
}

const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789' // nothing that looks like another

/** Ten new ones; those before are good no more. */
export async function makeRecoveryCodes({ db, random }: { db: Db; random(size: number): Buffer }, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: count }, () => {
    const letters = Array.from(random(64))
      .filter(byte => byte < 248)
      .slice(0, 16)
      .map(byte => alphabet[byte % 31])
    return letters.join('').replace(/(.{4})(?=.)/g, '$1-')
  })
  await db.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
  await db
    .insertInto('recovery_codes')
    .values(codes.map(code => ({ account_id: accountId, hash: hashOf(accountId, code) })))
    .execute()
  return codes
}

/** @returns whether it was one of theirs; it is good no more */
export async function takeRecoveryCode(db: Db, accountId: string, code: string): Promise<boolean> {
  const taken = await db
    .deleteFrom('recovery_codes')
    .where('account_id', '=', accountId)
    .where('hash', '=', hashOf(accountId, code))
    .returning('hash')
    .executeTakeFirst()
  return taken !== undefined
}

/** However it was typed. */
const hashOf = (accountId: string, code: string): string => hashCredential(`${accountId} ${code.toLowerCase().replaceAll(/[\s-]/g, '')}`)

export async function endTotp(db: Db, accountId: string): Promise<boolean> {
  await db.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
  const ended = await db.deleteFrom('totp').where('account_id', '=', accountId).returning('enabled_at').executeTakeFirst()
  return ended !== undefined && ended.enabled_at !== null
}
