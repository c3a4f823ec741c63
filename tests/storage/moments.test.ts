/** A transaction that reads may be told what others were told before it, and never what has changed since. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { prepared } from '../../storage/prepared.ts'
import type { Db, Store } from '../../storage/store.ts'
import { onlyReads } from '../../storage/version.ts'
import { onEachEngine } from '../support/engines.ts'

onEachEngine('transactions that read', engine => {
  let store: Store
  let drop: () => Promise<void>
  before(async () => {
    ({ store, drop } = await engine.create())
  })
  after(() => drop())

  const texts = prepared((db, site: number) =>
    db.selectFrom('dict').select('value').where('site_id', '=', site).orderBy('id'))
  const reading = <T>(read: (db: Db) => Promise<T>): Promise<T> =>
    store.read.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(trx => {
      onlyReads(trx, store.read)
      return read(trx)
    })
  const found = async (db: Db) => (await texts(db, 1)).map(({ value }) => value)
  const write = (id: number, value: string) =>
    store.transaction(trx => trx.insertInto('dict').values({ site_id: 1, dim: 1, id, value }).execute())

  test('see every commit before them and none after they began', async () => {
    assert.deepEqual(await reading(found), [])
    await write(1, 'a')
    assert.deepEqual(await reading(found), ['a'])
    assert.deepEqual(await reading(found), ['a'])
    const seen = await reading(async db => {
      const first = await found(db)
      await write(2, 'b')
      return [first, await found(db)]
    })
    assert.deepEqual(seen, [['a'], ['a']])
    assert.deepEqual(await reading(found), ['a', 'b'])
  })
})
