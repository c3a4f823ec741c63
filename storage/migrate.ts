/** Migrates a database to the current schema. Safe to run at every start and by several processes at once. */
import { Migrator } from 'kysely'
import { migrations } from './migrations/index.ts'
import type { Store } from './store.ts'

/**
 * @returns the names of the migrations that ran
 * @throws StorageUnavailable if another process holds the lock longer than the store's patience: nothing ran
 */
export async function migrate(store: Store): Promise<string[]> {
  // Without pending migrations, no transaction is opened: such a start does not wait for locks.
  const isDone = (await migratorOf(store).getMigrations()).every(migration => migration.executedAt)
  const { error, results } = await migratorOf(store, { disableTransactions: isDone }).migrateToLatest()
  if (error) throw error
  return (results ?? []).filter(result => result.status === 'Success').map(result => result.migrationName)
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
