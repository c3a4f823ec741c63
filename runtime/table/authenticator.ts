/**
 * Callers are found by a table of authenticators: API tokens, sessions, share links, probe tokens. Each declares how
 * its credential is sent and turns it into a `Caller`; nothing else in the service reads credentials.
 */
import type { Awaitable } from '../../storage/values/awaitable.ts'
import type { Dialect } from '../../storage/dialects/dialect.ts'
import type { Db, Store } from '../../storage/store.ts'
import type { Services } from './call-services.ts'
import type { Caller } from './caller.ts'
import type { Config } from '../settings/config.ts'

/** The parts of a request that authentication needs. */
export interface Request {
  /** A request header, by its lower-case name. */
  header(name: string): string | undefined
  readonly ip: string
  /** The surface it came through, by the adapter's name. */
  readonly surface: string
  /** Path of a protected resource with metadata of its own (RFC 9728 §3.1). */
  readonly resource?: string
}

interface Moment {
  readonly now: number
  readonly config: Config
}

export type Renewing = Pick<Services, 'db' | 'now' | 'config' | 'random' | 'setCookie'>

export interface Authenticator<Name extends string = string, Row = unknown> {
  /** Name of this kind of caller in the audit log and in errors; `run` receives the row under this name. */
  readonly name: Name
  /** As a bearer token that begins with this prefix (RFC 6750), or in a cookie of this name (see `cookieName`). */
  readonly sentAs: { readonly bearer: string } | { readonly cookie: string }
  /** Whether the address of a CSV may have it, as the parameter `key`: spreadsheets send no headers. Only for credentials that only read. */
  readonly inAddress?: true
  /**
   * `everywhere`: accepted by any operation. `name`: only by operations that name it (`credential: probe`). `pages`:
   * by pages, and by operations with access `session`; writes must come from our own origin.
   */
  readonly acceptedBy: 'everywhere' | 'name' | 'pages'
  /** The row with this SHA-256 of the credential (hex), or undefined. Throws a Failure if it is no longer accepted. */
  find(db: Db, hash: string, at: Moment): Awaitable<Row | undefined>
  /** The caller for a row. @throws Failure if it may not call from this address */
  callerOf(row: Row, request: Request): Caller
  /** Locks the credential until the transaction of a write ends, so that a call that ends it waits. It may have ended already. */
  hold?(db: Db, credentialId: string, dialect: Dialect): Promise<unknown>
  /** Replaces the credential in the transaction of a write whose caller has proved themselves again. */
  renew?(services: Renewing, credentialId: string): Promise<void>
  /** Records the use; called at most once a minute for each credential, without delaying the call. */
  noteUse?(store: Store, credentialId: string, at: Moment): Promise<unknown>
}

export function authenticator<const Name extends string, Row>(declared: Authenticator<Name, Row>): Authenticator<Name, Row> {
  return Object.freeze(declared)
}
