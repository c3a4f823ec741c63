/** The service exits on a signal, even if its output is not read or connections stay open; acknowledged hits are stored. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { setUp } from '../../operations/service/setup/set-up.ts'
import type { Store } from '../../storage/store.ts'
import { type Engine, onAnyEngine, onEachEngine } from '../support/engines.ts'
import { filesBeside } from '../support/files.ts'
import { CHILD_TIMEOUT_MS, startProcess } from '../support/process.ts'
import { creationServices } from '../../scripts/machine.ts'
import { freePort } from '../support/ports.ts'

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'
/** Sends a hit. @returns its status */
const hit = (address: string, i: number) =>
  fetch(`${address}/api/event`, {
    method: 'POST',
    headers: { 'User-Agent': agent, 'X-Forwarded-For': `81.2.69.${i % 200}` },
    body: JSON.stringify({ n: 'pageview', u: `https://end.example.com/${i}`, d: 'end.example.com' }),
  }).then(answer => answer.status)
const hits = async (address: string, count: number) =>
  (await Promise.all(Array.from({ length: count }, (_, i) => hit(address, i)))).filter(status => status === 202).length

async function site(engine: Engine) {
  const made = await engine.create()
  await setUp(made.store, { email: 'a@example.com', workspace: 'A', site: 'end.example.com', timezone: 'UTC' }, await creationServices())
  return made
}
const stored = async ({ read }: Store) =>
  Number(
    (
      await read
        .selectFrom('hits')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

/** A full pipe without a reader. */
function fullPipe() {
  const folder = fs.mkdtempSync('/tmp/footfall-pipe-')
  execFileSync('mkfifo', [`${folder}/out`])
  const reader = fs.openSync(`${folder}/out`, fs.constants.O_RDWR | fs.constants.O_NONBLOCK)
  try {
    for (;;) fs.writeSync(reader, Buffer.alloc(4096, '\n'))
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'EAGAIN')
  }
  const writer = fs.openSync(`${folder}/out`, fs.constants.O_WRONLY)
  return {
    writer,
    close() {
      fs.closeSync(reader)
      fs.closeSync(writer)
      fs.rmSync(folder, { recursive: true })
    },
  }
}

onAnyEngine('the service', engine => {
  test('serves on where its output was closed, as by `| head`, and ends where a request never does', async () => {
    const { store, url, drop } = await site(engine)
    const service = await startProcess(url, { LOG_LEVEL: 'trace' })
    service.child.stdout?.destroy()
    const accepted = await hits(service.address, 50)
    assert.equal(accepted, 50)
    const { port } = new URL(service.address)
    const hanging = net.connect(Number(port), '127.0.0.1')
    hanging.on('error', () => {}).resume()
    hanging.write('POST /api/event HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{')
    await sleep(200)
    const ended = await service.end('SIGTERM')
    assert.deepEqual(ended, { code: 0, signal: null }, service.output())
    assert.equal(await stored(store), accepted)
    await drop()
  })

  test('serves on and ends where nobody reads its output', async () => {
    const { store, url, drop } = await site(engine)
    const [pipe, port] = [fullPipe(), await freePort()]
    const child = spawn(process.execPath, ['scripts/run.mjs', 'serve'], {
      env: {
        ...process.env,
        DATABASE_URL: url,
        FILES_URL: `file:${filesBeside(url)}`,
        PORT: String(port),
        HOST: '127.0.0.1',
        LOG_LEVEL: 'trace',
        RATE_TOKEN: '0',
        TRUSTED_PROXIES: '127.0.0.1',
      },
      stdio: ['ignore', pipe.writer, 'inherit'],
    })
    const exit = once(child, 'exit')
    try {
      const address = `http://127.0.0.1:${port}`
      while (
        !(await fetch(`${address}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ))
      )
        await sleep(50)
      const accepted = await hits(address, 60)
      assert.equal(accepted, 60)
      child.kill('SIGTERM')
      const ended = await exit
      assert.deepEqual(ended, [0, null])
      assert.equal(await stored(store), accepted)
    } finally {
      child.kill('SIGKILL')
      pipe.close()
      await drop()
    }
  })
})

const newContainer = ['--pid', '--fork', '--mount-proc'] as const
const cannotContain = spawnSync('unshare', [...newContainer, 'true']).status !== 0 && 'unshare may not make a namespace here'

test('the first process of a container, which cannot kill itself, can be ended by force', { skip: cannotContain }, () => {
  const program = `
    import { endOnSignal } from ${JSON.stringify(path.resolve('scripts/on-exit.ts'))}
    endOnSignal(() => new Promise(() => {}), 100)
    setInterval(() => {}, 1_000)
    console.log(process.pid)
    process.emit('SIGTERM')`
  const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', program]
  const { stdout, stderr, error } = spawnSync('unshare', [...newContainer, ...node], { encoding: 'utf8', timeout: CHILD_TIMEOUT_MS })
  assert.deepEqual([stdout, error], ['1\n', undefined], stderr) // an error is the time that ran out
  assert.match(stderr, /byForce/)
})

// On SQLite, waiting for another process's lock ends after 5 s by itself.
onEachEngine('a service that waits', engine => {
  if (engine.name !== 'postgres') return
  test('ends by force where the database never answers', async () => {
    const { store, url, drop } = await site(engine)
    const service = await startProcess(url)
    const accepted = await hits(service.address, 10)
    await store.write.transaction().execute(async trx => {
      await sql`lock table hits in access exclusive mode`.execute(trx)
      const waiting = hit(service.address, 999).catch(() => 'cut off')
      await sleep(200)
      const ended = await service.end('SIGTERM')
      assert.deepEqual(ended, { code: null, signal: 'SIGKILL' }, service.output())
      assert.equal(await waiting, 'cut off')
    })
    assert.ok((await stored(store)) >= accepted)
    await drop()
  })
})
