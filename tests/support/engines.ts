/**
 * The databases that a suite runs on. `onEachEngine('tasks', engine => { test(…) })` runs it on SQLite and on Postgres, and is
 * for what depends on the database: storage, locks, tasks, crashes, SQL that no other suite runs on Postgres.
 * `onAnyEngine('alerts', engine => { test(…) })` is for everything else: SQLite, and Postgres only in `npm test -- --full`.
 * `onSharedEngine('killed workers', …)` is for what several processes do together: Postgres, and SQLite only in a full run.
 *
 * `ENGINE=sqlite` or `ENGINE=postgres` runs all kinds on that engine only. `ENGINE=clickhouse` runs them on Postgres with
 * sealed days in ClickHouse, which needs a `clickhouse-server` on this machine; with `TEST_CLICKHOUSE_SHARDS=2` in a cluster
 * of two shards, which needs a ZooKeeper as well.
 */
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { migrate } from '../../storage/migrations/migrate.ts'
import { openStore, type Store } from '../../storage/store.ts'
import type { ClusterSettings } from '../../storage/cluster/cluster.ts'
import { isFull, someOf } from './full.ts'
import { timeEngine } from './times.ts'
import { fastFolder, filesBeside, MEMORY } from './files.ts'
import { type RunningClickhouse, startClickhouse, startCluster } from './clickhouse.ts'
import { type RunningPostgres, startPostgres } from './postgres.ts'
import { startZookeeper } from './zookeeper.ts'

export interface Engine {
  readonly name: 'sqlite' | 'postgres'
  readonly hasCluster?: true
  /** A new, empty, migrated database. */
  create(): Promise<{ store: Store; url: string; drop(): Promise<void> }>
}

let running: Promise<RunningPostgres> | undefined

export const sqlite: Engine = {
  name: 'sqlite',
  async create() {
    const folder = fs.mkdtempSync(path.join(fastFolder(), 'footfall-'))
    const file = path.join(folder, 'test.db')
    if (process.env.TEST_SQLITE_TEMPLATE) fs.copyFileSync(process.env.TEST_SQLITE_TEMPLATE, file)
    const url = `file:${file}`
    const store = await migrated(url)
    return {
      store,
      url,
      drop: async () => {
        await store.close()
        fs.rmSync(folder, { recursive: true, force: true })
      },
    }
  },
}

/** @param cluster makes a database in ClickHouse */
export const onPostgres = (cluster?: (name: string) => Promise<ClusterSettings>): Engine => ({
  name: 'postgres',
  ...(cluster && { hasCluster: true }),
  async create() {
    running ??= startPostgres()
    const { socket: server } = await running
    const name = `t_${randomBytes(6).toString('hex')}`
    await once(server, `create database ${name} ${copyOfTemplate()}`)
    const url = at(server, name)
    const store = await migrated(url, await cluster?.(name))
    return {
      store,
      url,
      drop: async () => {
        await store.close()
        await once(server, `drop database ${name} with (force)`)
        fs.rmSync(filesBeside(url), { recursive: true, force: true })
      },
    }
  },
})

let clickhouse: Promise<RunningClickhouse> | undefined
let shards: ReturnType<typeof startShards> | undefined

/** The ClickHouse of this process. A test that kills it resumes it. */
export const sharedClickhouse = (): Promise<RunningClickhouse> => (clickhouse ??= startClickhouse())

/** The cluster of this process, of so many shards. A test that kills a server of it resumes it. */
export const sharedShards = (count: number): ReturnType<typeof startShards> => (shards ??= startShards(Array<number>(count).fill(1)))

/** A database of its own on the ClickHouse of this process. */
export async function newCluster(name: string): Promise<ClusterSettings> {
  const { TEST_CLICKHOUSE_SHARDS: count } = process.env
  if (count) return databaseOn(await sharedShards(Number(count)), name)
  const { url } = await sharedClickhouse()
  await command(url, `create database ${name}`)
  return { url, user: 'default', password: '', database: name, cluster: '' }
}

/** Servers of a cluster with its ZooKeeper. @param replicas how many, of each shard */
export async function startShards(replicas: readonly number[]) {
  const zookeeper = await startZookeeper()
  const nodes = await startCluster({ shards: replicas, zookeeper: zookeeper.port })
  const stop = async () => {
    for (const node of [...nodes, zookeeper]) await node.stop()
  }
  return { nodes, stop }
}

/** A database on all servers of a cluster, reached through the first one. */
export async function databaseOn(
  { nodes: [first] }: { readonly nodes: readonly RunningClickhouse[] },
  name: string,
): Promise<ClusterSettings> {
  if (!first) throw new Error('no server was started')
  await command(first.url, `create database ${name} on cluster footfall`)
  return { url: first.url, user: 'default', password: '', database: name, cluster: 'footfall' }
}

async function command(url: string, statement: string): Promise<void> {
  const made = await fetch(url, { method: 'POST', body: statement })
  if (!made.ok) throw new Error(await made.text())
}

/** Of files in memory, copying as files takes half as long as by blocks; on a disk, twice as long. */
function copyOfTemplate(): string {
  const { TEST_PG_TEMPLATE: template } = process.env
  return template ? `template ${template} strategy ${fastFolder() === MEMORY ? 'file_copy' : 'wal_log'}` : ''
}

/** A migrated database to copy, which is faster than migrating another. */
export async function makePostgresTemplate(server: string): Promise<{ name: string; drop(): Promise<void> }> {
  const name = `template_${randomBytes(6).toString('hex')}`
  await once(server, `create database ${name}`)
  await (await migrated(at(server, name))).close()
  return { name, drop: () => once(server, `drop database ${name} with (force)`) }
}

/** @returns a migrated SQLite database in this folder, to copy likewise */
export async function makeSqliteTemplate(folder: string): Promise<string> {
  const file = path.resolve(folder, 'template.db')
  const store = await migrated(`file:${file}`)
  await sql`pragma wal_checkpoint(truncate)`.execute(store.write) // all of it is in the file that is copied
  await store.close()
  return file
}

const at = (server: string, database: string): string => Object.assign(new URL(server), { pathname: `/${database}` }).href

async function migrated(url: string, cluster?: ClusterSettings): Promise<Store> {
  const store = openStore(url, { connections: 4, cluster })
  await migrate(store)
  return store
}

async function once(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Both, or the one that ENGINE names. */
export const engines: readonly Engine[] =
  process.env.ENGINE === 'clickhouse' ? [onPostgres(newCluster)] : chosen([sqlite, onPostgres()], process.env.ENGINE)

/** Postgres with sealed days in ClickHouse; for tests that are skipped where there is none (`withoutClickhouse`). */
export const postgresAndClickhouse = onPostgres(newCluster)

/** @throws Error for an unknown engine */
function chosen(all: readonly Engine[], name: string | undefined): readonly Engine[] {
  const found = all.filter(engine => name === undefined || name === '' || engine.name === name)
  if (found.length === 0) throw new Error(`ENGINE must be ${all.map(engine => engine.name).join(' or ')}, or clickhouse`)
  return found
}

/** The suites of one engine. */
type Suite = (engine: Engine) => void

/** Runs a suite that depends on the database, on each engine. */
export function onEachEngine(subject: string, suite: Suite): void {
  runOn(engines, subject, suite)
}

/** Runs a suite that does not depend on the database, on SQLite; with `--full` on each engine. */
export function onAnyEngine(subject: string, suite: Suite): void {
  runOn(isFull ? engines : engines.slice(0, 1), subject, suite)
}

/** Runs a suite about processes that share a database, on Postgres; with `--full` on each engine. */
export function onSharedEngine(subject: string, suite: Suite): void {
  runOn(isFull ? engines : engines.slice(-1), subject, suite)
}

/**
 * Whether a suite of `onEachEngine` also tests what does not depend on the database, such as another surface: on the first
 * engine, and with `--full` on each.
 */
export const isThorough = (engine: Engine): boolean => isFull || engine === engines[0]

/** Items of a list that a suite of `onEachEngine` goes through: all of them on the first engine, and some on the other. */
export const mostOn = <T>(engine: Engine, all: readonly T[], count: number): readonly T[] => (isThorough(engine) ? all : someOf(all, count))

function runOn(chosen: readonly Engine[], subject: string, suite: Suite): void {
  for (const engine of chosen) {
    describe(`${subject} on ${engine.name}${engine.hasCluster ? ' and ClickHouse' : ''}`, () => {
      timeEngine(engine.name)
      suite(engine)
    })
  }
}
