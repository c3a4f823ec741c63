/** One-time links: a secret of 256 bits that allows one action once, for a limited time. Only its hash is stored. */
import { hashCredential } from '../../../runtime/call/credentials.ts'
import { idKind, type IdKind } from '../../../runtime/values/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../storage/values/durations.ts'
import type { Db } from '../../../storage/store.ts'
import type { OneTimeLinkRow } from '../../../storage/tables/sign-in.ts'

export const ids = { one_time_link: idKind('otl_') }

/** Days in which a person can undo a change of their address. */
export const undoDays = 7

/** The purposes of links, and how long each link is valid. */
export const lifetimes = {
  /** From a command on the machine: sets a password or a passkey, and signs in. */
  set_up: 15 * MINUTE_MS,
  /** From a mail: sets a new password. */
  reset: HOUR_MS,
  /** From a mail to a new address: confirms it as the address of the account. */
  email: DAY_MS,
  /** From the notice of a changed address: restores the former one. */
  email_undo: undoDays * DAY_MS,
  /** In a cookie: the password was right, and the second factor is missing. */
  second_factor: 10 * MINUTE_MS,
} as const
export type LinkKind = keyof typeof lifetimes

export interface LinkMaking {
  readonly db: Db
  readonly now: number
  newId(kind: IdKind): string
  random(size: number): Buffer
}

/** Makes a link. Other links of its kind for this account end, unless it is additional. @returns the secret, 43 characters */
export async function makeLink(
  { db, now, newId, random }: LinkMaking,
  {
    kind,
    accountId,
    email = null,
    isAdditional = false,
  }: { kind: LinkKind; accountId: string; email?: string | null; isAdditional?: boolean },
): Promise<string> {
  const secret = random(32).toString('base64url')
  if (!isAdditional) await endLinks(db, { accountId, which: [kind] })
  await db
    .insertInto('one_time_links')
    .values({
      id: newId(ids.one_time_link),
      kind,
      hash: hashCredential(secret),
      account_id: accountId,
      email,
      created_at: now,
      expires_at: now + lifetimes[kind],
    })
    .execute()
  return secret
}

export type FoundLink = OneTimeLinkRow & { account_email: string; name: string | null }

/** Finds a valid link with its account, without using it up. */
export async function findLink(
  db: Db,
  { among, secret, now }: { among: readonly LinkKind[]; secret: string; now: number },
): Promise<FoundLink | undefined> {
  return db
    .selectFrom('one_time_links as l')
    .innerJoin('accounts as a', 'a.id', 'l.account_id')
    .selectAll('l')
    .select(['a.email as account_email', 'a.name'])
    .where('l.hash', '=', hashCredential(secret))
    .where('l.kind', 'in', [...among])
    .where('l.expires_at', '>', now)
    .executeTakeFirst()
}

/** Uses the link up. @returns false if another request has done so meanwhile */
export async function takeLink(db: Db, { id }: Pick<OneTimeLinkRow, 'id'>): Promise<boolean> {
  const taken = await db.deleteFrom('one_time_links').where('id', '=', id).returning('id').executeTakeFirst()
  return taken !== undefined
}

/** Ends links of an account. @param since only links that were made then or later */
export async function endLinks(
  db: Db,
  { accountId, which }: { accountId: string; which: readonly LinkKind[] },
  { since = 0 } = {},
): Promise<void> {
  await db
    .deleteFrom('one_time_links')
    .where('account_id', '=', accountId)
    .where('kind', 'in', [...which])
    .where('created_at', '>=', since)
    .execute()
}

/** Path of the page that a link from the machine or a mail opens. */
export const linkPath = (secret: string): string => `/links/${secret}`
