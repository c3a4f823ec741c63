/** The API reference in a real browser: it shows the operations and sends no requests elsewhere. */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type ServerType, serve } from '@hono/node-server'
import { table } from '../../../operations/index.ts'
import { launchChromium, withoutChromium } from '../../support/chromium.ts'
import { engines } from '../../support/engines.ts'
import { request, startService, type TestService } from '../../support/world.ts'

let service: TestService
before(async () => {
  const [engine] = engines
  assert.ok(engine)
  service = await startService(engine)
})
after(() => service.close())

test('the page names a policy of its own, without another host, and a script that may be kept for ever', async () => {
  const page = await request(service, 'GET', '/docs')
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.doesNotMatch(policy, /https?:|\*|unsafe/)
  assert.doesNotMatch(page.text, /https?:\/\//)

  const [, nonce = ''] = /nonce="([^"]+)"/.exec(page.text) ?? []
  assert.ok(policy.includes(`style-src 'self' 'nonce-${nonce}'`) && nonce.length >= 22)
  assert.ok(!(await request(service, 'GET', '/docs')).text.includes(nonce), 'another one each time')
  assert.equal(page.headers.get('cache-control'), 'no-store')

  const [, address = ''] = /<script src="(docs\/scalar[^"]+)"/.exec(page.text) ?? []
  assert.match(address, /^docs\/scalar-\d+\.\d+\.\d+\.js$/)
  const plain = await service.web.request(`/${address}`)
  const packed = await service.web.request(`/${address}`, { headers: { 'Accept-Encoding': 'gzip' } })
  assert.match(plain.headers.get('cache-control') ?? '', /immutable/)
  assert.deepEqual([plain.headers.get('content-encoding'), packed.headers.get('content-encoding')], [null, 'gzip'])
  const unpacked = await new Response(packed.body?.pipeThrough(new DecompressionStream('gzip'))).text()
  assert.equal(unpacked, await plain.text())
})

test('it shows operations, keeps to its policy and asks no other host', { skip: withoutChromium }, async () => {
  const server: ServerType = serve({ fetch: service.web.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise(resolve => server.once('listening', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP server that listens has one
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', each => asked.push(each.url()))
    page.on('console', message => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', error => complaints.push(error.message))
    await page.exposeFunction('complain', (what: string) => complaints.push(what))
    await page.addInitScript(`addEventListener('securitypolicyviolation', each => complain(each.violatedDirective))`)
    await page.goto(`${origin}/docs`)
    const [first] = table.operations.values()
    assert.ok(first)
    await page.getByRole('heading', { name: first.summary }).first().waitFor()
    for (const { name } of table.areas.slice(0, 3)) await page.getByText(name, { exact: true }).first().waitFor()
    await page.waitForTimeout(1500) // wait for late requests
    assert.deepEqual(
      asked.filter(url => !url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)),
      [],
    )
    assert.ok(asked.includes(`${origin}/openapi.json`))
    const block = page.locator('[data-style]').first()
    assert.match((await block.getAttribute('style')) ?? '', /--line-count/, 'styles of its code are there all the same')
    assert.ok((await page.locator('style').count()) > 0)
    await page
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Send', exact: false }).first().waitFor()
    assert.deepEqual(complaints, [])
  } finally {
    await browser.close()
    server.close()
  }
})
