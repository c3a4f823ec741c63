/** Copies of deleted texts that a database keeps besides its rows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { scrubbing, scrubCopies } from '../../storage/hits/erase-person.ts'
import { emptiedTable, placesOfTexts, sampleValues } from '../support/bytes.ts'
import { onEachEngine, onSharedEngine } from '../support/engines.ts'

onEachEngine('copies of deleted texts', engine => {
  test('end with a deletion that leaves rows in the table, and with one that leaves none', async () => {
    const { store, url, drop } = await engine.create()
    const add = (names: readonly string[]) =>
      store.write
        .insertInto('workspaces')
        .values(names.map((name, i) => ({ id: `ws_${name.length}_${i}`, name, created_at: 1 })))
        .execute()
    const remove = (names: readonly string[]) =>
      store.transaction(trx => scrubbing(store, trx, () => trx.deleteFrom('workspaces').where('name', 'in', names).execute()))
    const [first, others] = [['first-text'], ['second-text', 'third-text']]
    await add([...first, ...others])
    await sampleValues({ store })
    if (store.isShared) assert.deepEqual((await placesOfTexts({ store, url }))('first-text'), ['workspaces', 'statistics'])
    for (const names of [first, others]) {
      await remove(names)
      await scrubCopies(store)
      const placesOf = await placesOfTexts({ store, url })
      for (const name of names) assert.deepEqual(placesOf(name), [], name)
    }
    await add(first)
    assert.deepEqual(await store.read.selectFrom('workspaces').select('name').execute(), [{ name: 'first-text' }])
    await drop()
  })
})

onSharedEngine('samples of an emptied table in use', engine => {
  test('end as soon as it is free, and who reads it meanwhile hardly waits', async () => {
    const { store, url, drop } = await engine.create()
    const { text, table, whileInUse } = await emptiedTable(store)
    const isAwaited = async () => {
      const { rows } = await sql`
        select 1 from pg_locks where relation = ${table}::regclass and mode = 'AccessExclusiveLock' and not granted`.execute(store.read)
      return rows.length > 0
    }
    const { scrubbed } = await whileInUse(async () => {
      const scrubbed = scrubCopies(store)
      while (!(await isAwaited())) await setTimeout(5)
      await store.transaction(async trx => {
        await sql`set local lock_timeout = '500ms'`.execute(trx)
        await sql`select count(*) from ${sql.table(table)}`.execute(trx)
      })
      return { scrubbed }
    })
    await scrubbed
    assert.deepEqual((await placesOfTexts({ store, url }))(text), [])
    await drop()
  })
})
