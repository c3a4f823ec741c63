/**
 * A bearer token that is no API token: what a probe shows, or an identity provider. An operation that is public to API
 * tokens names the one it wants (`as: probe`); the runtime finds who shows it, first of all, and hands the row over.
 */
import type { Db } from '../storage/store.ts'
import { fail } from './errors.ts'
import { hashToken, isWellFormed, type TokenPrefix } from './tokens.ts'

export interface Credential<Name extends string = string, Row = unknown> {
  /** Also the name under which the row is handed over. */
  readonly name: Name
  readonly prefix: TokenPrefix
  /** The row whose token has this hash, undefined where there is none; fails where it is no longer accepted. */
  find(db: Db, hash: string): Promise<Row | undefined>
}

export function credential<const Name extends string, Row>(declared: Credential<Name, Row>): Credential<Name, Row> {
  return Object.freeze(declared)
}

/** @throws Failure 401 by what is wrong with the token */
export async function showsCredential(
  db: Db, { prefix, find }: Credential, token: string | undefined,
): Promise<{ row: unknown; hash: string }> {
  if (token === undefined) {
    fail('authentication_required', `Send a token of the right kind: "Authorization: Bearer ${prefix}…".`)
  }
  const unknown = () => fail('invalid_token', `This is no ${prefix}… token that is known here.`)
  const hash = isWellFormed(token, prefix) ? hashToken(token) : unknown()
  return { row: await find(db, hash) ?? unknown(), hash }
}
