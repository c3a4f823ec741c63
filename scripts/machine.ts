/** The common start of all commands: settings, a migrated database, and readable errors. */
import { randomBytes } from 'node:crypto'
import type { Making } from '../operations/service/setup/set-up.ts'
import { type Config, readConfig } from '../runtime/config.ts'
import { emitter } from '../runtime/emitter.ts'
import { migrate } from '../storage/migrate.ts'
import { openStore, type Store, type StoreOptions } from '../storage/store.ts'

export const random = (size: number): Buffer => randomBytes(size)

/** A command can wait longer than a call: for a backup that holds the lock, for example. */
const commandPatienceMs = 60_000

/** Loaded lazily, so that a faulty table is reported like any other error. */
const loadTable = async () => (await import('../operations/index.ts')).table

/** The settings of this process, including those of areas. @throws Error naming every invalid one */
export async function configured(env: Readonly<Record<string, string | undefined>> = process.env): Promise<Config> {
  return readConfig(env, (await loadTable()).settings)
}

/** What a command needs to create records, with the same subscribers as in the service. */
export async function making(given?: Config, now = Date.now()): Promise<Making> {
  const [config, { subscribers }] = [given ?? (await configured({})), await loadTable()]
  return { now, random, emitIn: emitter(subscribers, { config, random }) }
}

/** Runs a command; an error becomes one line on standard error and exit code 1. */
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
