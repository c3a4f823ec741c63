/** The limits of JSON apply to each item of a list that may be long, wherever it is cut for parsing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../runtime/table/errors.ts'
import { parseJson, parseJsonList } from '../../runtime/call/parse-json.ts'

const objectOf = (keys: number) => `{${Array.from({ length: keys }, (_, i) => `"k${i}":1`).join(',')}}`
const tooMany = (thrown: unknown) => thrown instanceof Failure && /more than 10000 fields/.test(thrown.message)

test('an item may have as many keys as any other JSON, whatever comes before it', async () => {
  const items = [1_900, 9_900, 10_000, 50, 9_999]
  const parsed = await parseJsonList(`[${items.map(objectOf).join(', ')}]`)
  assert.ok(Array.isArray(parsed))
  assert.deepEqual(
    parsed.map(item => Object.keys(item).length),
    items,
  )
})

test('one item of more is too much, and so is a text of more that is no list', async () => {
  await assert.rejects(parseJsonList(`[${objectOf(5)},${objectOf(10_001)}]`), tooMany)
  await assert.rejects(parseJsonList(objectOf(10_001)), tooMany)
  assert.throws(() => parseJson(`[${objectOf(6_000)},${objectOf(6_000)}]`), tooMany)
})
