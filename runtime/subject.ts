/**
 * A subject is what a path names: `{site_id}`, `{id}`. The runtime finds it, proves that the caller may see it, and
 * hands its row to the operation. Tenant isolation stands on `workspaceId` and `siteId`, here and nowhere else.
 */
import type { Db } from '../storage/store.ts'

export interface FoundSubject<Row> {
  row: Row
  workspaceId: string
  /** Null for what belongs to the whole workspace. */
  siteId: string | null
  /** Of no site, and not for tokens restricted to sites. */
  unrestricted?: boolean
}

export interface Subject<Name extends string = string, Row = unknown> {
  /** Also the name under which the row is handed over; the path says `{<name>_id}` or `{id}`. */
  readonly name: Name
  /**
   * The field of its record that people call it by, default `name`: where ids need not be known, it may be named by
   * that (`example.com`).
   */
  readonly calledBy?: string
  /** IANA name of the time zone that its days are cut by; default UTC. */
  zoneOf?(row: Row): string
  /** The row with this id, wherever it belongs; undefined where there is none. */
  find(db: Db, id: string): Promise<FoundSubject<Row> | undefined>
  /**
   * The row as it is now, locked against other writers until the transaction ends; undefined where it was deleted
   * meanwhile. What `locked` asks for.
   */
  lock?(db: Db, id: string): Promise<Row | undefined>
  /** Asked for by an operation: writes are handed the locked row. */
  readonly isLocked?: true
}

/** The same subject, its row locked for the write: `on: locked(alert)`. */
export function locked<const Name extends string, Row>(subject: Subject<Name, Row>): Subject<Name, Row> {
  return Object.freeze({ ...subject, isLocked: true })
}

export function subject<const Name extends string, Row>(declared: Subject<Name, Row>): Subject<Name, Row> {
  return Object.freeze(declared)
}
