/** Columns of exported hits. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { hitColumns } from '../../../operations/exchange/exports/hits.ts'
import { fieldNames } from '../../../operations/exchange/imports/fields.ts'

test('every column of an export of hits is a field of an import', () => {
  const known: ReadonlySet<string> = new Set(fieldNames)
  const lacking = hitColumns.map(({ name }) => name).filter(name => !known.has(name))
  assert.deepEqual(lacking, [], 'add these to operations/exchange/imports/fields.ts, and read them in read-hit.ts')
})
