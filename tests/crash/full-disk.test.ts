/**
 * The disk fills up under SQLite: nothing is acknowledged that is not stored, callers get an error, and free space is
 * enough to recover.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { setUp } from '../../operations/service/setup/set-up.ts'
import { withSavepoint } from '../../storage/hits/savepoint.ts'
import { migrate } from '../../storage/migrations/migrate.ts'
import { openStore, type Store } from '../../storage/store.ts'
import { StorageUnavailable } from '../../storage/values/storage-unavailable.ts'
import { noonZone } from '../support/noon-zone.ts'
import { engines } from '../support/engines.ts'
import { isFull } from '../support/full.ts'
import { startProcess } from '../support/process.ts'
import { makeWorld, request, startService } from '../support/world.ts'
import { sendHits } from './hits.ts'
import { kept } from './kept.ts'
import { creationServices } from '../../scripts/machine.ts'

const [sqlite] = engines
if (!sqlite) throw new Error('there is no engine')
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'
const refusal = { error: { code: 'unavailable', message: 'The service cannot answer right now; try again shortly.', details: [] } }

/** Limits the file's size, which SQLite reports like a full disk. */
async function fill(store: Store): Promise<void> {
  const {
    rows: [size],
  } = await sql<{ page_count: number }>`pragma page_count`.execute(store.write)
  await limitTo(store, size?.page_count ?? 0)
}
const limitTo = (store: Store, pages: number) => sql`pragma max_page_count = ${sql.raw(String(pages))}`.execute(store.write)
const empty = (store: Store) => limitTo(store, 4_294_967_294)

test('without room every surface answers 503 and when to come again, and /readyz says why until writes succeed', async t => {
  const service = await startService(sqlite)
  t.after(() => service.close())
  const { store, clock } = service
  const world = await makeWorld(service)
  const { domain } = (await request(service, 'GET', `/sites/${world.ids.site}`, { token: world.token })).body.data
  let pages = 0
  const hit = () =>
    request(service, 'POST', '/api/event', {
      headers: { 'Content-Type': 'text/plain', 'User-Agent': agent },
      body: { n: 'pageview', u: `https://${domain}/${'x'.repeat(900)}${++pages}`, d: domain },
    })
  const ready = async () => {
    const { status, text } = await request(service, 'GET', '/readyz')
    return [status, text]
  }
  const stored = async () => (await store.read.selectFrom('hits').selectAll().where('site_id', '=', world.siteNumber).execute()).length
  const note = (text: string) => ['POST', `/sites/${world.ids.site}/notes`, { token: world.token, body: { text } }] as const

  assert.deepEqual(await ready(), [200, 'ready'])
  await fill(store)
  let acknowledged = 0
  let answer = await hit()
  for (; answer.status === 202 && acknowledged < 1_000; answer = await hit()) acknowledged++
  assert.deepEqual([answer.status, answer.body, answer.headers.get('retry-after')], [503, refusal, '10'])
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  assert.equal(await stored(), acknowledged)

  let call = await request(service, ...note('x'.repeat(500)))
  for (let i = 0; call.status === 201 && i < 100; i++) call = await request(service, ...note('x'.repeat(500)))
  assert.deepEqual([call.status, call.body, call.headers.get('retry-after')], [503, refusal, '10'])
  const tool = await request(service, 'POST', '/mcp', {
    token: world.token,
    headers: { Accept: 'application/json, text/event-stream' },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'notes_create', arguments: { site_id: world.ids.site, text: 'x'.repeat(500) } },
    },
  })
  assert.deepEqual([tool.status, tool.headers.get('retry-after')], [503, '10'], tool.text)
  assert.equal((await request(service, 'GET', `/sites/${world.ids.site}`, { token: world.token })).status, 200, 'reading goes on')

  assert.deepEqual(await ready(), [503, 'the disk of the database is full'])
  await empty(store)
  clock.now += 5_000
  assert.deepEqual(await ready(), [200, 'ready'])
  assert.equal((await hit()).status, 202)
  assert.equal(await stored(), acknowledged + 1)
})

test('the error of a full disk is not hidden by the end of its transaction, nor of a part of it', async t => {
  const { store, drop } = await sqlite.create()
  t.after(drop)
  await fill(store)
  const large = (name: string) => ({ name, value: 'x'.repeat(100_000) })
  const isOutOfSpace = (error: unknown) => error instanceof StorageUnavailable && error.reason === 'full' && /full/.test(error.message)
  await assert.rejects(
    store.transaction(trx => trx.insertInto('instance_secrets').values(large('a')).execute()),
    isOutOfSpace,
  )
  await assert.rejects(
    store.transaction(trx => withSavepoint(trx, () => trx.insertInto('instance_secrets').values(large('b')).execute())),
    isOutOfSpace,
  )
  // As if SQLite had ended the transaction itself.
  await assert.rejects(
    store.transaction(async trx => {
      await sql`rollback`.execute(trx)
      await trx.insertInto('instance_secrets').values(large('c')).execute()
    }),
    isOutOfSpace,
  )
  await empty(store)
  await store.transaction(trx => trx.insertInto('instance_secrets').values(large('d')).execute())
})

/** How often the disk gets full. */
const times = isFull ? 3 : 1

test('a service on a disk that gets full keeps what it acknowledged, and goes on by itself', async t => {
  const disk = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-disk-'))
  const mounted = process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk]).status === 0
  if (!mounted) {
    fs.rmdirSync(disk)
    return t.skip('a disk of its own cannot be mounted here')
  }
  const url = `file:${disk}/data.db`
  const store = openStore(url)
  await migrate(store)
  const domain = 'full.example.com'
  const { token, site_id } = await setUp(
    store,
    { email: 'a@example.com', workspace: 'A', site: domain, timezone: noonZone() },
    await creationServices(),
  )
  await store.close()

  const service = await startProcess(url)
  const get = async (at: string) => {
    const answer = await fetch(`${service.address}${at}`, { headers: { Authorization: `Bearer ${token}` } })
    return [answer.status, await answer.text()]
  }
  const load = sendHits(service.address, { domain, senders: 4 })
  t.after(async () => {
    await load.end()
    await service.end('SIGKILL')
    spawnSync('umount', ['-l', disk])
    fs.rmdirSync(disk)
  })
  await load.flows()
  for (let i = 0; i < times; i++) {
    await load.flows()
    occupy(`${disk}/ballast`)
    const before = load.refused.get(503) ?? 0
    while ((load.refused.get(503) ?? 0) < before + 5) await setTimeout(20)
    assert.deepEqual(await get('/readyz'), [503, 'the disk of the database is full'])
    assert.deepEqual(await get('/healthz'), [200, 'ok'])
    assert.equal((await get(`/sites/${site_id}.json`))[0], 200)
    assert.equal((await get(`/sites/${site_id}/stats/aggregate.json?period=today`))[0], 200)
    fs.rmSync(`${disk}/ballast`)
    await load.flows()
    while ((await get('/readyz'))[0] !== 200) await setTimeout(100)
  }
  await load.end()
  assert.equal((await service.end('SIGTERM')).code, 0, service.output())
  t.diagnostic(
    `${load.acknowledged.size} acknowledged of ${load.sent.size}, refused ${JSON.stringify([...load.refused])}; ${service.output().split('\n').length} lines of log`,
  )
  assert.deepEqual([...load.refused.keys()], [503])
  assert.equal(load.untold, 0)
  assert.match(service.output(), /the disk of the database is full/)
  assert.doesNotMatch(service.output(), /"stack"|no transaction is active|"internal_error"/)
  const again = openStore(url)
  await kept(again, load.sent, load.acknowledged)
  await again.close()
})

/** Takes all remaining space. */
function occupy(file: string): void {
  const handle = fs.openSync(file, 'w')
  try {
    for (const size of [1_048_576, 4_096])
      for (;;) {
        try {
          fs.writeSync(handle, Buffer.alloc(size, 1))
        } catch {
          break
        }
      }
  } finally {
    fs.closeSync(handle)
  }
}
