/** Where a browser may be led on to, from what a link or a form names. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownPath } from '../../runtime/table/page.ts'

test('paths of ours are kept, with their query', () => {
  for (const path of ['/', '/account', '/sites/s_1?range=7d&x=%2F', '/a//b']) assert.equal(ownPath(path), path)
  assert.equal(ownPath('/a/../b#there'), '/b')
})

test('a path that could lead a browser to another host is refused in every spelling', () => {
  const elsewhere = [
    ...['https://evil.example', '//evil.example', '/\\evil.example', '\\\\evil.example', 'javascript:alert(1)', 'evil.example', ''],
    ...['/x/..//evil.example', '/.//evil.example', '/x/%2e%2e//evil.example', '/x/.%2E///evil.example', '/..//evil.example'],
    ...['/\t/evil.example', '/\n/evil.example', ' //evil.example', '/a b', `/${'x'.repeat(4_000)}`],
  ]
  for (const path of elsewhere) assert.equal(ownPath(path), undefined, path)
  assert.equal(ownPath(null), undefined)
})
