/** A new demo, served as its own process, for what looks at its pages. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Page } from '../../tools/playwright.mjs'
import { freePort } from '../../tests/support/ports.ts'
import { domain } from '../demo/people.ts'
import { quiet, run } from './running.ts'

export interface Demo {
  readonly base: string
  readonly site_id: string
  readonly workspace_id: string
  /** With every permission. */
  readonly token: string
  /** Of its site. */
  readonly domain: string
  /** The process of the service. */
  readonly child: ChildProcess
  /** Opens the link of the first start, once, and sets a password. */
  signIn(page: Page): Promise<void>
  /** Ends it and deletes its database. */
  stop(): Promise<void>
}

interface Served {
  /** A folder with a demo of an earlier run, of which a copy is served; if it is empty, the demo is made there. */
  readonly kept?: string | undefined
  /** The only core that the service may use. */
  readonly core?: number
}

/** @param parameters of `npm run demo` */
export async function startDemo(parameters: readonly string[] = [], { kept, core }: Served = {}): Promise<Demo> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-demo-'))
  const remove = () => fs.rmSync(folder, { recursive: true, force: true })
  try {
    const port = await freePort()
    const base = `http://127.0.0.1:${port}`
    const env = { ...quiet, DATABASE_URL: `file:${path.join(folder, 'demo.db')}`, PORT: String(port), BASE_URL: base }
    const fill = (database: string) =>
      run({
        script: 'dist/footfall.js',
        env: { ...env, DATABASE_URL: database },
        isFirst: line => line.startsWith('{'),
        parameters: ['demo', ...parameters, '--fill-only'],
      })
    if (kept !== undefined) {
      await ended(await fill(`file:${path.join(kept, 'demo.db')}`))
      fs.cpSync(kept, folder, { recursive: true })
    }
    const filled = await fill(env.DATABASE_URL)
    const { site_id, workspace_id, token, sign_in } = JSON.parse(filled.line) as Demo & { sign_in: string } // as the demo prints it
    const server = await run({ script: 'dist/footfall.js', env, isFirst: line => line.startsWith('Footfall is at'), core })
    return {
      base,
      site_id,
      workspace_id,
      token,
      domain,
      child: server.child,
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

async function ended({ child }: { readonly child: ChildProcess }): Promise<void> {
  if (child.exitCode === null) await once(child, 'exit')
}
