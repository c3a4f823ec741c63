/** Pages in a real browser: readable for all, in both schemes, on narrow screens, and with nothing from elsewhere. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import { after, before, test } from 'node:test'
import { serve } from '@hono/node-server'
import type { Browser, BrowserContext } from 'playwright-core'
import { launchChromium, withoutChromium } from '../../support/chromium.ts'
import { engines } from '../../support/engines.ts'
import { makeWorld, startService, type TestService, type World } from '../../support/world.ts'
import { sendTraffic } from './traffic.ts'

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const [engine] = engines // what is shown does not depend on it

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

test('pages in Chromium', { skip: withoutChromium }, async t => {
  let service: TestService
  let world: World
  let server: Server
  let browser: Browser
  let base: string
  before(async () => {
    service = await startService(engine ?? assert.fail('there is no engine'))
    world = await makeWorld(service)
    await sendTraffic(service, world)
    server = serve({ fetch: service.web.fetch, port: 0, hostname: '127.0.0.1' }) as Server // plain HTTP/1
    await new Promise(resolve => server.once('listening', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await launchChromium()
  })
  after(async () => {
    await browser.close()
    server.close()
    await service.close()
  })

  const signedIn = async (options: Parameters<Browser['newContext']>[0]): Promise<BrowserContext> => {
    const context = await browser.newContext({ bypassCSP: false, ...options })
    await context.addCookies([{ name: 'session', value: world.shown.session ?? '', url: base }])
    return context
  }
  const paths = (): string[] => {
    const { site, workspace, goal, alert } = world.ids
    return [
      `/sites/${site}/overview`,
      `/workspaces/${workspace}/sites`,
      `/sites/${site}/breakdown/page?compare=previous_period`,
      `/sites/${site}/goals/${goal}?do=goals_delete`,
      `/workspaces/${workspace}/api_tokens?do=api_tokens_create`,
      `/alerts/${alert}?do=alerts_update`,
    ]
  }

  await t.test('axe finds nothing, nothing is cut off, and nothing is asked of others', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 360]) {
        const context = await signedIn({ colorScheme, viewport: { width, height: 800 }, reducedMotion: 'reduce' })
        const page = await context.newPage()
        const strange: string[] = []
        page.on('request', request => {
          if (!request.url().startsWith(base)) strange.push(request.url())
        })
        page.on('console', message => strange.push(message.text()))
        for (const path of paths()) {
          await page.goto(base + path)
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
          assert.ok(wide <= 0, `${path} is ${wide} px too wide at ${width}`)
          await page.evaluate(axe) // by the debugger, which the policy does not hold back
          const violations = (await page.evaluate(
            'axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }).then(found => found.violations)',
          )) as Violation[] // as axe answers
          assert.deepEqual(
            violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
            [],
            `${path}, ${colorScheme}, ${width} px`,
          )
        }
        assert.deepEqual(strange, [])
        await context.close()
      }
    }
  })

  await t.test('axe finds what is planted', async () => {
    const context = await signedIn({})
    const page = await context.newPage()
    await page.goto(base + (paths()[1] ?? ''))
    await page.evaluate(axe)
    const found = await page.evaluate(
      'document.querySelector("main").append(document.createElement("button")), axe.run().then(({ violations }) => violations.map(({ id }) => id))',
    )
    assert.deepEqual(found, ['button-name'])
    await context.close()
  })

  await t.test('the policy holds back a script that got into a page', async () => {
    const context = await signedIn({})
    const page = await context.newPage()
    await page.goto(base + (paths()[0] ?? ''))
    const ran = await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'window.ran = true'
      document.body.append(script)
      return 'ran' in window
    })
    assert.equal(ran, false)
    await context.close()
  })

  await t.test('another period comes without loading the page again, and Back comes back', async () => {
    const context = await signedIn({})
    const page = await context.newPage()
    await page.goto(base + (paths()[0] ?? ''))
    await page.evaluate(() => document.body.setAttribute('data-same', ''))
    const chosen = page.locator('.periods > a[aria-current]')
    assert.equal(await chosen.textContent(), '30 days')
    await page.getByRole('link', { name: '7 days' }).click()
    await page.locator('.periods > a[aria-current]', { hasText: '7 days' }).waitFor()
    assert.match(page.url(), /period=7d/)
    await page.goBack()
    await page.locator('.periods > a[aria-current]', { hasText: '30 days' }).waitFor()
    assert.equal(await page.locator('body[data-same]').count(), 1)
    await context.close()
  })

  await t.test('on a narrow screen the navigation opens from a button, without scripts', async () => {
    const context = await signedIn({ viewport: { width: 360, height: 800 }, javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(base + (paths()[0] ?? ''))
    assert.equal(await page.locator('#menu').isVisible(), false)
    await page.getByRole('button', { name: 'Menu' }).click()
    assert.equal(await page.locator('#menu').isVisible(), true)
    await page.locator('#menu').getByRole('link', { name: 'Goals' }).click()
    assert.match(page.url(), /\/goals$/)
    await context.close()
  })
})
