/**
 * A sign-in in progress: it was sent to the identity provider, and must return once, within ten minutes, to the browser that
 * began it. A secret that only that browser may know is derived from its cookie, and stored nowhere.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { cookieFor, cookieOf, hashCredential } from '../../../runtime/call/credentials.ts'
import type { Config } from '../../../runtime/settings/config.ts'
import type { Db } from '../../../storage/store.ts'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'
import type { SsoRequestRow } from '../../../storage/tables/sso-logins.ts'
import type { OidcSecrets } from './oidc.ts'

export const requestMs = 10 * 60_000
const browserCookie = 'sso'

type CookieSource = { header(name: string): string | undefined }
type BaseUrl = Pick<Config, 'BASE_URL'>

/** The secret of a browser that has begun a sign-in. */
export const browserSecret = (request: CookieSource, { BASE_URL }: BaseUrl): string | undefined => {
  const secret = cookieOf(request, browserCookie, BASE_URL)
  return secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : undefined
}

/** Returns a secret that all sign-ins of a browser share, so that each of several windows can finish. */
export function secretFor(request: CookieSource, config: BaseUrl, random: (size: number) => Buffer): { secret: string; cookie: string } {
  const secret = browserSecret(request, config) ?? random(32).toString('base64url')
  return { secret, cookie: cookieFor({ name: browserCookie, value: secret, seconds: requestMs / 1000, baseUrl: config.BASE_URL }) }
}

/** Begins with `_`, because an XML id must begin with a letter or `_`. */
export const newRequestId = (random: (size: number) => Buffer): string => `_${random(20).toString('hex')}`

export function oidcSecrets(id: string, secret: string): OidcSecrets {
  const derived = (use: string) => createHash('sha256').update(`${use} ${id} ${secret}`).digest('base64url')
  return { state: id, nonce: derived('nonce'), verifier: derived('verifier') }
}

export const issuerOf = (row: SsoConfigurationRow): string => (row.protocol === 'saml' ? row.idp_entity_id : row.oidc_issuer) ?? ''

interface BegunSignIn {
  readonly id: string
  readonly row: SsoConfigurationRow
  readonly secret: string
  readonly isTest: boolean
  readonly next: string | null
  /** The owner who links an identity with this sign-in. */
  readonly accountId?: string | null
  readonly now: number
}

/** Stores a sign-in that is sent to the identity provider. */
export async function keepRequest(db: Db, { id, row, secret, isTest, next, accountId = null, now }: BegunSignIn): Promise<void> {
  const asked = { kind: 'asked', is_test: Number(isTest), browser_hash: hashCredential(secret), next, account_id: accountId } as const
  await db
    .insertInto('sso_requests')
    .values({ ...newRequest({ row, id, now }), ...asked })
    .execute()
}

/** A request that belongs to no browser and no account. */
const newRequest = ({ row, id, now }: { row: SsoConfigurationRow; id: string; now: number }) => ({
  id,
  workspace_id: row.workspace_id,
  is_test: 0,
  issuer: issuerOf(row),
  browser_hash: '',
  next: null,
  profile: null,
  account_id: null,
  created_at: now,
  expires_at: now + requestMs,
})

/** Deletes and returns a request, so that it is answered once. @returns undefined if it is unknown, used or expired */
export async function takeRequest(
  db: Db,
  { id, kind, now }: { id: string; kind: 'asked' | 'finish' | 'leave' | 'told'; now: number },
): Promise<SsoRequestRow | undefined> {
  const row = await db.deleteFrom('sso_requests').where('id', '=', id).where('kind', '=', kind).returningAll().executeTakeFirst()
  return row && row.expires_at > now ? row : undefined
}

/** Stores a verified profile until the browser returns with its cookies, which it does not send with a form of another site. */
export async function keepVerified(
  db: Db,
  { request, profile, random }: { request: SsoRequestRow; profile: object; random: (size: number) => Buffer },
): Promise<string> {
  const ticket = random(32).toString('base64url')
  await db
    .insertInto('sso_requests')
    .values({ ...request, id: hashCredential(ticket), kind: 'finish', profile: JSON.stringify(profile) })
    .execute()
  return ticket
}

interface ReceivedLogout {
  readonly row: SsoConfigurationRow
  readonly id: string
  readonly now: number
  readonly until: number
}

/** Records a received LogoutRequest, by a hash of its id. @returns whether it is new */
export async function keepReceivedLogout(db: Db, { row, id, now, until }: ReceivedLogout): Promise<boolean> {
  const kept = await db
    .insertInto('sso_requests')
    .values({ ...newRequest({ row, id, now }), kind: 'left', expires_at: until })
    .onConflict(on => on.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return kept !== undefined
}

/** Stores a logout. The person continues at the identity provider with the returned ticket, once. */
export async function keepLeaving(
  db: Db,
  { row, nameId }: { row: SsoConfigurationRow; nameId: string },
  { now, random }: { now: number; random(size: number): Buffer },
): Promise<string> {
  const ticket = random(32).toString('base64url')
  await db
    .insertInto('sso_requests')
    .values({ ...newRequest({ row, id: hashCredential(ticket), now }), kind: 'leave', profile: nameId })
    .execute()
  return ticket
}

interface SentLogout {
  readonly row: SsoConfigurationRow
  readonly id: string
  readonly nameId: string
  readonly now: number
}

/** Records a sent LogoutRequest, so that its answer is accepted once. */
export async function keepSentLogout(db: Db, { row, id, nameId, now }: SentLogout): Promise<void> {
  await db
    .insertInto('sso_requests')
    .values({ ...newRequest({ row, id: sentLogoutId(row.workspace_id, id), now }), kind: 'told', profile: nameId })
    .execute()
}

/** Finds and removes the sent LogoutRequest that an answer belongs to. */
export const takeSentLogout = (
  db: Db,
  { row: { workspace_id }, id, now }: { row: SsoConfigurationRow; id: string; now: number },
): Promise<SsoRequestRow | undefined> => takeRequest(db, { id: sentLogoutId(workspace_id, id), kind: 'told', now })

const sentLogoutId = (workspaceId: string, id: string): string => hashCredential(`told ${workspaceId} ${id}`)

export function isBrowserOf({ browser_hash }: SsoRequestRow, secret: string | undefined): boolean {
  return secret !== undefined && timingSafeEqual(Buffer.from(browser_hash), Buffer.from(hashCredential(secret)))
}
