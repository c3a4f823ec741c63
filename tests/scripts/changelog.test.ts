/** The changelog: one file per change, joined at a release; what was released stays as it is. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { changesIn, digestOf, joined, released } from '../../scripts/release/changelog.ts'

const changelog = fs.readFileSync('CHANGELOG.md', 'utf8')

test('the changes of the next release are files that can be joined', () => {
  const changes = changesIn('changes')
  const text = joined(changelog, changes)
  for (const { text: change } of changes) assert.ok(text.replace(/\s+/g, ' ').includes(change.replaceAll('](../', '](')), change)
  for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) assert.ok(fs.existsSync(target), target)
})

test('sections of released versions are as they were', () => {
  const kept = fs.readFileSync('changes/released.sha256', 'utf8').trim()
  assert.equal(digestOf(changelog), kept, 'write about the change in changes/, not in the section of a released version')
})

const before = '# Changelog\n\nHead.\n\n## Unreleased\n\n### Fixed\n\n- Old way.\n\n## 0.1.0 — 2026-01-01\n\n### Added\n\n- First.\n'

test('files become the section of a version, security before what was added, each change once', t => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-changes-'))
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  const file = (name: string) => path.join(folder, `${name}.md`)
  const write = (name: string, text: string) => fs.writeFileSync(file(name), text)
  write('README', '# Not a change')
  write('added-b', `Long ${'word '.repeat(40)}\nend.\n`)
  write('security-a', 'A hole.\n')
  write('fixed-c', 'New way.')
  const after = released(before, changesIn(folder), { version: '0.2.0', day: '2026-02-02' })
  const lines = after.split('\n')
  assert.deepEqual(
    lines.filter(line => line.startsWith('#')),
    ['# Changelog', '## 0.2.0 — 2026-02-02', '### Security', '### Added', '### Fixed', '## 0.1.0 — 2026-01-01', '### Added'],
  )
  assert.match(after, /### Fixed\n\n- Old way\.\n- New way\.\n\n## 0\.1\.0/)
  assert.match(after, /- Long (word )+word\n {2}(word )+end\./)
  assert.ok(lines.every(line => line.length <= 140))
  assert.ok(after.endsWith(before.slice(before.indexOf('## 0.1.0'))), 'what was released stays')
  assert.notEqual(digestOf(after), digestOf(before))
  assert.equal(joined(after, []), '', 'nothing waits after a release')

  for (const [name, text] of [
    ['new-d', 'x'],
    ['added-e', ''],
    ['added-f', '- a list'],
    ['added-g', 'a\n\nb'],
    ['added-h', 'x'.repeat(401)],
  ] as const) {
    write(name, text)
    assert.throws(() => changesIn(folder), new RegExp(name))
    fs.rmSync(file(name))
  }
})
