/** The common start of all commands: settings, a migrated database, and readable errors. */
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { CreationServices } from '../operations/service/setup/set-up.ts'
import { clusterOf, type Config, readConfig, settings } from '../runtime/settings/config.ts'
import { emitter } from '../runtime/events/emitter.ts'
import type { Setting } from '../runtime/settings/setting.ts'
import { releaseLine } from '../runtime/settings/version.ts'
import { checkMoved } from '../storage/moved-days/copies.ts'
import { openClock } from '../storage/installation/clock.ts'
import { noteUpgrade } from '../storage/installation/upgraded-by.ts'
import { copiesOf, copyBefore } from '../storage/migrations/copy-before.ts'
import { migrate, pendingSteps } from '../storage/migrations/migrate.ts'
import { NativeModuleMissing } from '../storage/dialects/sqlite-library.ts'
import { fileOf, openStore, type Store, type StoreOptions } from '../storage/store.ts'
import { whyUnwritable } from '../storage/system/file-permissions.ts'

export const random = (size: number): Buffer => randomBytes(size)

/** A command can wait longer than a call: for a backup that holds the lock, for example. */
export const commandPatienceMs = 60_000

/** Loaded lazily, so that a faulty table is reported like any other error. */
const loadTable = async () => (await import('../operations/index.ts')).table

/** The settings of this process, including those of areas. @throws Error naming every invalid one */
export async function configured(env: Readonly<Record<string, string | undefined>> = process.env): Promise<Config> {
  return readConfig(env, (await loadTable()).settings)
}

/** For a command that reads only settings of the runtime: loading the areas is half of a start. */
export const ownSettings = (): Config => readConfig(process.env)

/** All settings with their defaults, as `--help` shows them. */
export async function settingsHelp(): Promise<string> {
  const rows = Object.entries<Setting>({ ...settings, ...(await loadTable()).settings })
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  const lines = rows.map(([name, { description, default: value }]) => {
    const text = description.replaceAll('`', '')
    return `  ${name.padEnd(width)}${text}${value === '' ? '' : ` (default: ${value})`}`
  })
  return `\nSettings, from the environment:\n${lines.join('\n')}\n`
}

/**
 * The services that a command creates records with, with the same subscribers as in the service.
 * @param now by the database's clock (`withDatabase`)
 */
export async function creationServices(given?: Config, now = Date.now()): Promise<CreationServices> {
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

/** @throws Error naming the setting, the database and what is wrong with it */
export async function openDatabase(config: Config, options: StoreOptions = {}): Promise<Store> {
  let store: Store | undefined
  try {
    store = openStoreOf(config, options)
    await upgrade(store, config.UPGRADE_COPY)
    await checkMoved(store)
    return store
  } catch (error) {
    await store?.close()
    if (error instanceof NativeModuleMissing) throw error
    const reason = unwritable(config.DATABASE_URL) ?? (error instanceof Error ? error.message || error.name : String(error))
    throw new Error(`The database at DATABASE_URL (${placeOf(config.DATABASE_URL)}) cannot be used: ${reason}${wayBack(config, reason)}`, {
      cause: error,
    })
  }
}

/** As it is, unchecked. */
export const openStoreOf = (config: Config, options: StoreOptions = {}): Store =>
  openStore(config.DATABASE_URL, { connections: config.DATABASE_CONNECTIONS, cluster: clusterOf(config), ...options })

/** Migrates. A SQLite database that has rows is copied before. @throws Error if there is no space for the copy */
async function upgrade(store: Store, copies: boolean): Promise<void> {
  const file = fileOf(store.url)
  if (copies && file !== undefined) {
    const { pending, newest } = await pendingSteps(store)
    if (pending.length > 0) {
      const copy = await copyBefore(file, newest).catch((error: unknown) => {
        throw new Error(
          `it is copied before an upgrade, and ${error instanceof Error ? error.message : String(error)}; or set UPGRADE_COPY=off if you have a backup`,
        )
      })
      process.stderr.write(`The database is upgraded. A copy of it as it was: ${copy}\n`)
    }
  }
  if ((await migrate(store)).length > 0) await noteUpgrade(store, releaseLine())
}

/** If a newer version has changed the database, names the copy from before the upgrade. */
function wayBack({ DATABASE_URL }: Config, reason: string): string {
  const file = fileOf(DATABASE_URL)
  const copy = file !== undefined && reason.includes('newer version') ? copiesOf(file).at(-1) : undefined
  return copy === undefined ? '' : `, for example the copy of the upgrade: npm run restore -- ${copy}`
}

/** SQLite says no more than "unable to open", and a volume of another user is what happens in containers. */
function unwritable(url: string): string | undefined {
  const file = fileOf(url)
  if (file === undefined) return undefined
  const written = ['', '-wal', '-shm'].map(suffix => `${path.resolve(file)}${suffix}`)
  return whyUnwritable(path.dirname(path.resolve(file)), written)?.advice
}

/** The file, or the server and the database on it: never the password. */
export function placeOf(url: string): string {
  const file = fileOf(url)
  if (file !== undefined) return path.resolve(file)
  if (!URL.canParse(url)) return 'postgres://…'
  const { host, pathname } = new URL(url)
  return `postgres://${host}${pathname}`
}

/** @param run gets the clock that the processes of the database share */
export async function withDatabase<T>(config: Config, run: (store: Store, now: () => number) => Promise<T>): Promise<T> {
  const store = await openDatabase(config, { patienceMs: commandPatienceMs })
  try {
    const clock = await openClock(store)
    return await run(store, clock.now).finally(clock.close)
  } finally {
    await store.close()
  }
}
