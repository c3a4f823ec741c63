/** A service with visits that a real browser opens as the owner of the example workspace. */
import assert from 'node:assert/strict'
import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import type { Browser, BrowserContext } from '../../../tools/playwright.mjs'
import { launchChromium } from '../../support/chromium.ts'
import { engines } from '../../support/engines.ts'
import { freePort } from '../../support/ports.ts'
import { makeWorld, startService, type TestService, type World } from '../../support/world.ts'
import { sendTraffic } from './traffic.ts'

export interface Opened {
  readonly service: TestService
  readonly world: World
  /** `http://127.0.0.1:…` */
  readonly base: string
  signedIn(options?: Parameters<Browser['newContext']>[0]): Promise<BrowserContext>
  close(): Promise<void>
}

/** @param whole the whole browser, where the sandbox of a frame is a process of its own */
export async function openBrowser({ whole = false } = {}): Promise<Opened> {
  const [engine = assert.fail('there is no engine')] = engines // what is shown does not depend on it
  // Forms count only from the address that the service knows as its own, so it has to know the port.
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const service = await startService(engine, { BASE_URL: base, RATE_TOKEN: 0, RATE_ANONYMOUS: 0 })
  const world = await makeWorld(service)
  await sendTraffic(service, world)
  const server = serve({ fetch: service.web.fetch, port, hostname: '127.0.0.1' }) as Server // plain HTTP/1
  await new Promise(resolve => server.once('listening', resolve))
  const browser = await launchChromium({ whole })
  return {
    service,
    world,
    base,
    async signedIn(options = {}) {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
      await context.addCookies([{ name: 'session', value: world.shown.session ?? '', url: base }])
      return context
    },
    async close() {
      await browser.close()
      server.close()
      await service.close()
    },
  }
}
