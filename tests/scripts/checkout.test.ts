/** What `npm ci` installs in a checkout, and what only tests need: tools has a lock file for that. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

interface Locked {
  readonly version?: string
  /** Of a package for some machines: those that do not fit are not installed. */
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}

const readJson = (file: string) => JSON.parse(fs.readFileSync(file, 'utf8')) // any, as npm wrote them
const manifest = readJson('package.json')
const ofTests: Readonly<Record<string, string>> = readJson('tools/package.json').dependencies
const packagesOf = (folder: string): readonly (readonly [string, Locked])[] =>
  Object.entries<Locked>(readJson(path.join(folder, 'package-lock.json')).packages).filter(([at]) => at !== '')

/** Of another machine: one of each is installed here, too. */
const isOfMachine = ([, { os, cpu }]: readonly [string, Locked]): boolean => os !== undefined || cpu !== undefined

test('npm ci installs at most 300 packages', () => {
  const all = packagesOf('.').filter(locked => !isOfMachine(locked))
  assert.ok(
    all.length <= 300,
    `package-lock.json has ${all.length} packages. If only tests, scripts or benchmarks need a package, add it to tools/package.json.`,
  )
})

test('the packages of tests are locked at the versions that their package.json names, and no package is in both', () => {
  const locked = new Map(packagesOf('tools'))
  for (const [name, version] of Object.entries(ofTests))
    assert.equal(locked.get(`node_modules/${name}`)?.version, version.replace(/^.*@/, ''), name)
  const ofCheckout = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }
  assert.deepEqual(
    Object.keys(ofTests).filter(name => name in ofCheckout),
    [],
  )
})

test('files import a package of tests through its file in tools', () => {
  const files = ['adapters', 'operations', 'runtime', 'scripts', 'storage', 'tests', 'tracker'].flatMap(folder =>
    fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(file => path.join(folder, file).replaceAll(path.sep, '/')),
  )
  const sources = files.filter(file => /\.(tsx?|mjs)$/.test(file) && !/^tests\/packages\/|node_modules\//.test(file))
  const named = new Set(Object.keys(ofTests))
  const wrong = sources.flatMap(file =>
    [...fs.readFileSync(file, 'utf8').matchAll(/^(?:import|export) .*from '((?:@[^'/]+\/)?[^'/]+)|import\('((?:@[^'/]+\/)?[^'/]+)/gm)]
      .map(([, imported, dynamic]) => imported ?? dynamic ?? '')
      .filter(name => named.has(name) && !file.endsWith('tests/adapters/openapi/files.test.ts')) // of the client that it writes
      .map(name => `${file} imports ${name}: a checkout after npm ci does not have it. Import the file of tools that passes it on.`),
  )
  assert.deepEqual(wrong, [])
  assert.ok(sources.length > 1_000, 'the sources were read')
})
