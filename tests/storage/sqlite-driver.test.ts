/**
 * Waiting for locks of other processes, on one connection. Locks belong to connections, so a second connection stands
 * for another process. If waiting blocked the thread, the timer that releases the lock would never fire.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, Kysely, sql, type SqliteStatement } from 'kysely'
import { type Pause, sqliteDialect } from '../../storage/dialects/sqlite-driver.ts'
import { StorageUnavailable } from '../../storage/values/storage-unavailable.ts'
import { openFile } from '../../storage/dialects/sqlite-library.ts'
import { lockWaits, NO_LIMIT_MS } from './lock-waits.ts'

interface Numbers {
  readonly numbers: { n: number }
}

/** A database with a rollback journal, where locks block reads and commits as well. */
function open(t: TestContext, patienceMs = NO_LIMIT_MS, pause?: Pause) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-driver-'))
  const file = path.join(folder, 'test.db')
  const other = openFile(file)
  other.exec('create table numbers (n integer not null); insert into numbers values (1)')
  const ours = openFile(file, { timeout: 0 })
  const db = new Kysely<Numbers>({
    dialect: sqliteDialect(
      {
        file: ours.name,
        prepare: text => ours.prepare(text === 'begin' ? 'begin immediate' : text) as unknown as SqliteStatement,
        isWhole: text => !text.startsWith('/* rows '),
        inTransaction: () => ours.inTransaction,
        givesTurns: true,
        close: () => ours.close(),
      },
      patienceMs,
      pause,
    ),
  })
  t.after(async () => {
    await db.destroy()
    other.close()
    fs.rmSync(folder, { recursive: true })
  })
  const stored = () => other.prepare('select n from numbers order by rowid').pluck().all()
  const insert = (n: number) => db.insertInto('numbers').values({ n }).execute()
  return { db, other, stored, insert }
}

const isLocked = (error: unknown) => error instanceof StorageUnavailable && error.reason === 'locked'

describe('a SQLite connection', () => {
  test('reads once another that has the file to itself gives it back', async t => {
    const { db, other } = open(t)
    other.exec('begin exclusive; insert into numbers values (2)')
    setTimeout(() => other.exec('commit'), 100)
    assert.deepEqual(await db.selectFrom('numbers').selectAll().execute(), [{ n: 1 }, { n: 2 }])
  })

  test('commits once those that read are done, and not twice', async t => {
    const { db, other, stored } = open(t)
    await db.transaction().execute(async trx => {
      await trx.insertInto('numbers').values({ n: 2 }).execute()
      other.exec('begin; select * from numbers')
      other.prepare('select n from numbers').all()
      setTimeout(() => other.exec('commit'), 100)
    })
    assert.deepEqual(stored(), [1, 2])
  })

  test('rolls back what it could not commit in its patience, and goes on', async t => {
    const { db, other, stored, insert } = open(t, 100)
    await assert.rejects(
      db.transaction().execute(async trx => {
        await trx.insertInto('numbers').values({ n: 2 }).execute()
        other.exec('begin')
        other.prepare('select n from numbers').all()
      }),
      isLocked,
    )
    other.exec('commit')
    assert.deepEqual(stored(), [1])
    await insert(3)
    assert.deepEqual(stored(), [1, 3])
  })

  test('does everything in the order it was asked for, once the lock is free', async t => {
    const { other, stored, insert } = open(t)
    other.exec('begin immediate')
    const inserts = [2, 3, 4, 5].map(insert)
    await sleep(100)
    other.exec('commit')
    await Promise.all(inserts)
    assert.deepEqual(stored(), [1, 2, 3, 4, 5])
  })

  test('lets calls that wait behind one another run out of patience together, each from its arrival', async t => {
    const waits = lockWaits()
    const { db, other, stored, insert } = open(t, 3_000, waits.pause)
    other.exec('begin immediate')
    const failing = (call: Promise<unknown>) => assert.rejects(call, isLocked)
    let ran = false
    const early = [
      failing(
        db.transaction().execute(async () => {
          ran = true
        }),
      ),
      ...[2, 3, 4, 5, 6, 7, 8, 9].map(n => failing(insert(n))),
    ]
    // If each call waited after the one before, this one would also run out of patience.
    await waits.pass(2_500)
    const late = insert(10)
    await waits.pass(500)
    await Promise.all(early)
    other.exec('commit')
    waits.end()
    await late
    assert.equal(ran, false)
    assert.deepEqual(stored(), [1, 10])
  })

  test('takes no patience for what our own process does with it', async t => {
    const waits = lockWaits()
    const { db, other, stored, insert } = open(t, 1_000, waits.pause)
    other.exec('begin immediate')
    const own = db.connection().execute(() => sleep(1_100))
    const inserted = insert(2)
    await own
    await waits.pass(900)
    other.exec('commit')
    waits.end()
    await inserted
    assert.deepEqual(stored(), [1, 2])
  })

  test('does not run a statement over rows again outside of a transaction', async t => {
    const { db, other, stored } = open(t)
    other.exec('begin immediate')
    await assert.rejects(db.executeQuery(CompiledQuery.raw('/* rows test.numbers */ insert into numbers values (2)')), isLocked)
    other.exec('commit')
    assert.deepEqual(stored(), [1])
  })

  test('says that the disk is full, and takes more once it is not', async t => {
    const { db, stored, insert } = open(t)
    await sql`pragma max_page_count = 2`.execute(db)
    const much = Array.from({ length: 5_000 }, (_, n) => ({ n }))
    const write = db.transaction().execute(trx => trx.insertInto('numbers').values(much).execute())
    await assert.rejects(write, (error: unknown) => error instanceof StorageUnavailable && error.reason === 'full')
    await sql`pragma max_page_count = 1000`.execute(db)
    await insert(2)
    assert.deepEqual(stored(), [1, 2])
  })
})
