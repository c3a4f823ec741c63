/** One-time links: a secret of 256 bits that opens one thing once, and for a while. Stored is its hash. */
import { hashCredential } from '../../../runtime/call/credentials.ts'
import { idKind, type IdKind } from '../../../runtime/values/ids.ts'
import type { Db } from '../../../storage/store.ts'
import type { OneTimeLinkRow } from '../../../storage/tables/sign-in.ts'

export const ids = { one_time_link: idKind('otl_') }

const MINUTE = 60_000
/** Days in which a person notices that their address was changed. */
export const undoDays = 7

/** The purposes of links, and how long each is valid. */
export const kinds = {
  /** From the machine itself: sets a password or a passkey, and signs in. */
  set_up: 15 * MINUTE,
  /** From a mail: sets a new password. */
  reset: 60 * MINUTE,
  /** From a mail to a new address: makes it the account's. */
  email: 24 * 60 * MINUTE,
  /** From the notice of a changed address: gives the account its former one back. */
  email_undo: undoDays * 24 * 60 * MINUTE,
  /** In a cookie: the password was right, the second factor is asked for. */
  second_factor: 10 * MINUTE,
} as const
export type LinkKind = keyof typeof kinds

export interface LinkMaking {
  readonly db: Db
  readonly now: number
  newId(kind: IdKind): string
  random(size: number): Buffer
}

/** Makes a link; those of its kind that the account had are good no more, unless it is additional. @returns the secret, 43 characters */
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
      expires_at: now + kinds[kind],
    })
    .execute()
  return secret
}

export type FoundLink = OneTimeLinkRow & { account_email: string; name: string | null }

/** The link with its account, where it is still good; it stays. */
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

/** Takes the link, so that nobody else can. @returns false where somebody has meanwhile */
export async function takeLink(db: Db, { id }: Pick<OneTimeLinkRow, 'id'>): Promise<boolean> {
  const taken = await db.deleteFrom('one_time_links').where('id', '=', id).returning('id').executeTakeFirst()
  return taken !== undefined
}

/** @param since only those that were made then or later */
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

/** Path of the page that a link of the machine or a mail opens. */
export const linkPath = (secret: string): string => `/links/${secret}`
