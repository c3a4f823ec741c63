/** Repeated kill -9 during deliveries: each arrives at least once under its id, and none is lost. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as later } from 'node:timers/promises'
import { test } from 'node:test'
import { export_ready } from '../../operations/exchange/exports/events.ts'
import { createApp } from '../../runtime/create-app.ts'
import { chanceOf, randomBytes } from '../support/chance.ts'
import { isFull } from '../support/full.ts'
import { onSharedEngine } from '../support/engines.ts'
import { programOf } from '../support/process.ts'
import { startDelivering, webhookIn } from '../exchange/webhooks/delivering.ts'
import { startReceiver } from '../exchange/webhooks/receiver.ts'

const kills = Number(process.env.KILLS ?? (isFull ? 50 : 1))
const chance = chanceOf('webhooks')
const eventsEach = 20
const events = eventsEach * kills
/** The factor by which all clocks here run faster: the lease of a dead worker ends in two seconds. */
const speed = 30

onSharedEngine('deliveries under way', engine => {
  const several = engine.name === 'postgres'
  test(`survive ${kills} kills${several ? ' of two workers' : ''}`, async t => {
    const service = await startDelivering(engine)
    const since = Date.now()
    const now = () => Math.round(since + (Date.now() - since) * speed)
    const app = createApp({ ...service.app, store: service.store, now, random: randomBytes })

    // Two endpoints: a slow one, and one that fails one of four first attempts and cuts another off.
    const [slow, poor] = [await startReceiver(), await startReceiver()]
    const met = new Set<string>()
    const open = new Set<ServerResponse>()
    /** Ids of slow deliveries whose worker was killed before it had the answer. */
    const cut = new Set<string>()
    let isHeld = false
    slow.answer = (response, { headers: { 'webhook-id': id = '' } }) => {
      open.add(response)
      response.once('close', () => {
        open.delete(response)
        if (!response.writableEnded) cut.add(id)
      })
      setTimeout(() => isHeld || response.end(), chance.int(5, 60))
    }
    poor.answer = (response, { headers: { 'webhook-id': id = '' } }) => {
      const trouble = met.has(id) ? 0 : met.add(id).size % 4
      if (trouble === 1) response.writeHead(500).end()
      else if (trouble === 2) response.socket?.destroy()
      else response.end()
    }
    const { id: one, world, call } = await webhookIn(service, slow.url)
    const { id: two } = (await call('POST', '', { url: poor.url, events: ['export.ready'] })).body.data
    const emitted: string[] = []
    const emit = (count: number) =>
      app.store.transaction(async trx => {
        for (let i = 0; i < count; i++) {
          const export_id = `exp_${emitted.length}`
          const data = { export_id, expires_at: '2026-12-01T00:00:00.000Z' }
          await app.emitIn(trx, now())(export_ready, { workspaceId: world.ids.workspace ?? '', siteId: null, data })
          emitted.push(export_id)
        }
      })

    const start = () => startWorker(service.url, since)
    const workers = Array.from({ length: several ? 2 : 1 }, start)
    for (let kill = 0; kill < kills; kill++) {
      const isLast = kill === kills - 1
      const victims = isLast ? [...workers.keys()] : [kill % workers.length]
      const running = await Promise.all(victims.map(at => workers[at]))
      await emit(eventsEach) // once the victims run: another worker may have sent all before
      const target = slow.received.length + chance.int(5, 15)
      while (slow.received.length < target || open.size === 0) await later(2)
      isHeld = true
      for (const worker of running) worker?.kill('SIGKILL')
      while (isLast && open.size > 0) await later(2)
      isHeld = false
      for (const response of open) response.end()
      for (const at of isLast ? victims.slice(0, 1) : victims) workers[at] = start()
    }

    const deliveries = service.store.read.selectFrom('webhook_deliveries')
    const pending = () => deliveries.select('id').where('status', '=', 'pending').limit(1).executeTakeFirst()
    assert.ok(await pending(), 'the last kill was in the middle too')
    while (await pending()) await later(100)
    for (const worker of await Promise.all(workers)) worker.kill('SIGKILL')

    const rows = await deliveries.select(['webhook_id', 'event_id', 'status', 'payload']).execute()
    for (const [webhook, { received }] of [
      [one, slow],
      [two, poor],
    ] as const) {
      const own = rows.filter(row => row.webhook_id === webhook)
      const payloads = new Map(own.map(row => [row.event_id, row.payload]))
      assert.deepEqual([own.length, payloads.size], [events, events], 'one delivery an event')
      assert.deepEqual([...new Set(own.map(({ status }) => status))], ['succeeded'])
      const ids = new Set(received.map(({ headers }) => headers['webhook-id']))
      assert.deepEqual(
        own.filter(({ event_id }) => !ids.has(event_id)),
        [],
        'none is lost',
      )
      for (const { headers, body } of received) {
        assert.equal(body, payloads.get(headers['webhook-id'] ?? ''), 'the id and bytes of an event that is there')
      }
      const told = [...payloads.values()].map(text => JSON.parse(text).data.export_id)
      assert.deepEqual(new Set(told), new Set(emitted))
      assert.ok(received.length > events, 'what was cut off or failed was sent again')
      t.diagnostic(`${received.length} attempts for ${events} deliveries`)
    }
    assert.ok(cut.size > 0, 'the last kill was in the middle of a delivery')
    const timesOf = (id: string) => slow.received.filter(({ headers }) => headers['webhook-id'] === id).length
    assert.deepEqual(
      [...cut].filter(id => timesOf(id) < 2),
      [],
      'each that was cut off was sent again',
    )
    await Promise.all([slow.close(), poor.close()])
    await service.close()
  })
})

const children = new Set<ChildProcess>()
process.once('exit', () => children.forEach(child => child.kill('SIGKILL')))

async function startWorker(url: string, since: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...programOf('tests/exchange/webhooks/worker.ts')], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      SINCE: String(since),
      SPEED: String(speed),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  const ended = once(child, 'exit').then(() => assert.fail('a worker did not start'))
  await Promise.race([once(child.stdout, 'data'), ended])
  return child
}
