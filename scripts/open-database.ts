/** The database of the service at its start: open and checked, or awaited if it is away and hits can wait for it. */
import type { Table } from '../runtime/table/table.ts'
import { checkTables } from '../runtime/table/check-tables.ts'
import { checkSealed } from '../runtime/settings/check-sealed.ts'
import type { Config } from '../runtime/settings/config.ts'
import { openClock } from '../storage/installation/clock.ts'
import type { Store, StoreOptions } from '../storage/store.ts'
import { StorageUnavailable } from '../storage/values/storage-unavailable.ts'
import { openDatabase, openStoreOf, random } from './machine.ts'

export interface OpenedDatabase {
  readonly store: Store
  /** Epoch ms, by the clock of the database as soon as it has answered. */
  now(): number
  /** Why the database cannot be used; undefined if it can. */
  readonly away: Error | undefined
  /** Lets calls use a database that was away, once it is checked. May be called again, if it fails. */
  comesBack(): Promise<void>
  close(): Promise<void>
}

/** @throws Error for the operator, unless the database is away */
export async function openForService(config: Config, table: Table, options: StoreOptions = {}): Promise<OpenedDatabase> {
  const opened = await openChecked(config, table, options).catch((error: unknown) => {
    if (error instanceof Error && error.cause instanceof StorageUnavailable && error.cause.reason === 'away') return error
    throw error
  })
  const away = opened instanceof Error ? opened : undefined
  let isClosed = away !== undefined
  const closedFor = () => (isClosed ? 'the database has not answered since the start' : undefined)
  const store = opened instanceof Error ? openStoreOf(config, { ...options, closedFor }) : opened
  let clock = isClosed ? { now: Date.now, close: () => {} } : await openClock(store)

  return {
    store,
    now: () => clock.now(),
    away,
    async comesBack() {
      isClosed = false
      const opened = await openClock(store)
      clock.close()
      clock = opened
    },
    async close() {
      clock.close()
      await store.close()
    },
  }
}

/** @throws Error naming the database and what is wrong with it */
export async function openChecked(config: Config, table: Table, options: StoreOptions = {}): Promise<Store> {
  const store = await openDatabase(config, options)
  try {
    await checkTables(store, table)
    await checkSealed({ store, config, random }, table)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
