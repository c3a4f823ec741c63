/** Names of regions: one for each code, the same in reports and filters. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { test } from 'node:test'
import { labelSaid, nameOfCode } from '../../../runtime/texts/code-names.ts'
import { regionNames } from '../../../runtime/texts/region-names.ts'
import { root } from '../../../scripts/build/root.ts'
import { dimensions, labelOf } from '../../../storage/engine/vocabulary/dimensions.ts'
import { regionLines, regionName, regionsCalled, REGIONS_SOURCE } from '../../../storage/engine/vocabulary/regions.ts'

const region = dimensions.get('region')!

test('a region is called by its name; what is no code of one stays as it is', () => {
  const called = (value: string) => labelOf(region, value)
  assert.deepEqual(['DE-BY', 'US-CA', 'GB-ENG', 'FR-IDF', 'AT-9', ''].map(called), [
    'Bavaria',
    'California',
    'England',
    'Île-de-France',
    'Vienna',
    '(not set)',
  ])
  for (const value of ['Bavaria', 'DE-XXX', 'DE-', 'de-by', 'XX-1', '__proto__', 'DE-constructor', '\t', 'DE-BY\t'])
    assert.equal(called(value), value)
})

test('regions that share a name are distinguished, and a filter by name finds them all', () => {
  assert.deepEqual([regionName('NL-LI'), regionName('BE-VLI')], ['Limburg (NL)', 'Limburg (BE)'])
  assert.deepEqual([...regionsCalled('limburg')].sort(), ['BE-VLI', 'NL-LI'])
  assert.deepEqual(regionsCalled('Limburg (BE)'), ['BE-VLI'])
  assert.deepEqual(regionsCalled('us-ca'), ['US-CA'])
  assert.deepEqual(regionsCalled('constructor'), [])
})

test('no two regions have the same label', () => {
  const lines = regionLines(fs.readFileSync(createRequire(import.meta.url).resolve(REGIONS_SOURCE), 'utf8'))
  const labels = lines.split('\n').flatMap(line =>
    line
      .split('\t')
      .slice(1)
      .map(each => each.slice(each.indexOf(' ') + 1)),
  )
  assert.ok(labels.length > 5_000)
  assert.equal(new Set(labels).size, labels.length)
  const built = path.join(root, 'dist/regions.txt')
  if (fs.existsSync(built)) assert.equal(fs.readFileSync(built, 'utf8'), lines)
})

test('a language names regions that there are, otherwise than English, and calls the others as English does', () => {
  for (const [language, names] of Object.entries(regionNames))
    for (const each of names.split(/,\s+/)) {
      const [, code = '', name] = /^(\S+) (.+)$/.exec(each) ?? []
      assert.ok(regionName(code), `${language}: ${each}`)
      assert.equal(nameOfCode('region', code, { locale: language }), name)
      assert.notEqual(name, regionName(code), `${language}: ${each} is its English name`)
    }
  assert.equal(labelSaid({ dimension: 'region', value: 'DE-BY', label: 'Bavaria', reader: { locale: 'de' } }), 'Bayern')
  assert.equal(labelSaid({ dimension: 'region', value: 'US-TX', label: 'Texas', reader: { locale: 'de' } }), 'Texas')
  assert.equal(labelSaid({ dimension: 'region', value: 'Bavaria', label: 'Bavaria', reader: { locale: 'de' } }), 'Bavaria')
  assert.equal(nameOfCode('region', 'DE-BY', { locale: 'it' }), 'Bavaria')
})
