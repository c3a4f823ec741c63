/**
 * A subject is a record that a path names: `{site_id}`, `{id}`. The runtime finds it, checks that the caller may see
 * it, and passes its row to the operation. Isolation of tenants rests on `workspaceId` and `siteId`.
 */
import type { Awaitable } from '../../storage/values/awaitable.ts'
import type { Dialect } from '../../storage/dialects/dialect.ts'
import type { Db } from '../../storage/store.ts'

export interface FoundSubject<Row> {
  row: Row
  workspaceId: string
  /** Null for records of the whole workspace. */
  siteId: string | null
  /** Hidden from tokens restricted to sites, although it has no site. */
  unrestricted?: boolean
  /** It represents several sites, and is taken only by operations that say so (`groups`). */
  isGroup?: true
  /** Amounts of it are in several currencies, so that answers about it have none. */
  hasNoMoney?: boolean
  /** The account that it belongs to within the workspace: no other account sees it. */
  accountId?: string
}

/** A record that belongs to an account and to no workspace: only that account sees it. */
export interface OwnSubject<Row> {
  row: Row
  accountId: string
}

export interface Subject<Name extends string = string, Row = unknown> {
  /** Also the key of the row in `run`'s argument; the path has `{<name>_id}` or `{id}`. */
  readonly name: Name
  /**
   * The field with the name of its record; defaults to `name`. On surfaces that complete ids, the name may replace the id
   * (`example.com`). Null: it has no name.
   */
  readonly calledBy?: string | null
  /** IANA name of the time zone of its days; defaults to UTC. */
  zoneOf?(row: Row): string
  /** The row with this id, of any workspace; undefined if there is none. */
  find(db: Db, id: string): Awaitable<FoundSubject<Row> | OwnSubject<Row> | undefined>
  /**
   * The current row, locked against other writers until the transaction ends; undefined if it was deleted in the
   * meantime. Used for `locked` subjects.
   */
  lock?(db: Db, id: string): Promise<Row | undefined>
  /** Without a `lock`: the table whose row of this id is locked for a PATCH or a precondition. */
  readonly table?: string
  /**
   * The current row, protected from deletion and change until the transaction ends; undefined if it was deleted in the
   * meantime. It is for records that are deleted by a mark on their row, because no foreign key then refuses a new reference.
   * All writes on such a record take this lock, unless they take the other one.
   */
  hold?(db: Db, id: string, dialect: Dialect): Promise<Row | undefined>
  /** Writes receive the locked row. */
  readonly isLocked?: true
}

/** The same subject with its row locked in a write: `on: locked(alert)`. */
export function locked<const Name extends string, Row>(subject: Subject<Name, Row>): Subject<Name, Row> {
  return Object.freeze({ ...subject, isLocked: true })
}

export function subject<const Name extends string, Row>(declared: Subject<Name, Row>): Subject<Name, Row> {
  return Object.freeze(declared)
}
