/** The code that a start reads and compiles: more of it makes every start slower and every idle process larger. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { build, type Metafile, stop } from 'esbuild'
import { packagesApart, service } from '../../scripts/build/options.ts'
import { startOf } from '../support/start.ts'

/** Bytes of JavaScript without white space; without a code cache, twice as many took 0.25 s and 50 MB more. */
const MOST = 4_300_000

let metafile: Metafile
before(async () => {
  ;({ metafile } = await build({ ...service, sourcemap: false, write: false }))
})
after(stop)

test('A start loads little: packages that few need are imported where they are used', () => {
  const { loaded, bytesOf } = startOf(metafile)
  const sizes = new Map<string, number>()
  for (const file of loaded) {
    const [, owner = file.split('/').slice(0, 2).join('/')] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? []
    sizes.set(owner, (sizes.get(owner) ?? 0) + bytesOf(file))
  }
  const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
  const largest = [...sizes].sort(([, a], [, b]) => b - a).slice(0, 15)
  assert.ok(loaded.size > 10 && sizes.has('kysely'), 'the service is not what was looked at')
  assert.ok(
    total <= MOST,
    `A start loads ${total} bytes, more than ${MOST}. Import what only some need with import() where it is used. The largest:\n  ${largest.map(([owner, bytes]) => `${owner} ${bytes}`).join('\n  ')}`,
  )
})

test('A start loads no client of ClickHouse, nor what writes and reads copies', () => {
  const inBuild = [...Object.keys(metafile.inputs), ...Object.keys(packagesApart.entryPoints)]
  const { loaded } = startOf(metafile)
  for (const part of [/clickhouse.client/, /storage\/cluster\/open-cluster\.ts/, /storage\/cluster\/native\.ts/]) {
    assert.ok(
      inBuild.some(file => part.test(file)),
      `${part} is in the build`,
    )
    assert.deepEqual(
      [...loaded].filter(file => part.test(file)),
      [],
    )
  }
})
