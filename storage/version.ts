/** Tells whether a database has changed since it was last asked. */
import type { Db } from './store.ts'

const versions = new WeakMap<Db, () => unknown>()

/** For the engine that can say so more cheaply than it answers a query. */
export function tellVersion(db: Db, version: () => unknown): void {
  versions.set(db, version)
}

/** A value that stays the same while nothing is committed; undefined where only the database itself can tell. */
export function versionOf(db: Db): unknown {
  return versions.get(db)?.()
}
