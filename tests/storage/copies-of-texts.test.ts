/** Copies of deleted texts that a database keeps besides its rows. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { scrubCopies } from '../../storage/hits/scrub-copies.ts'
import { scrubbing } from '../../storage/hits/scrubbing.ts'
import { emptiedTable, placesOfTexts, sampleValues } from '../support/bytes.ts'
import { chanceOf } from '../support/chance.ts'
import { engines, onEachEngine, sqlite } from '../support/engines.ts'

const postgres = engines.find(({ name }) => name === 'postgres')

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

describe('copies of rows that SQLite moved to another page', { skip: !engines.includes(sqlite) }, () => {
  test('end with the scrubbing, and all other rows stay', async () => {
    const { store, url, drop } = await sqlite.create()
    const { bytes } = chanceOf('rows that move')
    const rows = Array.from({ length: 20_000 }, (_, i) => ({
      site_id: 1,
      dim: i % 20,
      id: 1 + Math.floor(i / 20),
      value: `/${bytes(8).toString('hex')}/${i % 2 === 0 ? 'gone' : 'stays'}`,
    }))
    for (let i = 0; i < rows.length; i += 500)
      await store.write
        .insertInto('dict')
        .values(rows.slice(i, i + 500))
        .execute()
    await store.transaction(trx => scrubbing(store, trx, () => trx.deleteFrom('dict').where('value', 'like', '%/gone').execute()))
    await sql`pragma wal_checkpoint(truncate)`.execute(store.write)
    const placesOf = async () => (await placesOfTexts({ store, url }))('/gone')
    assert.deepEqual(await placesOf(), ['file'], 'only the rows were deleted')
    await scrubCopies(store)
    assert.deepEqual(await placesOf(), [])
    const left = await store.read.selectFrom('dict').selectAll().orderBy('dim').orderBy('id').execute()
    assert.deepEqual(
      left,
      rows.filter(({ value }) => value.endsWith('/stays')).toSorted((a, b) => a.dim - b.dim || a.id - b.id),
    )
    await drop()
  })
})

describe('samples of an emptied table of Postgres in use', { skip: !postgres }, () => {
  test('end as soon as it is free, and who reads it meanwhile hardly waits', async () => {
    if (!postgres) throw new Error('there is no Postgres')
    const { store, url, drop } = await postgres.create()
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
