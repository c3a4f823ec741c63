/** Starts and ends sessions. Only the cookie contains the secret; its hash is stored. */
import type { Renewing } from '../../../runtime/table/authenticator.ts'
import { cookieFor, cookieOf, hashCredential } from '../../../runtime/call/credentials.ts'
import type { Config } from '../../../runtime/settings/config.ts'
import type { IdKind } from '../../../runtime/values/ids.ts'
import type { Db } from '../../../storage/store.ts'
import type { SessionRow } from '../../../storage/tables/sign-in.ts'
import { cookieSeconds, deviceCookie, deviceMs, sessionCookie } from './cookie.ts'
import { maxMs } from './lifetime.ts'
import { ids, type Method, sessionRow } from './records.ts'

/** The services of an operation, or of an endpoint in a transaction. */
export interface Starting {
  readonly db: Db
  readonly now: number
  readonly config: Config
  readonly request: { readonly ip: string; header(name: string): string | undefined }
  newId(kind: IdKind): string
  random(size: number): Buffer
  setCookie(line: string): void
}

export interface Started {
  readonly session: SessionRow
  /** Whether this browser has never signed in to this account, but others have. */
  readonly isNewDevice: boolean
}

/**
 * Signs a person in and sets the cookie. Ends the previous session of the browser, because a value that was known before the
 * sign-in must not be valid after it (session fixation).
 * @param endsAt absolute end of the session, epoch ms
 */
export async function startSession(
  starting: Starting,
  { accountId, method, endsAt }: { accountId: string; method: Method; endsAt?: number | undefined },
): Promise<Started> {
  const { db, now, config, request, newId, random, setCookie } = starting
  const [secret, before] = [random(32).toString('base64url'), cookieOf(request, sessionCookie, config.BASE_URL)]
  if (before !== undefined) await db.deleteFrom('sessions').where('hash', '=', hashCredential(before)).execute()
  const session = sessionRow({
    id: newId(ids.session),
    accountId,
    secret,
    now,
    method,
    endsAt,
    ip: request.ip,
    userAgent: request.header('user-agent') ?? '',
    lastsMs: maxMs(config),
  })
  await db.insertInto('sessions').values(session).execute()
  setCookie(cookieFor({ name: sessionCookie, value: secret, seconds: cookieSeconds, baseUrl: config.BASE_URL }))
  return { session, isNewDevice: await noteDevice(starting, accountId) }
}

/** Gives a session another secret, as after a sign-in: a copy of the former cookie ends. Its absolute end stays. */
export async function renewSession({ db, now, config, random, setCookie }: Renewing, id: string): Promise<void> {
  const secret = random(32).toString('base64url')
  await db
    .updateTable('sessions')
    .set({ hash: hashCredential(secret), signed_in_at: now })
    .where('id', '=', id)
    .execute()
  setCookie(cookieFor({ name: sessionCookie, value: secret, seconds: cookieSeconds, baseUrl: config.BASE_URL }))
}

async function noteDevice({ db, now, config, request, random, setCookie }: Starting, accountId: string): Promise<boolean> {
  const shown = cookieOf(request, deviceCookie, config.BASE_URL)
  const known = await db
    .selectFrom('devices')
    .select('hash')
    .where('account_id', '=', accountId)
    .where('seen_at', '>', now - deviceMs)
    .execute()
  const secret = shown !== undefined && /^[\w-]{43}$/.test(shown) ? shown : random(32).toString('base64url')
  const hash = hashCredential(secret)
  await db
    .insertInto('devices')
    .values({ account_id: accountId, hash, seen_at: now })
    .onConflict(on => on.columns(['account_id', 'hash']).doUpdateSet({ seen_at: now }))
    .execute()
  setCookie(cookieFor({ name: deviceCookie, value: secret, seconds: cookieSeconds, baseUrl: config.BASE_URL }))
  return known.length > 0 && !known.some(device => device.hash === hash)
}

/** Records that the person has created a passkey, which proves it. */
export async function notePasskey(db: Db, id: string): Promise<void> {
  await db.updateTable('sessions').set({ method: 'passkey' }).where('id', '=', id).execute()
}

/** Ends one session, and deletes its cookie. */
export async function endSession({ db, config, setCookie }: Pick<Starting, 'db' | 'config' | 'setCookie'>, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute()
  setCookie(cookieFor({ name: sessionCookie, value: '', seconds: 0, baseUrl: config.BASE_URL }))
}

/** Ends all sessions of a person, except one if `except` is set. @returns their number */
export async function endSessions(db: Db, accountId: string, { except }: { except?: string } = {}): Promise<number> {
  let query = db.deleteFrom('sessions').where('account_id', '=', accountId)
  if (except !== undefined) query = query.where('id', '!=', except)
  const ended = await query.returning('id').execute()
  return ended.length
}

/** Ends these sessions, which an identity provider began. */
export async function endSessionsWith(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('sessions').where('id', 'in', ids).execute()
}
