/** Walks through the product once: a hit, its report, a page, a call over MCP and a backup. Then starts and stops the service several times. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import manifest from '../../package.json' with { type: 'json' }

const flags = manifest.scripts.start.split(' ').filter(word => word.startsWith('--'))
const starts = 20
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'

interface Service {
  readonly address: string
  /** Its output up to the line that `last` matched. */
  readonly printed: string
  /** @throws AssertionError if it did not end cleanly, or printed an error */
  stop(): Promise<void>
}

/**
 * @param node the path of Node
 * @param run the path of `scripts/run.mjs`
 * @returns a summary of the walk
 */
export async function walk(node: string, run: string): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-smoke-'))
  const env = { PATH: process.env.PATH, DATABASE_URL: `file:${folder}/smoke.db`, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn' }
  const start = (last: RegExp) => startService({ node, args: [...flags, run, 'serve'], options: { cwd: folder, env }, last })
  try {
    const first = await start(/^API reference/)
    const found = (pattern: RegExp): string => pattern.exec(first.printed)?.[1] ?? assert.fail(first.printed)
    const headers = { Authorization: `Bearer ${found(/(pat_\w+)/)}` }
    const report = found(/'http:\/\/[^/]+(\/sites\/[^']+)'/)
    const pageviews = async ({ address }: Service) => (await json(await fetch(address + report, { headers }))).data.metrics.pageviews

    await hit(first)
    assert.equal(await pageviews(first), 1)
    await seePage(first, found(/(\/links\/\S+)/), found(/(pa_\w+)/))
    await callTool(first, headers, found(/(pa_\w+)/))
    execFileSync(node, [run, 'backup', folder + '/copy.db'], { cwd: folder, env })
    await first.stop()

    for (let i = 1; i <= starts; i++) {
      const service = await start(/^Footfall is at/)
      await hit(service)
      if (i % 2 === 0) assert.equal(await pageviews(service), i + 1)
      else void pageviews(service).catch(() => {}) // its thread is starting while the service stops
      await service.stop()
    }
    return `hit, report, page, MCP, backup, ${starts} starts and stops`
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

async function hit({ address }: Service): Promise<void> {
  const body = JSON.stringify({ n: 'pageview', u: 'https://localhost/', d: 'localhost' })
  const { status } = await fetch(`${address}/api/event`, { method: 'POST', body, headers: { 'User-Agent': userAgent } })
  assert.equal(status, 202)
}

async function seePage({ address }: Service, link: string, site: string): Promise<void> {
  const body = new URLSearchParams({ email: 'smoke@example.com', password: 'a sentence to remember' })
  const signedIn = await fetch(address + link, { method: 'POST', body, redirect: 'manual', headers: { Origin: address } })
  assert.equal(signedIn.status, 303)
  const cookie = signedIn.headers
    .getSetCookie()
    .map(each => each.split(';')[0])
    .join('; ')
  const page = await fetch(`${address}/sites/${site}`, { headers: { cookie, Accept: 'text/html' } })
  assert.equal(page.status, 200)
  assert.match(await page.text(), /<h1[^]*localhost/)
}

async function callTool({ address }: Service, headers: Record<string, string>, site: string): Promise<void> {
  const params = { name: 'stats_aggregate', arguments: { site_id: site, period: 'today' } }
  const reply = await fetch(`${address}/mcp`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  assert.equal((await json(reply)).result.structuredContent.data.metrics.pageviews, 1)
}

// biome-ignore lint/suspicious/noExplicitAny: the assertions say what is in it
async function json(response: Response): Promise<any> {
  assert.equal(response.status, 200)
  return response.json()
}

interface StartService {
  readonly node: string
  readonly args: readonly string[]
  readonly options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }
  /** Matches the line after which the service is ready. */
  readonly last: RegExp
}

async function startService({ node, args, options, last }: StartService): Promise<Service> {
  const child: ChildProcess = spawn(node, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let [printed, errors] = ['', '']
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += String(chunk)
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, errors }))
  const lines = createInterface({ input: child.stdout ?? Readable.from([]) })
  const started = new Promise<void>(resolve =>
    lines.on('line', line => {
      printed += `${line}\n`
      if (last.test(line)) resolve()
    }),
  )
  await Promise.race([started, ended.then(end => assert.fail(`the service did not start: ${JSON.stringify(end)}`))])
  return {
    address: /^Footfall is at (\S+)/m.exec(printed)?.[1] ?? '',
    printed,
    async stop() {
      child.kill('SIGTERM')
      assert.deepEqual(await ended, { code: 0, signal: null, errors: '' })
      process.off('exit', kill)
    },
  }
}
