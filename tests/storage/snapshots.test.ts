/** Snapshots may return cached results, but never outdated ones. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { prepared } from '../../storage/sql/prepared.ts'
import { type Db, openStore, type Store, type Trx } from '../../storage/store.ts'
import type { Awaitable } from '../../storage/values/awaitable.ts'
import { inSnapshot, confirmVersion } from '../../storage/snapshots/snapshots.ts'
import { onEachEngine } from '../support/engines.ts'

onEachEngine('transactions that read', engine => {
  let store: Store
  let reader: Store
  let drop: () => Promise<void>
  before(async () => {
    const created = await engine.create()
    ;({ store, drop } = created)
    reader = openStore(created.url, { readonly: true, connections: 1 })
  })
  after(async () => {
    await reader.close()
    await drop()
  })

  const texts = prepared('snapshots.query', (db, site: number) =>
    db.selectFrom('dict').select('value').where('site_id', '=', site).orderBy('id'),
  )
  /** As hits do: a new text comes with a change of its day. Snapshots here are about site 1. */
  const write = ({ transaction }: Store, site: number, value: string, id = 1) => transaction(trx => writeIn(trx, site, value, id))
  const writeIn = async (trx: Trx, site: number, value: string, id: number) => {
    await trx.insertInto('dict').values({ site_id: site, dim: 1, id, value }).execute()
    await trx
      .insertInto('site_days')
      .values({ site_id: 1, day: 1, starts_at: 0, ends_at: 1, next_visitor: 1, next_loose: 0, rev: 1, sealed_rev: 0 })
      .onConflict(conflict => conflict.columns(['site_id', 'day']).doUpdateSet(({ eb }) => ({ rev: eb('site_days.rev', '+', 1) })))
      .execute()
  }
  const readingFrom =
    ({ read }: Store) =>
    <T>(run: (db: Db) => Awaitable<T>): Promise<T> =>
      inSnapshot(read, [1], run)

  test('see every commit before them and none after they began', async () => {
    for (const [from, site] of [
      [store, 1],
      [reader, 2],
    ] as const) {
      const reading = readingFrom(from)
      const found = async (db: Db) => (await texts(db, site)).map(({ value }) => value)
      assert.deepEqual(await reading(found), [])
      await write(store, site, 'a')
      assert.deepEqual(await reading(found), ['a'])
      assert.deepEqual(await reading(found), ['a'])
      const seen = await reading(async db => {
        const first = await found(db)
        await confirmVersion(db)
        await write(store, site, 'b', 2)
        return [first, await found(db)]
      })
      assert.deepEqual(seen, [['a'], ['a']])
      assert.deepEqual(await reading(found), ['a', 'b'])
    }
  })

  test('see a transaction that was open as they began only once it is over', async () => {
    const reading = readingFrom(reader)
    const found = async (db: Db) => (await texts(db, 3)).map(({ value }) => value)
    await store.transaction(async trx => {
      await writeIn(trx, 3, 'a', 1)
      assert.deepEqual(await reading(found), [])
      assert.deepEqual(await reading(found), [])
    })
    assert.deepEqual(await reading(found), ['a'])
  })

  test('begin again, with the then current state, if a commit comes between a cached and an actual read', async () => {
    const reading = readingFrom(reader)
    const read = (db: Db, id: number) => db.selectFrom('dict').select('value').where('site_id', '=', 5).where('id', '<=', id).execute()
    await write(store, 5, 'v1', 1)
    for (let id = 2; id <= 10; id++) {
      await reading(db => texts(db, 5))
      let runs = 0
      const [remembered, now] = await reading(async db => {
        runs++
        const before = await texts(db, 5)
        await confirmVersion(db)
        if (runs === 1) await write(store, 5, `v${id}`, id)
        return [before, await read(db, id)]
      })
      assert.deepEqual(remembered, now)
      // On Postgres it exists before anything is read.
      assert.equal(runs, engine.name === 'sqlite' ? 2 : 1)
      assert.equal((await reading(db => texts(db, 5))).length, id)
    }
  })

  test('are consistent, whether results are cached or read', async () => {
    const reading = readingFrom(reader)
    const read = (db: Db) => db.selectFrom('dict').select('value').where('site_id', '=', 7).orderBy('id').execute()
    for (let id = 1; id <= 20; id++) {
      await write(store, 7, `v${id}`, id)
      for (let again = 0; again < 3; again++) {
        const [remembered, first, second] = await reading(async db => [await texts(db, 7), await read(db), await read(db)])
        assert.equal(remembered?.at(-1)?.value, `v${id}`)
        assert.deepEqual([remembered, first], [first, second])
      }
    }
  })

  test('fail as what is read in them does, and only for what is true now', async () => {
    const reading = readingFrom(reader)
    const few = async (db: Db) => {
      const found = await texts(db, 8)
      if (found.length < 1) throw new Error('too few')
      return found.length
    }
    await assert.rejects(reading(few), /too few/)
    await assert.rejects(reading(few), /too few/)
    await write(store, 8, 'a')
    assert.equal(await reading(few), 1)
  })

  test('of one connection wait for each other', async () => {
    const reading = readingFrom(reader)
    const found = await Promise.all(Array.from({ length: 5 }, () => reading(db => texts(db, 1))))
    assert.deepEqual(
      found.map(rows => rows.length),
      [2, 2, 2, 2, 2],
    )
  })

  // A file has no connection to lose.
  if (engine.name === 'postgres')
    test('end with the connection that they use, and the next has one of its own', async () => {
      const reading = readingFrom(reader)
      const all = (db: Db) => db.selectFrom('dict').select('value').execute()
      await assert.rejects(
        reading(async db => {
          const {
            rows: [own],
          } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
          await sql`select pg_terminate_backend(${own?.pid})`.execute(store.write)
          await all(db)
        }),
        'two connections read two snapshots',
      )
      assert.deepEqual(await reading(all), await reading(all))
      await write(store, 6, 'a')
      assert.equal((await reading(db => texts(db, 6))).length, 1)
    })

  test('are told no less after one of them failed', async () => {
    const reading = readingFrom(reader)
    await assert.rejects(
      reading(async db => {
        await texts(db, 4)
        throw new Error('no')
      }),
      /no/,
    )
    await write(store, 4, 'a')
    assert.equal((await reading(db => texts(db, 4))).length, 1)
  })
})
