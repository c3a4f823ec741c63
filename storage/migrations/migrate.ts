/** Migrates a database to the current schema. Safe to run at every start and by several processes at once. */
import { setTimeout } from 'node:timers/promises'
import { type MigrationResultSet, Migrator, sql } from 'kysely'
import { migrations } from './index.ts'
import type { Store } from '../store.ts'
import { tableNames } from '../sql/table-names.ts'
import { StorageUnavailable } from '../values/storage-unavailable.ts'

/**
 * @returns the names of the migrations that ran
 * @throws Error if a newer version has migrated it already: nothing ran
 * @throws StorageUnavailable if another process holds the lock longer than the store's patience: nothing ran
 */
export async function migrate(store: Store): Promise<string[]> {
  if (await isMigrated(store)) return []
  // Without pending migrations, no transaction is opened: such a start does not wait for locks.
  const isDone = (await migratorOf(store).getMigrations()).every(migration => migration.executedAt)
  const { error, results } = await patient(store, () => migratorOf(store, { disableTransactions: isDone }).migrateToLatest())
  if (error) throw explained(error)
  return (results ?? []).filter(result => result.status === 'Success').map(result => result.migrationName)
}

/**
 * Whether exactly these migrations have run, in their order: most starts find that, and one query tells. Kysely's migrator
 * looks at every column of every table several times, which is a tenth of a start.
 */
async function isMigrated({ write, dialect }: Store): Promise<boolean> {
  if (!(await tableNames(write, dialect)).has('kysely_migration')) return false
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by timestamp, name`.execute(write)
  const names = Object.keys(migrations).sort()
  return rows.length === names.length && rows.every(({ name }, i) => name === names[i])
}

/** On Postgres, processes of the version before may work on the tables meanwhile: a deadlock with them is tried again. */
async function patient({ dialect }: Store, run: () => Promise<MigrationResultSet>): Promise<MigrationResultSet> {
  for (let tries = 1; ; tries++) {
    const done = await run()
    const isLast = dialect.name === 'sqlite' || tries === mostTries // SQLite's store waits by itself
    if (isLast || !(done.error instanceof StorageUnavailable) || done.error.reason !== 'locked') return done
    await setTimeout(tries * 100)
  }
}
const mostTries = 8

/** Kysely calls a database corrupt whose migrations it does not know. */
function explained(error: unknown): unknown {
  const [, newer] = /previously executed migration (\S+) is missing/.exec(error instanceof Error ? error.message : '') ?? []
  if (newer === undefined) return error
  return new Error(`a newer version has changed it (${newer}): install that version, or restore a backup made before the update`)
}

function migratorOf(store: Store, options: { disableTransactions?: boolean } = {}): Migrator {
  return new Migrator({
    ...options,
    db: store.write,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(Object.entries(migrations).map(([name, up]) => [name, { up: db => up(db, store.dialect) }])),
    },
  })
}
