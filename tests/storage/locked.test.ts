/** SQLite: another connection has the write lock on the file, as another process would. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openHitStore } from '../../storage/hits/hit-store.ts'
import { migrate } from '../../storage/migrations/migrate.ts'
import { recordedNames } from '../../storage/migrations/steps.ts'
import { prepared } from '../../storage/sql/prepared.ts'
import { openStore } from '../../storage/store.ts'
import { StorageUnavailable } from '../../storage/values/storage-unavailable.ts'
import { lockWaits, NO_LIMIT_MS } from './lock-waits.ts'
import { hit, HOUR, MIDNIGHT } from './new-hits.ts'
import type { Pause } from '../../storage/dialects/sqlite-driver.ts'
import { openFile } from '../../storage/dialects/sqlite-library.ts'
import { randomBytes } from '../support/chance.ts'

async function locked(t: TestContext, patienceMs = NO_LIMIT_MS, pause?: Pause) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-locked-'))
  const file = path.join(folder, 'test.db')
  const store = openStore(`file:${file}`, { patienceMs, pause })
  await migrate(store)
  const other = openFile(file)
  t.after(async () => {
    await store.close()
    other.close()
    fs.rmSync(folder, { recursive: true })
  })
  other.exec('begin immediate')
  const workspace = (id: string) => store.write.insertInto('workspaces').values({ id, name: id, created_at: 0 }).execute()
  return { store, file, other, workspace }
}

const isLocked = (error: unknown) => error instanceof StorageUnavailable && error.reason === 'locked'

describe('while another process holds the lock', () => {
  test('this one goes on: timers run, and reads are answered', async t => {
    const { store, other, workspace } = await locked(t)
    const written = workspace('ws_1')
    for (let i = 0; i < 50; i++) {
      await sleep(10)
      assert.deepEqual(await store.read.selectFrom('workspaces').select('id').execute(), [])
    }
    other.exec('commit')
    await written
    assert.deepEqual(await store.read.selectFrom('workspaces').select('id').execute(), [{ id: 'ws_1' }])
  })

  test('a cached value is not older than a write that waited', async t => {
    const { store, other, workspace } = await locked(t)
    const named = prepared('locked.query', (db, id: string) => db.selectFrom('workspaces').select('name').where('id', '=', id))
    for (const id of ['ws_1', 'ws_2', 'ws_3', 'ws_4', 'ws_5']) {
      let found: readonly unknown[] | undefined
      const written = workspace(id).then(async () => {
        found = await named(store.read, id)
      })
      const release = setTimeout(() => other.exec('commit'), 50)
      while (!found) {
        // each turn reads the version before the write gets its lock
        await named(store.read, id)
        await turn()
      }
      await written
      clearTimeout(release)
      assert.deepEqual(found, [{ name: id }])
      other.exec('begin immediate')
    }
  })

  test('hits wait for it, and are stored once', async t => {
    const { store, other } = await locked(t)
    const hits = openHitStore(store, { now: () => MIDNIGHT + 20 * HOUR, randomBytes, maxBatch: 20 })
    const sent = Array.from({ length: 100 }, (_, i) => hit({ site: 1, visitor: `v${i}`, at: MIDNIGHT + HOUR + i, page: '/' }))
    let answered = 0
    const calls = sent.map(async one => {
      const outcomes = await hits.append([one])
      answered++
      return outcomes
    })
    await sleep(200)
    assert.equal(answered, 0)
    other.exec('commit')
    assert.ok((await Promise.all(calls)).flat().every(outcome => outcome.stored))
    await hits.close()
    const { stored } = await store.read
      .selectFrom('hits')
      .select(eb => eb.fn.countAll<number>().as('stored'))
      .executeTakeFirstOrThrow()
    assert.equal(stored, 100)
  })

  test('hits fail when their patience is over, all that were there; later ones are stored, and drops are not lost', async t => {
    const waits = lockWaits()
    const { store, other } = await locked(t, 3_000, waits.pause)
    const hits = openHitStore(store, { now: () => MIDNIGHT + 20 * HOUR, randomBytes, maxBatch: 20 })
    const one = (visitor: string) => hits.append([hit({ site: 1, visitor, at: MIDNIGHT + HOUR, page: '/' })])
    hits.countDrop(1, 'UTC', 'bot')
    const early = Array.from({ length: 100 }, (_, i) => assert.rejects(one(`early ${i}`), isLocked))
    // If each batch waited after the one before, these would also run out of patience.
    await waits.pass(2_500)
    const late = Array.from({ length: 10 }, (_, i) => one(`late ${i}`))
    await waits.pass(500)
    await Promise.all(early)
    other.exec('commit')
    waits.end()
    assert.ok((await Promise.all(late)).flat().every(outcome => outcome.stored))
    await hits.close()
    const visitors = await store.read.selectFrom('visitors').select('visitor').execute()
    assert.equal(visitors.length, 10)
    const drops = await store.read.selectFrom('drops').select(['reason', 'count']).execute()
    assert.deepEqual(drops, [{ reason: 'bot', count: 1 }])
  })

  test('a database is migrated once the lock is free, and whole; one that needs none is not kept waiting', async t => {
    const { store, file } = await locked(t)
    assert.deepEqual(await migrate(store), [])

    const empty = `${file}.new`
    const open = (patienceMs = NO_LIMIT_MS) => openStore(`file:${empty}`, { patienceMs })
    const [one, other, brief] = [open(), open(), open(100)]
    const another = openFile(empty)
    another.exec('begin immediate')
    await assert.rejects(migrate(brief), isLocked)
    setTimeout(() => another.exec('commit'), 100)
    const [first, second] = await Promise.all([migrate(one), migrate(other)])
    assert.equal(first.length + second.length, recordedNames.length)
    for (const opened of [one, other, brief, another]) await opened.close()
  })

  test('a database of a newer version is refused', async t => {
    const { store, other } = await locked(t)
    other.exec("insert into kysely_migration values ('9999-01-01', ''); commit")
    await assert.rejects(migrate(store), /a newer version has changed it .9999-01-01./)
  })

  test('a migration that cannot go on leaves nothing behind', async t => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-migrate-'))
    const store = openStore(`file:${path.join(folder, 'test.db')}`)
    t.after(async () => {
      await store.close()
      fs.rmSync(folder, { recursive: true })
    })
    await sql`pragma max_page_count = 40`.execute(store.write)
    await assert.rejects(migrate(store))
    await sql`pragma max_page_count = 100000`.execute(store.write)
    assert.equal((await migrate(store)).length, recordedNames.length)
  })
})
