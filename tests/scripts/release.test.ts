/** The files of `npm run release`, as far as they need no clone and no download. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { describe, test } from 'node:test'
import { sectionOf } from '../../scripts/release/notes.ts'
import { partsList } from '../../scripts/release/sbom.ts'
import { PLACEHOLDER, type Source } from '../../scripts/release/source.ts'
import { bringUpToDate } from '../../scripts/up-to-date.mjs'

const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'))
const source: Source = {
  folder: process.cwd(),
  version: manifest.version,
  commit: 'a'.repeat(40),
  seconds: 1_795_000_000,
  repository: PLACEHOLDER,
}

describe('a release', () => {
  test('lists as parts what is installed and what is bundled, and nothing that only builds', () => {
    assert.equal(bringUpToDate(), undefined)
    const bom = JSON.parse(partsList(source))
    const bundled = new Map<string, string>(
      bom.components.map((each: { name: string; properties: { name: string; value: string }[] }) => [
        each.name,
        each.properties.find(({ name }) => name === 'footfall:bundled')?.value,
      ]),
    )
    for (const name of ['kysely', 'hono', 'isbot', 'country-flag-icons']) assert.equal(bundled.get(name), 'true', name)
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) assert.ok(bundled.has(name), name)
    assert.equal(bundled.get('better-sqlite3'), 'false')
    for (const name of ['esbuild', 'tsx', '@types/pg']) assert.ok(!bundled.has(name), name)
    const refs = new Set(bom.components.map((each: { 'bom-ref': string }) => each['bom-ref']))
    for (const { dependsOn } of bom.dependencies) for (const ref of dependsOn) assert.ok(refs.has(ref), ref)
    assert.equal(bom.metadata.timestamp, '2026-11-18T11:06:40.000Z')
    assert.match(bom.serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('takes its notes from the section of its version', () => {
    const changelog = '# Changelog\n\n## Unreleased\n\n- new\n\n## 0.10.0 — 2026-01-02\n\n- tenth\n\n## 0.1.0 — 2026-01-01\n\n- first\n'
    assert.equal(sectionOf(changelog, '0.1.0'), '- first')
    assert.equal(sectionOf(changelog, '0.10.0'), '- tenth')
    assert.throws(() => sectionOf(changelog, '0.2.0'), /no section of 0\.2\.0/)
    assert.ok(sectionOf(fs.readFileSync('CHANGELOG.md', 'utf8'), manifest.version).length > 0)
  })

  test('leaves no address of the repository but the placeholder, which one option fills in', () => {
    for (const file of ['package.json', 'README.md', 'SECURITY.md', '.github/ISSUE_TEMPLATE/config.yml']) {
      assert.match(fs.readFileSync(file, 'utf8'), new RegExp(PLACEHOLDER), file)
    }
    assert.notEqual(manifest.private, true)
  })
})
