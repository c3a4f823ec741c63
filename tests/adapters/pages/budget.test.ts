/** Number and size of the files that a browser loads for a page. */
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { after, before, test } from 'node:test'
import { build } from 'esbuild'
import { pageAssets } from '../../../scripts/build/options.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'
import { sendTraffic } from './traffic.ts'

const KB = 1_024
const packed = (content: string | Uint8Array): number => gzipSync(content).length

test('scripts have at most 15 KB and styles 10 KB, packed', async () => {
  const { outputFiles } = await build({ ...pageAssets, write: false })
  const sizes = new Map(outputFiles.map(({ path, contents }) => [path.replace(/.*\//, ''), packed(contents)]))
  const of = (ending: string) => [...sizes].filter(([name]) => name.endsWith(ending)).reduce((sum, [, size]) => sum + size, 0)
  assert.ok(of('.js') <= 15 * KB, `scripts: ${of('.js')}`)
  assert.ok(of('.css') <= 10 * KB, `styles: ${of('.css')}`)
})

onAnyEngine('The overview', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    await sendTraffic(service, world)
  })
  after(() => service.close())

  test('has at most 15 KB, packed, and loads one style and one script', async () => {
    const { text } = await request(service, 'GET', `/sites/${world.ids.site}/overview?period=90d`, {
      token: world.shown.session,
      headers: { Accept: 'text/html' },
    })
    assert.ok(packed(text) <= 15 * KB, `${packed(text)} bytes`)
    assert.deepEqual([text.match(/<script /g)?.length, text.match(/<link rel="stylesheet"/g)?.length], [1, 1])
  })
})
