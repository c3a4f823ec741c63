/** Time-based codes (RFC 6238) and recovery codes: creates, stores and checks them. */
import { hashCredential } from '../../../runtime/call/credentials.ts'
import type { Resource } from '../../../runtime/settings/resource.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import type { Db } from '../../../storage/store.ts'

const codes = () => import('./totp-codes.ts') // few processes need them

/** Number of recovery codes in a set. */
export const recoveryCodes = 10

interface SecretServices {
  readonly db: Db
  use<T>(resource: Resource<T>): T
}

/** Returns the secret of a second factor that is not active yet, base32; undefined if there is none. */
export async function begunTotp({ db, use }: SecretServices, accountId: string): Promise<string | undefined> {
  const row = await db.selectFrom('totp').selectAll().where('account_id', '=', accountId).where('enabled_at', 'is', null).executeTakeFirst()
  return (row && (await use(secretBox).unseal(db, row.secret, accountId))) ?? undefined
}

/** Begins a second factor. Sign-in requires no code until `enable`. @returns the secret, base32 */
export async function beginTotp(
  { db, use, random }: SecretServices & { random(size: number): Buffer },
  accountId: string,
): Promise<string> {
  const { secretOf } = await codes()
  const secret = secretOf(random)
  const sealed = await use(secretBox).seal(db, secret, accountId)
  await db
    .insertInto('totp')
    .values({ account_id: accountId, secret: sealed, enabled_at: null, last_step: 0 })
    .onConflict(on => on.column('account_id').doUpdateSet({ secret: sealed, last_step: 0 }).where('totp.enabled_at', 'is', null))
    .execute()
  return secret
}

/** Whether a second factor exists, active or not. */
export async function hasBegun(db: Db, accountId: string): Promise<boolean> {
  return (await db.selectFrom('totp').select('account_id').where('account_id', '=', accountId).executeTakeFirst()) !== undefined
}

/** Whether a second factor is active. */
export async function hasTotp(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('totp')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('enabled_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Accepts a code of this step, the previous or the next one (RFC 6238 §5.2), each once. @returns whether it was right */
export async function takeCode({ db, use, now }: SecretServices & { now: number }, accountId: string, code: string): Promise<boolean> {
  const row = await db.selectFrom('totp').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  const secret = row && (await use(secretBox).unseal(db, row.secret, accountId))
  if (!secret) return false
  const { periodMs, totpOf } = await codes()
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

const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789' // without characters that look alike
/** 118 bits; from 112 bits on, a plain hash is sufficient (OWASP ASVS 5.0, 6.5.2). */
const letters = 24

/** Creates ten codes; the previous ones become invalid. */
export async function makeRecoveryCodes(
  { db, now, random }: { db: Db; now: number; random(size: number): Buffer },
  accountId: string,
): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () => {
    const drawn = Array.from(random(64))
      .filter(byte => byte < 248) // so that all letters are equally likely
      .slice(0, letters)
      .map(byte => alphabet[byte % 31])
    return drawn.join('').replace(/(.{4})(?=.)/g, '$1-')
  })
  await db.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
  await db
    .insertInto('recovery_codes')
    .values(codes.map(code => ({ account_id: accountId, hash: hashOf(accountId, code), created_at: now })))
    .execute()
  return codes
}

/** Returns the number of unused codes, and whether they are from before 0.7, which created shorter ones. */
export async function recoveryCodesOf(db: Db, accountId: string): Promise<{ left: number; isShort: boolean }> {
  const rows = await db.selectFrom('recovery_codes').select('created_at').where('account_id', '=', accountId).execute()
  return { left: rows.length, isShort: rows.some(({ created_at }) => created_at === null) }
}

/** Uses a recovery code up. @returns whether it was valid */
export async function takeRecoveryCode(db: Db, accountId: string, code: string): Promise<boolean> {
  const taken = await db
    .deleteFrom('recovery_codes')
    .where('account_id', '=', accountId)
    .where('hash', '=', hashOf(accountId, code))
    .returning('hash')
    .executeTakeFirst()
  return taken !== undefined
}

/** Ignores case, spaces and hyphens. */
const hashOf = (accountId: string, code: string): string => hashCredential(`${accountId} ${code.toLowerCase().replaceAll(/[\s-]/g, '')}`)

export async function endTotp(db: Db, accountId: string): Promise<boolean> {
  await db.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
  const ended = await db.deleteFrom('totp').where('account_id', '=', accountId).returning('enabled_at').executeTakeFirst()
  return ended !== undefined && ended.enabled_at !== null
}
