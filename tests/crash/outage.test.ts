/** Postgres restarts, crashes and closes connections under load: the service stays up, reports it, and recovers by itself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { setUp } from '../../operations/service/setup/set-up.ts'
import { migrate } from '../../storage/migrations/migrate.ts'
import { openStore } from '../../storage/store.ts'
import { chanceOf } from '../support/chance.ts'
import { noonZone } from '../support/noon-zone.ts'
import { isFull } from '../support/full.ts'
import { startOwnPostgres } from '../support/postgres.ts'
import { startProcess } from '../support/process.ts'
import { sendHits } from './hits.ts'
import { kept } from './kept.ts'
import { creationServices } from '../../scripts/machine.ts'

/** Outages of each kind; set `OUTAGES=20` for a longer run. */
const outages = Number(process.env.OUTAGES ?? (isFull ? 2 : 1))
const chance = chanceOf('outage')
const domain = 'outage.example.com'

test(`a service outlives ${outages} fast restarts, ${outages} crashes and ${outages} losses of every connection`, async t => {
  const postgres = await startOwnPostgres({ durable: true })
  const store = openStore(postgres.url, { connections: 1 })
  await migrate(store)
  const { token, site_id } = await setUp(
    store,
    { email: 'a@example.com', workspace: 'A', site: domain, timezone: noonZone() },
    await creationServices(),
  )
  const service = await startProcess(postgres.url)
  let over = false

  // Reads of a record, and of a report, which a thread with its own connection answers.
  const answers = new Map<string, number>()
  async function read(path: string): Promise<void> {
    while (!over) {
      const answer = await fetch(`${service.address}/sites/${site_id}${path}`, { headers: { Authorization: `Bearer ${token}` } }).catch(
        () => undefined,
      )
      const text = await answer?.text()
      const told = answer?.status !== 503 || answer.headers.has('retry-after')
      const key = `${path} ${answer?.status ?? 'none'}${told ? '' : ' without Retry-After'}`
      if (answer?.status === 500) t.diagnostic(String(text))
      answers.set(key, (answers.get(key) ?? 0) + 1)
      await setTimeout(250)
    }
  }
  const lives = new Map<string, number>()
  async function live(): Promise<void> {
    const text = await fetch(`${service.address}/healthz`).then(
      answer => answer.text(),
      () => 'no answer',
    )
    lives.set(text, (lives.get(text) ?? 0) + 1)
    await setTimeout(100)
  }
  const refused = () => load.refused.get(503) ?? 0
  const load = sendHits(service.address, { domain, senders: 2 })
  t.after(async () => {
    over = true
    await load.end()
    await service.end('SIGKILL')
    await postgres.stop()
  })
  const beside = Promise.all([read('.json'), read('/stats/aggregate.json?period=today')])

  const breaks = {
    async restart() {
      await away(() => postgres.halt())
    },
    async crash() {
      await away(() => postgres.halt('crash'))
    },
    async terminate() {
      await terminateAll(postgres.url)
    },
  }
  async function away(halt: () => Promise<void>): Promise<void> {
    await halt()
    assert.equal(await ready(), 503)
    const target = refused() + chance.int(1, 10)
    while (refused() < target) await live()
    await postgres.resume()
  }
  const ready = async () => (await fetch(`${service.address}/readyz`)).status

  await load.flows()
  for (let i = 0; i < outages; i++) {
    for (const name of ['restart', 'crash', 'terminate'] as const) {
      const target = load.acknowledged.size + chance.int(1, 20)
      while (load.acknowledged.size < target) await live()
      await breaks[name]()
      await load.flows()
      assert.equal(service.child.exitCode, null, service.output())
      while ((await ready()) !== 200) await setTimeout(20) // a pool may have lost connections that no call has used since
    }
  }
  over = true
  await load.end()
  await beside
  const ran = await runs(service.address)
  while ((await runs(service.address)) < ran + 3) await setTimeout(250) // background tasks go on
  assert.equal((await service.end('SIGTERM')).code, 0, service.output())

  t.diagnostic(`${load.acknowledged.size} acknowledged of ${load.sent.size}, refused ${JSON.stringify([...load.refused])}`)
  t.diagnostic(`reads ${JSON.stringify([...answers])}`)
  t.diagnostic(`${service.output().split('\n').length} lines of log`)
  assert.deepEqual(
    [...load.refused.keys()].filter(status => status !== 503),
    [],
  )
  assert.equal(load.untold, 0)
  assert.deepEqual(
    [...answers.keys()].filter(key => !/ (200|503)$/.test(key)),
    [],
  )
  assert.deepEqual([...lives.keys()], ['ok'], '/healthz answers while the database is away')
  assert.match(service.output(), /the database cannot be reached: /)
  assert.doesNotMatch(service.output(), /"stack"/, 'each failure is one line that names the cause')
  await store.close()
  const again = openStore(postgres.url, { connections: 1 })
  await kept(again, load.sent, load.acknowledged)
  await again.close()
})

async function terminateAll(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
  )
  await client.end()
}

/** How many runs of tasks have completed. */
async function runs(address: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  return [...text.matchAll(/^\w*task_runs_total\{.*outcome="done".*\} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0)
}
