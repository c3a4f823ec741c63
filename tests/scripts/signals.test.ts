/** A signal to npm or to the service ends the service, and a second one at once; load balancers may leave first. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { bringUpToDate } from '../../scripts/up-to-date.mjs'
import { engines } from '../support/engines.ts'
import { someOf } from '../support/full.ts'
import { freePort } from '../support/ports.ts'
import { endProcess, CHILD_TIMEOUT_MS } from '../support/process.ts'

describe('a signal', { skip: !engines.some(({ name }) => name === 'sqlite') && 'one engine is enough' }, () => {
  let folder: string
  const running = new Set<ChildProcess>()
  before(() => {
    assert.equal(bringUpToDate(), undefined)
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-signals-'))
    // As npm links it.
    fs.mkdirSync(path.join(folder, 'node_modules/.bin'), { recursive: true })
    fs.symlinkSync(path.resolve('dist/footfall.js'), path.join(folder, 'node_modules/.bin/footfall'))
    fs.writeFileSync(path.join(folder, 'package.json'), '{"name":"here","version":"1.0.0"}')
  })
  after(async () => {
    for (const child of running) await endProcess(child, 'SIGKILL')
    fs.rmSync(folder, { recursive: true, force: true })
  })

  async function start(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = process.cwd()) {
    const [port, data] = [await freePort(), fs.mkdtempSync(path.join(folder, 'data-'))]
    const { npm_lifecycle_event: _, ...around } = process.env
    const child = spawn(command, args, {
      cwd,
      env: { ...around, PORT: String(port), HOST: '127.0.0.1', DATABASE_URL: `file:${data}/x.db`, LOG_LEVEL: 'warn', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    running.add(child)
    const exit = once(child, 'exit')
    // Printed once signals end the service gracefully: it listens a little earlier.
    const printed = new Promise<void>(resolve => child.stdout.on('data', chunk => String(chunk).includes(`:${port}`) && resolve()))
    await Promise.race([printed, exit])
    const address = `http://127.0.0.1:${port}`
    const ready = async () =>
      fetch(`${address}/readyz`).then(
        ({ status }) => status,
        () => 0,
      )
    while ((await ready()) !== 200) {
      assert.equal(child.exitCode ?? child.signalCode, null)
      await sleep(50)
    }
    /** Resolves when the port is closed. */
    const gone = async () => {
      while ((await ready()) !== 0) await sleep(50)
      assert.ok(!fs.existsSync(`${data}/x.db-wal`) || (await isQuiet(`${data}/x.db-wal`)))
    }
    return { child, exit, address, ready, gone }
  }
  /** The database is closed a moment after the port. */
  async function isQuiet(file: string): Promise<boolean> {
    while (fs.existsSync(file)) await sleep(50)
    return true
  }

  const npm = ['npm', ['start']] as const
  const npx = ['npx', ['--no-install', 'footfall']] as const

  test('SIGTERM to npm start ends the service with 0, and so does SIGINT', async () => {
    for (const signal of someOf(['SIGTERM', 'SIGINT'] as const, 1)) {
      const { child, exit, gone } = await start(...npm)
      child.kill(signal)
      assert.deepEqual(await exit, [0, null])
      await gone()
    }
  })

  test('SIGTERM to npx, whose shell does not pass it on, ends the service', async () => {
    const { child, gone } = await start(...npx, {}, folder)
    child.kill('SIGTERM')
    await gone()
  })

  test('a killed npm or npx takes the service along', async () => {
    for (const begin of someOf([() => start(...npx, {}, folder), () => start(...npm)], 1)) {
      const { child, gone } = await begin()
      child.kill('SIGKILL')
      await gone()
    }
  })

  test('a parent other than npm may go: the service stays', async () => {
    const script = `node scripts/run.mjs serve & echo $!`
    const port = await freePort()
    const data = fs.mkdtempSync(path.join(folder, 'data-'))
    const { npm_lifecycle_event: _, ...around } = process.env
    const shell = spawn('sh', ['-c', script], {
      env: { ...around, PORT: String(port), DATABASE_URL: `file:${data}/x.db`, LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [pid] = await once(shell.stdout, 'data')
    try {
      const ask = () =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ status }) => status,
          () => 0,
        )
      while ((await ask()) !== 200) await sleep(50)
      assert.equal(shell.exitCode, 0)
    } finally {
      process.kill(Number(pid), 'SIGTERM')
    }
  })

  test('SIGHUP, as of a closed terminal, ends it as SIGTERM does: with DRAIN_DELAY_SECONDS the port stays open, `/readyz` is 503, and connections close; a second signal ends all at once', async () => {
    const { child, exit, address, ready } = await start(process.execPath, ['scripts/run.mjs', 'serve'], { DRAIN_DELAY_SECONDS: '300' })
    const agent = new http.Agent({ keepAlive: true })
    const connection = async () => {
      const [answer] = (await once(http.get(`${address}/healthz`, { agent }), 'response')) as [http.IncomingMessage]
      answer.resume()
      await once(answer, 'end')
      assert.equal(answer.statusCode, 200)
      return [answer.headers.connection, answer.headers['keep-alive']]
    }
    assert.deepEqual(await connection(), ['keep-alive', 'timeout=75'])
    child.kill('SIGHUP')
    while ((await ready()) !== 503) await sleep(20)
    assert.deepEqual(await connection(), ['close', undefined])
    const again = setInterval(() => child.kill('SIGTERM'), 100)
    assert.deepEqual(await exit, [null, 'SIGTERM'])
    clearInterval(again)
    agent.destroy()
  })
})

test('a signal that comes as the start ends is not lost', () => {
  const program = `
    import { endOnSignal, exitOnSignal } from './scripts/on-exit.ts'
    setInterval(() => {}, 1_000)
    exitOnSignal()
    process.kill(process.pid, 'SIGTERM')
    endOnSignal(async signal => void process.stdout.write(signal))`
  const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: CHILD_TIMEOUT_MS,
  })
  assert.deepEqual([status, stdout], [0, 'SIGTERM'])
})
