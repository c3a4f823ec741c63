/**
 * A worker that sends is stopped for longer than its leases, another one takes its work over, and it goes on: what was on
 * its way when it was stopped may go out once more, with the same id, and nothing else; nothing that succeeded is marked as
 * failed. The clocks of both are minutes apart.
 */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { export_ready } from '../../operations/exchange/exports/events.ts'
import { startDelivering, webhookIn } from '../exchange/webhooks/delivering.ts'
import { type Receiver, startReceiver } from '../exchange/webhooks/receiver.ts'
import { later, until } from '../runtime/tasks/tasks.ts'
import { engines, onAnyEngine } from '../support/engines.ts'
import { testIfFull, testIfFullOr } from '../support/full.ts'
import { makeSite, request, startService, type TestService } from '../support/world.ts'
import { HOUR, startWatching, watch } from '../watch/alerts/watching.ts'
import { startMailbox } from './mailbox.ts'
import { startWorker, stopFirst, type Work } from './workers.ts'

const postgres = engines.find(({ name }) => name === 'postgres')
const wakings = ['in the middle of the other', 'after the other has ended'] as const
/** In a normal run webhooks have this one. */
const [inTheMiddle] = wakings

/** Works by the service's clock, so many times as fast, so that leases of minutes end in seconds. */
const working = ({ url, clock }: TestService, speed: number, tasks: string): Work => ({
  DATABASE_URL: url,
  TASKS: tasks,
  FOREVER: '1',
  OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
  BASE_URL: 'http://footfall.test',
  NOW: String(clock.now),
  SINCE: String(Date.now()),
  SPEED: String(speed),
})

/** An endpoint that takes its time. */
async function startSlow(answerMs: number): Promise<Receiver> {
  const receiver = await startReceiver()
  receiver.answer = response => void setTimeout(() => response.end(), answerMs)
  return receiver
}

/** How often each came. */
function counted(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}
const max = (counts: ReadonlyMap<string, number>) => Math.max(...counts.values())

const LEASE_MS = 60_000
onAnyEngine('the only worker, stopped past its leases while deliveries are on their way', engine => {
  test('tries them again, and holds nothing against the endpoint', async t => {
    const speed = 30
    const service = await startDelivering(engine)
    const endpoint = await startReceiver()
    t.after(async () => {
      await endpoint.close()
      await service.close()
    })
    const held: ServerResponse[] = []
    endpoint.answer = response => void held.push(response)
    const { get, world } = await webhookIn(service, endpoint.url)
    for (let i = 0; i < 8; i++) await service.emit(world, export_ready, { export_id: `exp_${i}`, expires_at: '2026-12-01T00:00:00.000Z' })
    const worker = startWorker(working(service, speed, 'webhooks_deliver'))
    await until(() => held.length === 8)
    worker.child.kill('SIGSTOP')
    endpoint.answer = response => void response.end()
    for (const response of held) response.destroy()
    await later((1.2 * LEASE_MS) / speed)
    worker.child.kill('SIGCONT')
    const rows = () => service.store.read.selectFrom('webhook_deliveries').selectAll().execute()
    await until(async () => (await rows()).every(({ status }) => status !== 'pending'))
    worker.kill()
    await worker.ended
    assert.deepEqual(new Set((await rows()).map(({ status, attempt }) => `${status} ${attempt}`)), new Set(['succeeded 1']))
    const { status, consecutive_failures, last_failure_at } = await get()
    assert.deepEqual([status, consecutive_failures, last_failure_at], ['active', 0, null])
  })
})

/** Once for the process that is stopped. The clocks are so fast that leases of the other may end on a busy machine as well. */
const lapses = 3

describe('a worker that sends, and is stopped past its leases', { skip: !postgres && 'without Postgres there is one process' }, () => {
  for (const wakes of wakings) {
    testIfFullOr(wakes === inTheMiddle)(`delivers to webhooks, and is woken ${wakes}`, async t => {
      assert.ok(postgres)
      const events = 150
      /** Attempts under way at once for a webhook. */
      const lane = 10
      const service = await startDelivering(postgres)
      const endpoint = await startSlow(80)
      t.after(async () => {
        await endpoint.close()
        await service.close()
      })
      const { get, world } = await webhookIn(service, endpoint.url)
      const data = { expires_at: '2026-12-01T00:00:00.000Z' }
      await service.store.transaction(async trx => {
        const emit = service.app.emitIn(trx, service.clock.now)
        for (let i = 0; i < events; i++)
          await emit(export_ready, { workspaceId: world.ids.workspace ?? '', siteId: null, data: { ...data, export_id: `exp_${i}` } })
      })
      const rows = () => service.store.read.selectFrom('webhook_deliveries').selectAll().execute()
      const ids = () => endpoint.received.map(({ headers }) => headers['webhook-id'] ?? '')
      const isOver = async () => (await rows()).every(({ status }) => status !== 'pending')
      await stopFirst(working(service, 30, 'webhooks_deliver'), {
        middle: () => endpoint.received.length >= 30,
        wakes: () => (wakes === 'after the other has ended' ? isOver() : max(counted(ids())) > 1 || isOver()),
        isOver,
      })
      const ended = await rows()
      assert.deepEqual(
        [ended.length, new Set(ended.map(({ status, attempt }) => `${status} ${attempt}`))],
        [events, new Set(['succeeded 1'])],
      )
      const counts = counted(ids())
      assert.ok(counts.size === events && max(counts) <= 1 + lapses, 'none is lost, and none comes again for another reason')
      const repeats = endpoint.received.length - events
      assert.ok(repeats <= lapses * lane, `${repeats} came again`)
      const { status, consecutive_failures } = await get()
      assert.deepEqual([status, consecutive_failures], ['active', 0])
      t.diagnostic(`${repeats} of ${events} came again`)
    })

    testIfFull(`tells channels of alerts, and is woken ${wakes}`, async t => {
      assert.ok(postgres)
      const [alerts, channels] = [60, 6]
      const endpoint = await startSlow(150)
      const watching = await startWatching(postgres, { OUTBOUND_ALLOW_CIDRS: ['127.0.0.0/8'] })
      t.after(async () => {
        await endpoint.close()
        await watching.close()
      })
      const { service } = watching
      const { store, clock } = service
      const { world, id: first } = await watch(watching, { kind: 'no_data', site_id: '{{site}}', threshold: 2, channel_ids: [] })
      await store.write.deleteFrom('alerts').where('id', '=', first).execute()
      const made: string[] = []
      for (let i = 0; i < channels; i++) {
        const channel = { name: `Hook ${i}`, kind: 'webhook', url: `${endpoint.url}/${i}` }
        made.push((await watching.call(world, 'POST', '/workspaces/{{workspace}}/channels', channel)).body.data.id)
      }
      await watching.send(world, [{ at: clock.now, who: 'the last one' }])
      for (let i = 0; i < alerts; i++) {
        const channel_ids = [made[i % channels]]
        const alert = { name: `Alert ${i}`, kind: 'no_data', site_id: '{{site}}', threshold: 2, channel_ids }
        assert.equal((await watching.call(world, 'POST', '/workspaces/{{workspace}}/alerts', alert)).status, 201)
      }
      clock.now += 3 * HOUR

      const rows = () => store.read.selectFrom('notifications').selectAll().execute()
      const isOver = async () => {
        const all = await rows()
        return all.length >= alerts && all.every(({ status }) => status !== 'pending')
      }
      const told = () => endpoint.received.map(({ body }) => String(JSON.parse(body).id))
      await stopFirst(working(service, 40, 'alerts_evaluate,notifications_send'), {
        middle: () => endpoint.received.length >= 10,
        wakes: () => (wakes === 'after the other has ended' ? isOver() : max(counted(told())) > 1 || isOver()),
        isOver,
      })
      const incidents = await store.read.selectFrom('alert_incidents').select('alert_id').execute()
      assert.deepEqual([incidents.length, new Set(incidents.map(({ alert_id }) => alert_id)).size], [alerts, alerts])
      const events = await store.read.selectFrom('events').select('id').where('type', '=', 'alert.triggered').execute()
      assert.equal(events.length, alerts)
      const sent = await rows()
      const outcomes = new Set(sent.map(({ status, attempt, error }) => `${status} ${attempt} ${error}`))
      assert.deepEqual([sent.length, outcomes], [alerts, new Set(['sent 1 null'])])
      const counts = counted(told())
      assert.equal(counts.size, alerts, 'each is told')
      assert.ok(max(counts) <= 1 + lapses && endpoint.received.length - alerts <= lapses * channels, 'only what was on its way comes again')
      const errors = await store.read.selectFrom('channels').select('last_error').where('id', 'in', made).execute()
      assert.ok(errors.every(({ last_error }) => last_error === null))
      t.diagnostic(`${endpoint.received.length - alerts} of ${alerts} came again`)
    })

    testIfFull(`mails reports, and is woken ${wakes}`, async t => {
      assert.ok(postgres)
      const people = 40
      /** Mails that are on their way at once. */
      const lanes = 5
      const mailbox = await startMailbox(80)
      const [SMTP_URL, BASE_URL] = [mailbox.url, 'https://stats.example.org']
      const service = await startService(postgres, { SMTP_URL, BASE_URL })
      t.after(async () => {
        await service.close()
        await mailbox.close()
      })
      const world = await makeSite(service)
      const recipients = Array.from({ length: people }, (_, i) => `person-${i}@example.org`)
      const made = await request(service, 'POST', `/workspaces/${world.ids.workspace}/email_reports`, {
        token: world.token,
        body: { name: 'Daily', frequency: 'daily', site_ids: [world.ids.site], recipients },
      })
      const { id, next_at } = made.body.data
      service.clock.now = Date.parse(next_at)
      const rows = () => service.store.read.selectFrom('email_report_mails').selectAll().where('report_id', '=', id).execute()
      const isOver = async () => {
        const all = await rows()
        return all.length > 0 && all.every(({ status }) => status !== 'pending')
      }
      const came = () => counted(mailbox.got.filter(({ to }) => recipients.includes(to)).map(each => `${each.to} ${each.id}`))
      const before = () => [...came().values()].reduce((sum, times) => sum + times, 0)
      let stoppedAt = 0
      await stopFirst(
        { ...working(service, 40, 'email_reports_plan,email_reports_send'), SMTP_URL, BASE_URL },
        {
          middle: () => before() >= 8,
          stopped: () => {
            stoppedAt = before()
          },
          wakes: () => (wakes === 'after the other has ended' ? isOver() : before() > stoppedAt + 5),
          isOver,
        },
      )
      const ended = await rows()
      assert.deepEqual([ended.length, new Set(ended.map(({ status }) => status))], [people, new Set(['sent'])])
      const counts = came()
      assert.deepEqual([counts.size, new Set([...counts.keys()].map(key => key.split(' ')[0])).size], [people, people], 'one id a mail')
      assert.ok(max(counts) <= 1 + lapses && before() - people <= lapses * lanes, 'only what was on its way comes again')
      const { last_error } = (
        await request(service, 'GET', `/workspaces/${world.ids.workspace}/email_reports/${id}`, { token: world.token })
      ).body.data
      assert.equal(last_error, null)
      t.diagnostic(`${before() - people} of ${people} came again`)
    })
  }
})
