/** Keys of files of hits that wait for the database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileKeys, newFileKey, publicKeyOf } from '../../../operations/sites/collection/spool/file-keys.ts'

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]

test('the secret of an installation finds the key of a file, and another secret does not', () => {
  const { key, hint } = newFileKey(publicKeyOf(first))
  assert.deepEqual(fileKeys([second, first], hint)[1], key)
  assert.notDeepEqual(fileKeys([second], hint), [key])
  assert.notDeepEqual(newFileKey(publicKeyOf(first)).key, key, 'each file has its own')
})

test('a name that is no hint has no key: such a file does not stop those behind it', () => {
  const small = ['00'.repeat(32), `01${'00'.repeat(31)}`] // of small order: they agree on no secret
  for (const hint of ['', 'none', 'ff'.repeat(31), ...small]) assert.deepEqual(fileKeys([first, second], hint), [], hint)
})
