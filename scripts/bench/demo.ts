/** A new demo, served as its own process, for what looks at its pages. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Page } from '../../tools/playwright.mjs'
import { freePort } from '../../tests/support/ports.ts'
import { run } from './running.ts'

export interface Demo {
  readonly base: string
  readonly site_id: string
  readonly workspace_id: string
  /** With every permission. */
  readonly token: string
  /** Opens the link of the first start, once, and sets a password. */
  signIn(page: Page): Promise<void>
  /** Ends it and deletes its database. */
  stop(): Promise<void>
}

/** @param parameters of `npm run demo` */
export async function startDemo(parameters: readonly string[] = []): Promise<Demo> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-demo-'))
  const remove = () => fs.rmSync(folder, { recursive: true, force: true })
  try {
    const port = await freePort()
    const base = `http://127.0.0.1:${port}`
    const env = {
      DATABASE_URL: `file:${path.join(folder, 'demo.db')}`,
      PORT: String(port),
      HOST: '127.0.0.1',
      BASE_URL: base,
      RATE_TOKEN: '0',
      LOG_LEVEL: 'warn',
    }
    const filled = await run({
      script: 'dist/footfall.js',
      env,
      isFirst: line => line.startsWith('{'),
      parameters: ['demo', ...parameters, '--fill-only'],
    })
    const { site_id, workspace_id, token, sign_in } = JSON.parse(filled.line) as Demo & { sign_in: string } // as the demo prints it
    const server = await run({ script: 'dist/footfall.js', env, isFirst: line => line.startsWith('Footfall is at') })
    return {
      base,
      site_id,
      workspace_id,
      token,
      async signIn(page) {
        await page.goto(base + sign_in)
        await page.getByLabel('Password').fill('only for this demo')
        await page.locator('main button[type=submit]').first().click()
        await page.waitForURL(/sites/)
      },
      async stop() {
        await server.stop()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}
