/** What every command of the machine begins with: settings, an open and migrated database, and clear words on failure. */
import { randomBytes } from 'node:crypto'
import type { Making } from '../operations/service/setup/set-up.ts'
import { type Config, readConfig } from '../runtime/config.ts'
import { emitter } from '../runtime/emitter.ts'
import { migrate } from '../storage/migrate.ts'
import { openStore, type Store, type StoreOptions } from '../storage/store.ts'

export const random = (size: number): Buffer => randomBytes(size)

/** Nobody waits for the answer of a command: it outlasts a backup that holds the lock, and an import goes on after it. */
const commandPatienceMs = 60_000

/** Loaded here and not before, so that a table that is wrong is told of like everything else that goes wrong. */
const loadTable = async () => (await import('../operations/index.ts')).table

/** The settings of this process, those of areas among them. @throws Error naming every one that would not do */
export async function configured(env: Readonly<Record<string, string | undefined>> = process.env): Promise<Config> {
  return readConfig(env, (await loadTable()).settings)
}

/** What a command makes things with, heard of by all who hear of the same from the service. */
export async function making(given?: Config, now = Date.now()): Promise<Making> {
  const [config, { subscribers }] = [given ?? (await configured({})), await loadTable()]
  return { now, random, emitIn: emitter(subscribers, { config, random }) }
}

/** Runs a command; what goes wrong is one line on standard error and exit code 1. */
export async function command(run: (config: Config) => Promise<void>, read: () => Config | Promise<Config> = configured): Promise<void> {
  try {
    await run(await read())
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
  try {
    return await run(store)
  } finally {
    await store.close()
  }
}
