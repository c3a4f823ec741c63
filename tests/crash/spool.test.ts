/** Hits that arrive while Postgres is away wait on the disk, and each is stored once, whatever ends meanwhile. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { setUp } from '../../operations/service/setup/set-up.ts'
import { creationServices } from '../../scripts/machine.ts'
import { migrate } from '../../storage/migrations/migrate.ts'
import { openStore } from '../../storage/store.ts'
import { chanceOf } from '../support/chance.ts'
import { isFull } from '../support/full.ts'
import { startOwnPostgres } from '../support/postgres.ts'
import { type ServiceProcess, startProcess } from '../support/process.ts'
import { sendHits } from './hits.ts'
import { kept } from './kept.ts'

const domain = 'spool.example.com'
const chance = chanceOf('spool')
const rounds = isFull ? 5 : 1
/** Losses of all connections in a round. */
const breaks = isFull ? 5 : 2
/** Properties with which a few hundred hits fill a spool of 1 MB. */
const large = Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`filler_${i}`, 'x'.repeat(1_000)]))

test('what is acknowledged while the database is away is stored once, in spite of kills and lost connections', async t => {
  const postgres = await startOwnPostgres({ durable: true })
  const folder = mkdtempSync(path.join(os.tmpdir(), 'footfall-spool-'))
  const store = openStore(postgres.url, { connections: 1 })
  await migrate(store)
  const { token, site_id } = await setUp(
    store,
    { email: 'a@example.com', workspace: 'A', site: domain, timezone: 'UTC' },
    await creationServices(),
  )
  await store.close()
  const start = (env = {}) => startProcess(postgres.url, { HITS_SPOOL: folder, ...env })
  let service = await start()
  t.after(async () => {
    await service.end('SIGKILL')
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const [sent, acknowledged] = [new Set<string>(), new Set<string>()]
  let loads = 0
  const load = (senders = 3, props = {}) => sendHits(service.address, { domain, senders, first: 6 * loads++, props })
  const ended = async (hits: ReturnType<typeof load>) => {
    await hits.end()
    hits.sent.forEach(page => sent.add(page))
    hits.acknowledged.forEach(page => acknowledged.add(page))
  }
  const more = async (hits: ReturnType<typeof load>, count: number) => {
    const target = hits.acknowledged.size + count
    while (hits.acknowledged.size < target) await setTimeout(2)
  }
  const ready = async () => {
    const answer = await fetch(`${service.address}/readyz`)
    return `${answer.status} ${await answer.text()}`
  }
  /** The readiness once no hits wait: the last ones may have come while their connections broke. */
  const readyAfterAll = async () => {
    let said = await ready()
    while (/requests with hits wait/.test(said)) {
      await setTimeout(20)
      said = await ready()
    }
    return said
  }
  const files = () => readdirSync(folder).filter(name => name.endsWith('.spool'))

  for (let round = 0; round < rounds; round++) {
    // Connections break in the middle of commits, which may or may not have happened.
    let hits = load()
    await hits.flows()
    for (let i = 0; i < breaks; i++) {
      await more(hits, chance.int(1, 10))
      await terminateAll(postgres.url)
    }
    // The database is away for a while, and back.
    await more(hits, 10)
    await postgres.halt('crash')
    await more(hits, 15)
    assert.match(await ready(), /^200 ready for hits, but the database (cannot be reached|does not answer)/)
    assert.match(await (await fetch(`${service.address}/metrics`)).text(), /^footfall_hits_spool_requests [1-9]/m)
    await postgres.resume()
    while (files().length > 0) await setTimeout(20)
    await hits.flows()
    assert.deepEqual([...hits.refused], [], 'nothing is refused')
    await ended(hits)

    // The process is killed while hits wait, and again while the next one stores them.
    hits = load()
    await hits.flows()
    await postgres.halt('crash')
    await more(hits, 20)
    await service.end('SIGKILL')
    await ended(hits)
    const bytes = files().map(
      name => readFileSync(path.join(folder, name), 'latin1') + readFileSync(path.join(folder, `${name}-wal`), 'latin1'),
    )
    assert.ok(bytes.length > 0)
    assert.doesNotMatch(bytes.join(), /81\.2\.69|Firefox|spool\.example/, 'visitors cannot be read from the file')

    // Within the outage, the next processes start, keep hits too, and become ready when the database is back.
    for (const isLast of isFull ? [false, true] : [true]) {
      service = await start()
      assert.match(await ready(), /^200 ready for hits, but the database does not answer/)
      assert.equal((await fetch(`${service.address}/healthz`)).status, 200)
      const other = await fetch(`${service.address}/sites/${site_id}`, { headers: { Authorization: `Bearer ${token}` } })
      assert.deepEqual([other.status, ((await other.json()) as { error: { code: string } }).error.code], [503, 'unavailable'])
      hits = load()
      await more(hits, 20)
      if (isLast) await postgres.resume()
      else await service.end('SIGKILL')
      if (isLast) await hits.flows()
      await ended(hits)
    }
    assert.deepEqual([...hits.refused], [], 'nothing is refused')
    while ((await ready()) !== '200 ready') await setTimeout(20)

    // It is killed again, also while the next one stores what waits.
    hits = load()
    await hits.flows()
    await postgres.halt('crash')
    await more(hits, 20)
    await service.end('SIGKILL')
    await ended(hits)
    await postgres.resume()
    service = await start()
    await service.end('SIGKILL')
    service = await start(round === rounds - 1 ? { HITS_SPOOL_MB: '1' } : {})
    hits = load()
    await hits.flows()
    while (files().length > 0) await setTimeout(20)
    await ended(hits)
  }

  // Within its limit.
  assert.match(await readyAfterAll(), /^200 ready$/)
  const hits = load(6, large)
  await hits.flows()
  await postgres.halt()
  while (!hits.refused.has(503)) await setTimeout(20)
  assert.match(await ready(), /^503 the database/)
  await postgres.resume()
  while (files().length > 0) await setTimeout(20)
  await ended(hits)
  assert.deepEqual([[...hits.refused.keys()], hits.untold], [[503], 0], 'refused only when it is full, with Retry-After')

  assert.match(await readyAfterAll(), /^200 ready$/)
  assert.equal((await service.end('SIGTERM')).code, 0, service.output())
  const again = openStore(postgres.url, { connections: 1 })
  await kept(again, sent, acknowledged)
  t.diagnostic(`${acknowledged.size} acknowledged of ${sent.size}`)
  await again.close()
})

test('a start without the database ends at once where nothing is known of it, and touches no other database that comes back', async t => {
  const postgres = await startOwnPostgres()
  const folder = mkdtempSync(path.join(os.tmpdir(), 'footfall-spool-'))
  let service: ServiceProcess | undefined
  t.after(async () => {
    await service?.end('SIGKILL')
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  await postgres.halt()
  const start = () => startProcess(postgres.url, { HITS_SPOOL: folder })
  await assert.rejects(start, /ended with 1\nThe database at DATABASE_URL \(postgres:.*\) cannot be used: the database cannot be reached/)

  await postgres.resume()
  service = await start()
  await service.end('SIGTERM')
  const [known = ''] = readdirSync(folder).filter(name => name.endsWith('.installation'))
  const content = JSON.parse(readFileSync(path.join(folder, known), 'utf8')) as object
  writeFileSync(path.join(folder, known), JSON.stringify({ ...content, id: 'another' }))
  await postgres.halt()
  service = await start()
  await postgres.resume()
  while (!/belongs to installation .*, but hits wait for another/.test(service.output())) await setTimeout(20)
  assert.match(await (await fetch(`${service.address}/readyz`)).text(), /^ready for hits, but the database does not answer/)
})

async function terminateAll(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
  )
  await client.end()
}
