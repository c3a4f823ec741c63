/** Postgres: a process that is stopped in a transaction does not keep its locks for ever. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openStore } from '../../storage/store.ts'
import { StorageUnavailable } from '../../storage/values/storage-unavailable.ts'
import { impatient } from '../crash/workers.ts'
import { gate } from '../runtime/tasks/tasks.ts'
import { engines } from '../support/engines.ts'

const postgres = engines.find(({ name }) => name === 'postgres')

test('a transaction without statements is ended, and what it had locked is free', { skip: !postgres && 'for Postgres alone' }, async t => {
  assert.ok(postgres)
  const { store, url, drop } = await postgres.create()
  const idle = async () => (await sql<{ limit: string }>`show idle_in_transaction_session_timeout`.execute(store.write)).rows
  assert.deepEqual(await idle(), [{ idle_in_transaction_session_timeout: '2min' }])

  const stopped = openStore(impatient(url), { connections: 1 })
  t.after(async () => {
    await stopped.close()
    await drop()
  })
  const { opened: locked, open: isIdle } = gate()
  const { opened: wanted, open: goOn } = gate()
  const lock = sql`select pg_advisory_xact_lock(1)`
  const held = stopped.transaction(async trx => {
    await lock.execute(trx)
    isIdle()
    await wanted
    await lock.execute(trx)
  })
  const ended = assert.rejects(held, (error: unknown) => error instanceof StorageUnavailable && error.reason === 'away')
  await locked
  await store.transaction(trx => lock.execute(trx))
  goOn()
  await ended
  await lock.execute(stopped.write) // on another connection
})
