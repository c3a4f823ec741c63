/** The format that numbers are sent to ClickHouse in, without a server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeBlocks, encodeBlock, type NativeColumn, scalars } from '../../../storage/cluster/native.ts'

const min = { UInt8: 0, UInt16: 0, UInt32: 0, UInt64: 0, Int32: -(2 ** 31), Int64: Number.MIN_SAFE_INTEGER, Float64: -1.5 }
const max = {
  UInt8: 255,
  UInt16: 65_535,
  UInt32: 2 ** 32 - 1,
  UInt64: Number.MAX_SAFE_INTEGER,
  Int32: 2 ** 31 - 1,
  Int64: Number.MAX_SAFE_INTEGER,
  Float64: 1e300,
}

test('the least and the highest number of every type survive, single and in arrays, over several blocks', () => {
  const block = (ends: readonly number[]): Buffer =>
    encodeBlock(
      scalars.flatMap((type): NativeColumn[] => [
        { name: type, type, values: [min[type], max[type], 0] },
        { name: `${type}s`, type, values: [max[type], min[type], 7], ends },
      ]),
      3,
    )
  const { rows, columns } = decodeBlocks(Buffer.concat([block([1, 1, 3]), block([0, 3, 3])]))
  assert.equal(rows, 6)
  for (const type of scalars) {
    assert.deepEqual([...(columns.get(type)?.values ?? [])], [min[type], max[type], 0, min[type], max[type], 0])
    assert.deepEqual([...(columns.get(`${type}s`)?.values ?? [])], [max[type], min[type], 7, max[type], min[type], 7])
    assert.deepEqual([...(columns.get(`${type}s`)?.ends ?? [])], [1, 1, 3, 3, 6, 6])
  }
})

test('a number that does not fit its column is an error, not another number', () => {
  for (const value of [-1, 256, 0.5, Number.NaN]) {
    assert.throws(() => encodeBlock([{ name: 'bounce', type: 'UInt8', values: [value] }], 1), /bounce: .* does not fit UInt8/)
  }
})

test('an answer that is cut short is an error, wherever it is cut', () => {
  const whole = encodeBlock([{ name: 'page', type: 'UInt32', values: [1, 2, 3], ends: [1, 3] }], 2)
  for (let length = 1; length < whole.length; length++) assert.throws(() => decodeBlocks(whole.subarray(0, length)), /cut short/)
  assert.deepEqual(decodeBlocks(new Uint8Array(0)), { rows: 0, columns: new Map() })
})
