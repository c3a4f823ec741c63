/** docs/security.md compares every requirement of the chapters it is about, and what it names as holding one is there. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'

/** The last requirement of level 1 or 2 in each section of OWASP ASVS 5.0; those of level 3 come after it. */
const sections: Readonly<Record<string, number>> = {
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '8.1': 2,
  '8.2': 3,
  '8.3': 1,
  '8.4': 1,
  '9.1': 3,
  '9.2': 4,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 11,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
}
const required = Object.entries(sections).flatMap(([section, last]) => Array.from({ length: last }, (_, i) => `${section}.${i + 1}`))

const rows = [...fs.readFileSync('docs/security.md', 'utf8').matchAll(/^\| (\d+\.\d+\.\d+) \| (.+?) \| (.+?) \| (.+) \|$/gm)].map(
  ([, number = '', text = '', status = '', by = '']) => ({ number, text, status, by }),
)

test('every requirement has a row, in order and once', () => {
  assert.deepEqual(
    rows.map(({ number }) => number),
    required,
  )
})

test('each row names a test that exists, or says why there is none', () => {
  for (const { number, status, by } of rows) {
    assert.ok(['met', 'partly', 'n/a'].includes(status), `${number}: ${status}`)
    const named = [...by.matchAll(/`(tests\/[\w./-]+\.ts)`/g)].map(([, file = '']) => file)
    for (const file of named) assert.ok(fs.existsSync(file), `${number}: ${file}`)
    for (const [, file = '', title = ''] of by.matchAll(/`(tests\/[\w./-]+\.ts)`: “([^”]+)”/g))
      assert.ok(fs.readFileSync(file, 'utf8').includes(title), `${number}: “${title}” in ${file}`)
    const reason = by.replaceAll(/`tests\/[^`]*`/g, '').replaceAll(/[\s,;]/g, '')
    if (status === 'met') assert.ok(named.length > 0 || reason.length > 10, `${number}: what holds it?`)
    else assert.ok(reason.length > 10, `${number}: why is it ${status}?`)
  }
})
