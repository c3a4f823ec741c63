/** Ways in which a migrated Postgres loses what it committed last, beneath processes that go on. */
import type { TestContext } from 'node:test'
import { setTimeout as later } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../../storage/migrations/migrate.ts'
import { openStore } from '../../storage/store.ts'
import { startOwnPostgres } from './postgres.ts'
import { startTcpProxy } from './tcp-proxy.ts'

/** Commits that come after `keep` are gone after `lose`, which returns the database's own address from then on. */
export interface Losing {
  /** The address that the service connects to. */
  readonly url: string
  /** The database itself, before. */
  readonly direct: string
  keep(): Promise<void>
  lose(): Promise<string>
}

const failover = async (t: TestContext): Promise<Losing> => {
  const primary = await startOwnPostgres()
  const replication = await startTcpProxy(portOf(primary.url))
  const door = await startTcpProxy(portOf(primary.url))
  const store = openStore(primary.url, { connections: 1 })
  await migrate(store)
  await store.close()
  const standby = await primary.standby(replication.port)
  t.after(async () => {
    await Promise.all([replication.close(), door.close()])
    await standby.stop()
    await primary.stop()
  })
  return {
    url: withPort(primary.url, door.port),
    direct: primary.url,
    async keep() {
      const client = new pg.Client(primary.url)
      await client.connect()
      const { rows } = await client.query<{ at: string }>('select pg_current_wal_insert_lsn() as at')
      const asked = `select count(*) > 0 as here from pg_stat_replication where replay_lsn >= '${rows[0]?.at}'::pg_lsn`
      while (!(await client.query<{ here: boolean }>(asked)).rows[0]?.here) await later(20)
      await client.end()
      replication.freeze()
    },
    async lose() {
      await primary.halt('crash')
      await replication.close()
      await standby.promote()
      door.lead(portOf(standby.url))
      return standby.url
    },
  }
}

/** The server stays: what a process knows it by is the same before and after. */
const restore = async (t: TestContext): Promise<Losing> => {
  const server = await startOwnPostgres()
  t.after(() => server.stop())
  const admin = async (...statements: string[]) => {
    const client = new pg.Client(server.url)
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  const away = (name: string) => [
    `alter database ${name} allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  ]
  await admin('create database served')
  const url = Object.assign(new URL(server.url), { pathname: '/served' }).href
  const store = openStore(url, { connections: 1 })
  await migrate(store)
  await store.close()
  return {
    url,
    direct: url,
    keep: () => admin(...away('served'), 'create database backup template served', 'alter database served allow_connections true'),
    async lose() {
      await admin(...away('served'), 'drop database served with (force)', 'alter database backup rename to served')
      return url
    },
  }
}

const portOf = (url: string): number => Number(new URL(url).port)
const withPort = (url: string, port: number): string => Object.assign(new URL(url), { port: String(port) }).href

export const losses = { 'a failover to a standby that lags': failover, 'a backup restored beneath them': restore } as const

/** Again while the database is away. */
export async function settled<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await run()
    } catch (error) {
      if (tries === 200) throw error
      await later(50)
    }
  }
}
