/** Number and size of the files that a browser loads for a page. */
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { after, before, test } from 'node:test'
import { build } from 'esbuild'
import { makeSprite } from '../../../runtime/ui/icons/sprite.ts'
import { fontFiles } from '../../../scripts/build/fonts.ts'
import { pageAssets } from '../../../scripts/build/options.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'
import { sendTraffic } from './traffic.ts'

const KB = 1_024
/** Built once. */
let assets: ReturnType<typeof build<typeof options>> | undefined
const options = { ...pageAssets, write: false } as const
const builtAssets = () => (assets ??= build(options))
const packed = (content: string | Uint8Array): number => gzipSync(content).length

test('scripts have at most 18 KB and styles 16.5 KB, packed', async () => {
  const { outputFiles } = await builtAssets()
  const sizes = new Map(outputFiles.map(({ path, contents }) => [path.replace(/.*\//, ''), packed(contents)]))
  const of = (ending: string) => [...sizes].filter(([name]) => name.endsWith(ending)).reduce((sum, [, size]) => sum + size, 0)
  assert.ok(of('.js') <= 18 * KB, `scripts: ${of('.js')}`)
  assert.ok(of('.css') <= 16.5 * KB, `styles: ${of('.css')}`)
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

  test('has at most 80 KB, packed, with everything that it loads at first: one style, one script, one font, the icons', async () => {
    const { text } = await request(service, 'GET', `/sites/${world.ids.site}/overview?period=90d`, {
      token: world.shown.session,
      headers: { Accept: 'text/html' },
    })
    assert.ok(packed(text) <= 15 * KB, `${packed(text)} bytes`)
    assert.deepEqual([text.match(/<script /g)?.length, text.match(/<link rel="stylesheet"/g)?.length], [1, 1])
    const { outputFiles } = await builtAssets()
    const files = outputFiles.filter(({ path }) => /\/(app\.css|page\.js)$/.test(path)).map(({ contents }) => contents)
    const font = (await fontFiles()).get('inter-latin.woff2') ?? assert.fail('no font')
    const all = [text, ...files, makeSprite()].map(packed).reduce((sum, size) => sum + size, font.length)
    assert.ok(all <= 80 * KB, `${all} bytes`)
  })
})
