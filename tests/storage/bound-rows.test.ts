/** Rows that statements bind, on both engines. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDataError } from '../../storage/hits/data-error.ts'
import { bigint, int, real, statement, text } from '../../storage/sql/row-statements.ts'
import { onEachEngine } from '../support/engines.ts'

interface Item {
  readonly small: number
  readonly large: number
  readonly part: number | null
  readonly word: string | null
}

const items: readonly Item[] = [
  { small: 0, large: 0, part: null, word: null },
  { small: 2 ** 31 - 1, large: Number.MAX_SAFE_INTEGER, part: 0.1, word: '' },
  { small: -(2 ** 31), large: Number.MIN_SAFE_INTEGER, part: -1e300, word: 'null' },
  { small: -1, large: -1, part: 5, word: `{"a":'b',\\"c"}` },
  { small: 1, large: 2 ** 32, part: 0, word: 'bücher, 東京 🙂\n' },
  { small: 7, large: -(2 ** 32) - 1, part: 1 / 3, word: 'x'.repeat(1_000) },
]

onEachEngine('rows of a statement', engine => {
  const read = (store: Awaited<ReturnType<typeof engine.create>>['store']) =>
    statement<Item, Item>(store, {
      name: 'bound-rows.read',
      columns: { small: int(of => of.small), large: bigint(of => of.large), part: real(of => of.part), word: text(of => of.word) },
      body: 'select * from given',
    })

  test('arrive as they are, in their order', async () => {
    const { store, drop } = await engine.create()
    const rows = await store.transaction(trx => read(store)(items)(trx))
    assert.deepEqual(
      rows.map(row => ({ ...row })),
      items,
    )
    await drop()
  })

  test('are refused as invalid data if a number does not fit', async () => {
    if (engine.name !== 'postgres') return // a column of SQLite refuses it, not the statement
    const { store, drop } = await engine.create()
    for (const fault of [{ small: 2 ** 31 }, { small: 0.5 }, { large: 2 ** 60 }, { large: Number.NaN }]) {
      const faulty = { small: 1, large: 1, part: null, word: null, ...fault }
      await assert.rejects(
        store.transaction(trx => read(store)([faulty])(trx)),
        error => isDataError(error),
      )
    }
    await drop()
  })
})
