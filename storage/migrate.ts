/** Migrates a database to the current schema. Safe to run at every start and by several processes at once. */
import { Migrator } from 'kysely'
import { migrations } from './migrations/index.ts'
import type { Store } from './store.ts'

/**
 * @returns the names of the migrations that ran
 * @throws Error if a newer version has migrated it already: nothing ran
 * @throws StorageUnavailable if another process holds the lock longer than the store's patience: nothing ran
 */
export async function migrate(store: Store): Promise<string[]> {
  // Without pending migrations, no transaction is opened: such a start does not wait for locks.
  const isDone = (await migratorOf(store).getMigrations()).every(migration => migration.executedAt)
  const { error, results } = await migratorOf(store, { disableTransactions: isDone }).migrateToLatest()
  if (error) throw explained(error)
  return (results ?? []).filter(result => result.status === 'Success').map(result => result.migrationName)
}

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
