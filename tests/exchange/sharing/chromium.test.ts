/** A shared link in a frame of another site's page: with a password, without a cookie, and only where it may be. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { serve } from '@hono/node-server'
import { sendTraffic } from '../../adapters/pages/traffic.ts'
import { faultsOf } from '../../support/axe.ts'
import { launchChromium, withoutChromium } from '../../support/chromium.ts'
import { engines } from '../../support/engines.ts'
import { makeWorld, request, startService } from '../../support/world.ts'
import { freePort } from '../../support/ports.ts'

const listening = async (server: Server): Promise<number> => {
  if (!server.listening) await new Promise(resolve => server.once('listening', resolve))
  return (server.address() as AddressInfo).port
}

test('a link with a password is embedded by another site, and by no third one', { skip: withoutChromium }, async t => {
  const [engine] = engines
  assert.ok(engine)
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const service = await startService(engine, { BASE_URL: base })
  const world = await makeWorld(service)
  await sendTraffic(service, world)
  const server = serve({ fetch: service.web.fetch, port, hostname: '127.0.0.1' }) as Server
  await listening(server)
  let embedding = ''
  const host = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(`<!doctype html><title>Host</title><h1>Our figures</h1>${embedding}`)
  })
  host.listen(0)
  const hostPort = await listening(host)
  const browser = await launchChromium()
  try {
    const { body, text } = await request(service, 'POST', `/sites/${world.ids.site}/shared_links.json`, {
      token: world.token,
      body: { name: 'For "clients"', password: 'river-stone', embed_origins: [`http://localhost:${hostPort}`] },
    })
    assert.ok(body.data, text)
    const { url, embed_code, id } = body.data
    embedding = embed_code

    await t.test('the frame asks for the password, shows the reports, and is as high as they are', async () => {
      const context = await browser.newContext({ viewport: { width: 900, height: 700 } })
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', message => message.type() === 'error' && complaints.push(message.text()))
      await page.goto(`http://localhost:${hostPort}/`)
      const frame = page.frameLocator('iframe')
      await frame.getByLabel('Password').fill('river-stone')
      await frame.getByRole('button', { name: 'Show' }).click()
      await frame.locator('main').getByText('Pages', { exact: true }).first().waitFor()
      const before = await page.locator('iframe').boundingBox()
      await page.waitForFunction(() => Number(document.querySelector('iframe')?.height) > 900)
      assert.ok(before)
      await frame.locator('.periods summary').first().click()
      await frame.getByRole('link', { name: '7 days' }).click()
      await frame.locator('.periods summary', { hasText: '7 days' }).waitFor()
      assert.equal(await frame.getByText('Sign out').count(), 0)
      assert.deepEqual(await context.cookies(), [])
      assert.deepEqual(
        complaints.filter(text => !text.includes('401')),
        [],
      )
      if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/embed.png`, fullPage: true })
      await context.close()
    })

    await t.test('a page of an origin that is not listed does not show it', async () => {
      const page = await browser.newPage()
      await page.goto(`http://127.0.0.1:${hostPort}/`)
      await page.waitForTimeout(300)
      const inner = page.frames().find(frame => frame !== page.mainFrame())
      assert.ok(!(await inner?.content())?.includes('password'))
      await page.close()
    })

    await t.test('axe finds nothing, and nothing is cut off, light and dark, wide and narrow', async () => {
      await request(service, 'PATCH', `/sites/${world.ids.site}/shared_links/${id}.json`, { token: world.token, body: { password: '' } })
      const context = await browser.newContext()
      const page = await context.newPage()
      for (const address of [url, `${url}?embed=1&background=transparent`]) {
        await page.goto(address)
        assert.deepEqual(await faultsOf(page), [], address)
      }
      await context.close()
    })
  } finally {
    await browser.close()
    host.close()
    server.close()
    await service.close()
  }
})
