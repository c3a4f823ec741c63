/** `npm start -- --role web|worker|both`, as processes. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { onSharedEngine } from '../../support/engines.ts'
import { filesBeside } from '../../support/files.ts'
import { later, until } from './tasks.ts'

const args = (role?: string) => ['scripts/run.mjs', 'serve', ...(role === undefined ? [] : ['--role', role])]

const machine = ['/healthz', '/readyz', '/metrics']
const surfaces = ['/docs', '/openapi.json', '/sites/pa_1', '/mcp', '/api/event', '/js/footfall.js', '/.well-known/x']

interface Running {
  readonly child: ChildProcess
  readonly output: () => string
  status(path: string): Promise<number>
  text(path: string): Promise<string>
  end(): Promise<number | null>
}

async function start(database: string, role?: string): Promise<Running> {
  const child = spawn(process.execPath, args(role), {
    env: {
      ...process.env,
      DATABASE_URL: database,
      FILES_URL: `file:${filesBeside(database)}`,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  let output = ''
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  createInterface({ input: child.stdout }).on('line', line => {
    output += `${line}\n`
  })
  const address = () => /^Footfall(?:’s worker)? is at (\S+)$/m.exec(output)?.[1]
  await until(() => address() !== undefined || child.exitCode !== null)
  assert.equal(child.exitCode, null, output)
  return {
    child,
    output: () => output,
    status: async path => (await fetch(`${address()}${path}`)).status,
    text: async path => (await fetch(`${address()}${path}`)).text(),
    end: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}

onSharedEngine('a role', engine => {
  test('web serves and does nothing by itself, worker does it and serves nothing', async () => {
    const { store, url, drop } = await engine.create()
    const started = () => store.read.selectFrom('tasks').select('last_started_at').execute()

    const worker = await start(url, 'worker')
    await until(async () => (await started()).length > 2)
    assert.doesNotMatch(worker.output(), /pat_/, 'the set-up is the web’s')
    assert.equal((await store.read.selectFrom('workspaces').select('id').execute()).length, 0)
    for (const path of machine) assert.equal(await worker.status(path), 200, path)
    for (const path of surfaces) assert.equal(await worker.status(path), 404, path)
    assert.match(await worker.text('/metrics'), /^footfall_queue_depth\{task="uptime_probe"\} 0$/m)
    assert.equal(await worker.end(), 0)

    await store.write.deleteFrom('tasks').execute()
    const web = await start(url, 'web')
    assert.match(web.output(), /pat_/)
    for (const path of [...machine, '/openapi.json']) assert.equal(await web.status(path), 200, path)
    assert.equal(await web.status('/sites/pa_1'), 401)
    await later(300)
    assert.deepEqual(await started(), [])
    assert.equal(await web.end(), 0)

    const both = await start(url)
    assert.equal(await both.status('/openapi.json'), 200)
    await until(async () => (await started()).length > 2)
    assert.equal(await both.end(), 0)
    const held = await store.read.selectFrom('tasks').select('name').where('leased_until', 'is not', null).execute()
    assert.deepEqual(held, [])
    await drop()
  })
})

test('a role there is not stops the start with one clear line', () => {
  const env = { ...process.env, DATABASE_URL: 'file:/nowhere/x.db' }
  const { status, stderr } = spawnSync(process.execPath, args('boss'), { encoding: 'utf8', env })
  assert.deepEqual(
    [status, stderr],
    [2, "error: option '--role <role>' argument 'boss' is invalid. Allowed choices are web, worker, both.\n"],
  )
})
