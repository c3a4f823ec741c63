/**
 * Who calls is found by one table of authenticators: an API token, a session, a share link, a probe's token. Each says
 * how its credential is shown and turns it into a `Caller`; nothing else in the service looks at credentials.
 */
import type { Db, Store } from '../storage/store.ts'
import type { Caller } from './caller.ts'
import { hashToken, isWellFormed } from './tokens.ts'

/** What a request says of who sends it. */
export interface Request {
  /** A request header, by its name in small letters. */
  header(name: string): string | undefined
  readonly ip: string
  /** The surface it came by, as the adapter calls it. */
  readonly surface: string
}

export interface Authenticator<Name extends string = string, Row = unknown> {
  /** What callers of this kind are called in the audit log and in errors; the row is handed to `run` under it. */
  readonly name: Name
  /** As a bearer token that begins with this prefix (RFC 6750), or in a cookie of this name. */
  readonly shown: { readonly bearer: string } | { readonly cookie: string }
  /**
   * `everywhere`: any operation takes it. `asked`: only operations that name it (`credential: probe`). `session`: pages
   * take it, and operations whose access is `session`; writes must come from our own origin.
   */
  readonly taken: 'everywhere' | 'asked' | 'session'
  /** The row whose credential has this SHA-256 (hex); undefined where there is none. Fails where it is no longer accepted. */
  find(db: Db, hash: string, now: number): Promise<Row | undefined>
  /** Who that is. @throws Failure where it may not call from here */
  callerOf(row: Row, request: Request): Caller
  /** Notes that it was used; called at most once a minute for each credential, beside the call. */
  noteUse?(store: Store, credentialId: string, now: number): Promise<unknown>
}

export function authenticator<const Name extends string, Row>(declared: Authenticator<Name, Row>): Authenticator<Name, Row> {
  return Object.freeze(declared)
}

/** The token of `Authorization: Bearer …` (RFC 6750), undefined where there is no such header. */
export function bearer(header: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1]
}

/** The credential as this authenticator reads it; undefined where the request shows none. */
export function shownTo({ shown }: Authenticator, request: Request): string | undefined {
  return 'cookie' in shown ? cookie(request.header('cookie'), shown.cookie) : bearer(request.header('authorization'))
}

/** Whether it may be one of this authenticator's at all: what cannot be is refused before the database is asked. */
export function fits({ shown }: Authenticator, credential: string): boolean {
  return 'cookie' in shown ? /^[\w-]{32,128}$/.test(credential) : isWellFormed(credential, shown.bearer)
}

export const hashCredential = hashToken

/** RFC 6265 §4.2: `name=value; name=value`. */
function cookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [key, ...value] = pair.split('=')
    if (key?.trim() === name) return value.join('=').trim()
  }
  return undefined
}
