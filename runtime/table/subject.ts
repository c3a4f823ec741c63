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
  /** Not for tokens restricted to sites, though it has no site. */
  unrestricted?: boolean
  /** The person whose own it is within that: nobody else sees it. */
  accountId?: string
}

/** A record that belongs to a person and to no workspace: only they see it. */
export interface OwnSubject<Row> {
  row: Row
  accountId: string
}

export interface Subject<Name extends string = string, Row = unknown> {
  /** Also the key of the row in `run`'s argument; the path has `{<name>_id}` or `{id}`. */
  readonly name: Name
  /**
   * The field of its record that people call it by, default `name`: where ids need not be known, it may be named by
   * that (`example.com`).
   */
  readonly calledBy?: string
  /** IANA name of the time zone that its days are cut by; default UTC. */
  zoneOf?(row: Row): string
  /** The row with this id, wherever it belongs; undefined where there is none. */
  find(db: Db, id: string): Awaitable<FoundSubject<Row> | OwnSubject<Row> | undefined>
  /**
   * The current row, locked against other writers until the transaction ends; undefined if it was deleted in the
   * meantime. Used for `locked` subjects.
   */
  lock?(db: Db, id: string): Promise<Row | undefined>
  /** Without a `lock`: the table whose row of this id is locked, where a PATCH or a precondition is about the subject. */
  readonly table?: string
  /**
   * The current row, which nobody deletes or changes until the transaction ends; undefined if it was deleted in the
   * meantime. For what is deleted by a mark on its row: no foreign key refuses what is added to it meanwhile. All writes
   * on it take this lock, unless they ask for the other one.
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
