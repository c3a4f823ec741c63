/** What every command of the machine begins with: settings, an open and migrated database, and clear words on failure. */
import { randomBytes } from 'node:crypto'
import { type Config, readConfig } from '../runtime/config.ts'
import { migrate } from '../storage/migrate.ts'
import { openStore, type Store, type StoreOptions } from '../storage/store.ts'

export const random = (size: number): Buffer => randomBytes(size)

/** Nobody waits for the answer of a command: it outlasts a backup that holds the lock, and an import goes on after it. */
const commandPatienceMs = 60_000

/** Runs a command; what goes wrong is one line on standard error and exit code 1. */
export async function command(run: (config: Config) => Promise<void>): Promise<void> {
  try {
    await run(readConfig(process.env))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

export async function openDatabase(config: Config, options: StoreOptions = {}): Promise<Store> {
  const store = openStore(config.DATABASE_URL, options)
  try {
    await migrate(store)
    return store
  } catch (error) {
    await store.close()
    throw new Error(`The database at DATABASE_URL cannot be used: ${error instanceof Error ? error.message || error.name : String(error)}`)
  }
}

export async function withDatabase<T>(config: Config, run: (store: Store) => Promise<T>): Promise<T> {
  const store = await openDatabase(config, { patienceMs: commandPatienceMs })
  try { return await run(store) } finally { await store.close() }
}
