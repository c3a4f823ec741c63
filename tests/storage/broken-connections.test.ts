/** Postgres connections that break while in use: only their users get an error. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, openStore } from '../../storage/store.ts'
import { StorageUnavailable } from '../../storage/values/storage-unavailable.ts'
import { inSnapshot } from '../../storage/snapshots/snapshots.ts'
import { type Engine, engines } from '../support/engines.ts'

const postgres = engines.find(({ name }) => name === 'postgres')
const isAway = (error: unknown) => error instanceof StorageUnavailable && error.reason === 'away'
const pidOf = async (db: Db) => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid

describe('a connection that breaks', { skip: !postgres }, () => {
  let database: Awaited<ReturnType<Engine['create']>>
  before(async () => {
    if (!postgres) throw new Error('there is no Postgres')
    database = await postgres.create()
  })
  after(() => database.drop())
  const terminate = (pid: number | undefined) => sql`select pg_terminate_backend(${pid})`.execute(database.store.read)

  test('between two statements ends the transaction with the reason, and the next has another', async () => {
    const { store } = database
    let first: number | undefined
    await assert.rejects(
      store.transaction(async trx => {
        first = await pidOf(trx)
        await terminate(first)
        await setTimeout(100) // the driver is told while no query runs
        await pidOf(trx)
      }),
      isAway,
    )
    assert.notEqual(await store.transaction(pidOf), first)
  })

  test('within a statement fails that statement', async () => {
    const { store } = database
    const slow = store.transaction(async trx => {
      const pid = await pidOf(trx)
      void setTimeout(100).then(() => terminate(pid))
      await sql`select pg_sleep(600)`.execute(trx)
    })
    await assert.rejects(slow, isAway)
    assert.equal(typeof (await store.transaction(pidOf)), 'number')
  })

  test('of a reader with one connection ends its snapshot, and the next uses another', async () => {
    const reader = openStore(database.url, { readonly: true, connections: 1 })
    await assert.rejects(
      inSnapshot(reader.read, [1], async db => {
        await terminate(await pidOf(db))
        await setTimeout(100)
        await pidOf(db)
      }),
      isAway,
    )
    assert.equal(typeof (await inSnapshot(reader.read, [1], pidOf)), 'number')
    await reader.close()
  })

  test('a server that is not there is away', async () => {
    const nowhere = openStore('postgres://postgres@127.0.0.1:1/nothing')
    await assert.rejects(nowhere.transaction(pidOf), error => isAway(error) && /ECONNREFUSED/.test(String(error)))
    await nowhere.close()
  })
})
