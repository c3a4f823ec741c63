/** Imports within the engine, including type imports, have one direction. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const engine = path.join(root, 'storage/engine')
const relative = (file: string) => path.relative(root, file)

const filesIn = (folder: string): string[] =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => path.join(root, folder, name))

/** The files that a file imports or re-exports. */
function importsOf(file: string): string[] {
  const text = fs.readFileSync(file, 'utf8')
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)].map(([, specifier = '']) =>
    path.resolve(path.dirname(file), specifier),
  )
}

/** Folders of the engine: a file imports from its own and from earlier ones. Files beside the folders come last. */
const order = ['vocabulary', 'columns', 'days', 'scan', 'reports', '']
function rankOf(file: string): number {
  const [folder = ''] = path.relative(engine, file).split(path.sep)
  return order.includes(folder) ? order.indexOf(folder) : order.length - 1
}

test('the engine imports nothing from above storage, and each folder only from those before it', () => {
  for (const file of filesIn('storage/engine')) {
    for (const imported of importsOf(file)) {
      const edge = `${relative(file)} imports ${relative(imported)}`
      assert.match(relative(imported), /^storage\//, edge)
      if (imported.startsWith(engine + path.sep)) assert.ok(rankOf(imported) <= rankOf(file), edge)
    }
  }
})

test('the rest of storage, and all that lies above it, knows the interface and the vocabulary only', () => {
  const own = [path.join(root, 'tests/storage/engine'), engine].map(folder => folder + path.sep)
  for (const file of ['storage', 'runtime', 'operations', 'adapters', 'scripts', 'tests'].flatMap(filesIn)) {
    if (own.some(folder => file.startsWith(folder))) continue
    for (const imported of importsOf(file)) {
      if (!imported.startsWith(engine + path.sep)) continue
      assert.match(path.relative(engine, imported), /^(index\.ts$|vocabulary\/)/, `${relative(file)} imports ${relative(imported)}`)
    }
  }
})

test('no module of the engine keeps state: it belongs to an object that a thread owns', () => {
  const state =
    /^(export )?(let |var |const \w+(: (?!Readonly)[^=]+)? = (new (Map|Set|WeakMap|WeakSet|LRUCache|Tally)\b[^(]*\(|reusedBuffer\())/m
  for (const file of filesIn('storage/engine')) {
    const lines = fs.readFileSync(file, 'utf8').split('\n')
    const found = lines.filter(line => state.test(line))
    assert.deepEqual(found, [], relative(file))
  }
})
