/** The box on a page of another origin, in Chromium: filled, sent, refused, and telling the page around it. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { serve } from '@hono/node-server'
import { decide } from '../../../operations/service/affiliate/index.ts'
import { randomBytes } from '../../support/chance.ts'
import { launchChromium, withoutChromium } from '../../support/chromium.ts'
import { engines } from '../../support/engines.ts'
import { makeWorld, request, startService } from '../../support/world.ts'
import { freePort } from '../../support/ports.ts'

const listening = async (server: Server): Promise<number> => {
  if (!server.listening) await new Promise(resolve => server.once('listening', resolve))
  return (server.address() as AddressInfo).port
}

test('people sign up in a box on a page of another origin', { skip: withoutChromium }, async t => {
  const [engine] = engines
  assert.ok(engine)
  const port = await freePort()
  const service = await startService(engine, {
    BASE_URL: `http://127.0.0.1:${port}`,
    STRIPE_SECRET_KEY: 'sk_test_0123456789',
    AFFILIATE_PERCENT: 20,
    SIGN_UP: 'open',
    SMTP_URL: 'smtp://127.0.0.1:1',
  })
  const world = await makeWorld(service)
  const server = serve({ fetch: service.web.fetch, port, hostname: '127.0.0.1' }) as Server
  await listening(server)
  const own = (method: string, to = '', body?: unknown) => request(service, method, `/account/affiliate${to}`, { token: world.token, body })
  await own('POST', '', {})
  await service.store.transaction(trx =>
    decide(trx, { accountId: world.owner.accountId, decision: 'approve', now: service.clock.now, random: randomBytes, reason: null }),
  )
  const { script } = (await own('GET', '/signup-box?theme=dark')).body.data
  const filled = script.replace('data-theme', 'data-email="ada@example.org" data-name="Ada &amp; Co" data-theme')
  const host = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(`<!doctype html><title>Blog</title><h1>My blog</h1><script>
      window.told = []
      for (const type of ['ready', 'submitted', 'error'])
        addEventListener('footfall:' + type, event => told.push([event.type, event.target.localName, event.detail?.message ?? null]))
      addEventListener('message', () => 0)
    </script>${filled}`)
  })
  host.listen(0)
  const address = `http://localhost:${await listening(host)}/`
  const browser = await launchChromium()
  t.after(async () => {
    await browser.close()
    server.close()
    host.close()
    await service.close()
  })
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', message => message.type() === 'error' && complaints.push(message.text()))
  const told = () => page.evaluate(() => (window as unknown as { told: unknown[] }).told)
  await page.goto(address)
  const frame = page.frameLocator('iframe')
  assert.equal(await frame.getByLabel('E-mail address').inputValue(), 'ada@example.org')
  assert.equal(await frame.getByLabel('Name').inputValue(), 'Ada & Co')
  await page.waitForFunction(() => (window as unknown as { told: unknown[] }).told.length === 1)
  assert.deepEqual(await told(), [['footfall:ready', 'footfall-signup', null]])
  assert.equal(await frame.locator('html').getAttribute('data-theme'), 'dark')

  await frame.getByLabel('E-mail address').fill('nobody@nowhere')
  await frame.getByRole('button', { name: 'Mail me a link' }).click()
  await page.waitForFunction(() => (window as unknown as { told: unknown[] }).told.length === 2)
  const [, [type, , message]] = (await told()) as [unknown, [string, string, string]]
  assert.equal(type, 'footfall:error')
  assert.ok(message.length > 0)

  await frame.getByLabel('E-mail address').fill('ada@example.org')
  await frame.getByRole('button', { name: 'Mail me a link' }).click()
  await frame.getByText('Look into your mail').waitFor()
  await page.waitForFunction(() => (window as unknown as { told: unknown[] }).told.length === 3)
  assert.deepEqual(((await told()) as unknown[][]).at(-1)?.[0], 'footfall:submitted')
  assert.equal((await own('GET', '/signup-box')).body.data.waiting, 1)
  assert.deepEqual(await page.context().cookies(), [], 'the box keeps no cookie')
  assert.deepEqual(
    complaints.filter(text => !text.includes('422')),
    [],
  )
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/box.png`, fullPage: true })
})
