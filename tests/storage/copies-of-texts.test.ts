/** Copies of deleted texts that a database keeps besides its rows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scrubbing, scrubCopies } from '../../storage/hits/erase-person.ts'
import { placesOfTexts, sampleValues } from '../support/bytes.ts'
import { onEachEngine } from '../support/engines.ts'

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
