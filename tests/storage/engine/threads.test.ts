/** Report threads: equal results, fairness between sites, and a dying thread affects only its own reports. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { type Answer, openEngine } from '../../../storage/engine/index.ts'
import type { Query } from '../../../operations/reports/stats/index.ts'
import { openPool } from '../../../storage/engine/threads/pool.ts'
import { READY } from '../../../storage/engine/threads/messages.ts'
import { startThread, type Thread } from '../../../storage/engine/threads/thread.ts'
import { StorageUnavailable } from '../../../storage/values/storage-unavailable.ts'
import type { LiveSite } from '../../../operations/sites/sites/records.ts'
import { onEachEngine } from '../../support/engines.ts'
import { addSite, hit, store as keep } from './traffic.ts'

const today = { from: 0, to: 1, fromDay: 20578, toDay: 20578, whole: true }
const totals = (site: number, where: Query['where'] = []) =>
  ({
    site,
    where,
    goals: [],
    asked: { report: 'totals', series: [[today]] },
  }) as const

onEachEngine('reading in threads', engine => {
  let database: Awaited<ReturnType<typeof engine.create>>
  let site: LiveSite
  before(async () => {
    database = await engine.create()
    site = await addSite(database.store, 'UTC')
    await keep(
      database.store,
      Array.from({ length: 10 }, (_, i) => hit(site, { at: Date.parse('2026-05-05T12:00Z') + i, who: `v${i}` })),
    )
  })
  after(() => database.drop())

  test('several threads answer at once, and what was stored meanwhile is there', async () => {
    const analytics = openEngine(database.store, { threads: 2 })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => analytics.query(totals(i % 3 === 0 ? site.number : 1_000 + i))))
    assert.deepEqual(
      answers.map(({ series }) => series[0]?.[0]?.pageviews),
      answers.map((_, i) => (i % 3 === 0 ? 10 : 0)),
    )
    await keep(database.store, [hit(site, { at: Date.parse('2026-05-05T13:00Z'), who: 'late' })])
    assert.equal((await analytics.query(totals(site.number))).series[0]?.[0]?.pageviews, 11)
    await analytics.close()
    await assert.rejects(analytics.query(totals(site.number)), new StorageUnavailable('stopping', 'The service is stopping.'))
  })

  test('a failing query affects no other, and one that takes too long ends only its thread', async () => {
    const analytics = openEngine(database.store)
    const wrong = analytics.query(totals(site.number, [{ dimension: 'nothing', operator: 'is', values: ['x'], pointer: '' }]))
    const right = analytics.query(totals(site.number))
    await assert.rejects(wrong, /no dimension nothing/)
    assert.equal((await right).report, 'totals')
    await analytics.close()

    const hasty = openEngine(database.store, { timeoutMs: 1 })
    await assert.rejects(
      hasty.query(totals(site.number)),
      (error: unknown) => error instanceof StorageUnavailable && error.reason === 'busy' && /longer than/.test(error.message),
    )
    await assert.rejects(hasty.query(totals(site.number)), StorageUnavailable)
    await hasty.close()
  })

  test('a thread is not terminated while it loads: SQLite would abort the process', async () => {
    const messages: unknown[] = []
    process.once('worker', (worker: Worker) => worker.on('message', message => messages.push(message)))
    const thread = await startThread({ url: database.url, cluster: undefined, cacheBytes: 1_000_000 }, 1_000)
    await thread.stop()
    assert.deepEqual(messages, [READY])
    assert.equal(thread.ended, true)
  })

  test('a thread that cannot start says why', async () => {
    const analytics = openEngine({ ...database.store, url: 'nonsense:' })
    await assert.rejects(analytics.query(totals(1)), /DATABASE_URL|file:/)
    await analytics.close()
  })
})

describe('the pool', () => {
  const nothing: Answer = { report: 'totals', series: [], notes: [] }
  /** Threads that record what they run, and answer when told to. */
  function stage(threads: number) {
    const ran: string[] = []
    const doors: (() => void)[] = []
    let started = 0
    const pool = openPool({
      threads,
      async start(): Promise<Thread> {
        const name = started++
        let ended = false
        return {
          get ended() {
            return ended
          },
          async stop() {
            ended = true
          },
          async run({ site }) {
            ran.push(`${name}:${site}`)
            await new Promise<void>(open => doors.push(open))
            if (site === 666) {
              ended = true
              throw new Error('died')
            }
            return nothing
          },
        }
      },
    })
    const settle = () => new Promise(resolve => setImmediate(resolve))
    return {
      pool,
      ran,
      settle,
      async step() {
        doors.shift()?.()
        await settle()
      },
    }
  }

  test('sites take turns, however many queries one of them has', async () => {
    const { pool, ran, step, settle } = stage(1)
    const all = [1, 1, 1, 1, 2, 3].map(site => pool.run(totals(site)))
    await settle()
    for (let i = 0; i < 6; i++) await step()
    await Promise.all(all)
    assert.deepEqual(ran, ['0:1', '0:1', '0:2', '0:3', '0:1', '0:1'])
  })

  test('a site goes to its own thread where it can, else to one with nothing to do', async () => {
    const { pool, ran, step, settle } = stage(2)
    const first = pool.run(totals(3))
    await settle()
    const more = [pool.run(totals(5)), pool.run(totals(7)), pool.run(totals(4))]
    await settle()
    assert.deepEqual(ran, ['0:3', '1:5'])
    await step()
    await step()
    assert.deepEqual(ran.slice(2), ['0:7', '1:4'])
    await step()
    await step()
    await Promise.all([first, ...more])
  })

  test('a thread that died is replaced, and what waited is answered', async () => {
    const { pool, ran, step, settle } = stage(1)
    const dies = assert.rejects(pool.run(totals(666)), /died/)
    const waits = pool.run(totals(1))
    await settle()
    await step()
    await step()
    await dies
    assert.equal(await waits, nothing)
    assert.deepEqual(ran, ['0:666', '1:1'])
  })

  test('more than can be waited for is turned away', async () => {
    const { pool, settle } = stage(1)
    const all = Array.from({ length: 1_002 }, () => pool.run(totals(1)).catch((error: unknown) => error))
    await settle()
    const last = await all.at(-1)
    assert.ok(last instanceof StorageUnavailable && last.reason === 'reports_waiting')
  })
})
