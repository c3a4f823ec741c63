/** Signed links: they carry their expiry and an HMAC over method, path and expiry, and need no token. */
import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../../../runtime/settings/config.ts'
import { fail } from '../../../runtime/table/errors.ts'
import type { SecretBox } from '../../../runtime/settings/secret-box.ts'
import type { Db } from '../../../storage/store.ts'

type Method = 'GET' | 'PUT'

const claimOf = (method: Method, path: string, expires: number): string => `link ${method} ${path} ${expires}`

/** Creates a signed link. @param path begins with a slash @param until epoch ms */
export async function signedLink(
  { box, db, config }: { box: SecretBox; db: Db; config: Pick<Config, 'BASE_URL'> },
  { method, path, until }: { method: Method; path: string; until: number },
): Promise<string> {
  const expires = Math.ceil(until / 1000)
  return `${config.BASE_URL}${path}?expires=${expires}&signature=${await box.digest(db, claimOf(method, path, expires))}`
}

/** @throws Failure `not_found` unless the request has a valid link, and reveals nothing about existing files */
export async function checkLink(
  { box, db, now }: { box: SecretBox; db: Db; now: number },
  { method, path, url }: { method: Method; path: string; url: string },
): Promise<void> {
  const { searchParams } = new URL(url)
  const expires = Number(searchParams.get('expires'))
  const given = Buffer.from(searchParams.get('signature') ?? '')
  if (!Number.isSafeInteger(expires)) fail('not_found')
  const isSigned = (await box.digests(db, claimOf(method, path, expires))).some(wanted => isSame(given, Buffer.from(wanted)))
  if (!isSigned || expires * 1000 < now) fail('not_found')
}

const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)
