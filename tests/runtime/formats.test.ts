/** Formats of schemas that are checked without a regular expression. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FormatRegistry } from '@sinclair/typebox'
import '../../runtime/table/schema.ts'
import fc from '../support/properties.ts'

const fits = (text: string): boolean => FormatRegistry.Get('date-time')?.(text) ?? assert.fail()
/** In another notation, which is checked otherwise. */
const other = (text: string): string => text.replace(/Z$/, '+00:00')

test('a time in the form of Date.toISOString is one in any other notation as well, and only then', () => {
  const times = fc.integer({ min: Date.UTC(1, 0), max: Date.UTC(9999, 11, 31) }).map(time => new Date(time).toISOString())
  const character = fc.constantFrom(...'0123456789-:.TZ /;a')
  fc.assert(
    fc.property(times, fc.nat(22), character, (text, at, put) => {
      assert.equal(fits(text), true)
      const changed = `${text.slice(0, at)}${put}${text.slice(at + 1)}`
      assert.equal(fits(changed), fits(other(changed)), changed)
    }),
  )
  for (const text of ['2026-02-29T00:00:00.000Z', '2026-04-31T00:00:00.000Z', '2026-01-01T24:00:00.000Z', '2026-00-10T00:00:00.000Z'])
    assert.equal(fits(text), false, text)
  assert.equal(fits('2028-02-29T23:59:59.999Z'), true)
})
