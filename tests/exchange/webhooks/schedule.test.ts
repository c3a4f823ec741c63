/** The retry schedule, to the second, and the record of each attempt. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { export_ready } from '../../../operations/exchange/exports/events.ts'
import { attempts, retryAfterMs, waitAfter } from '../../../operations/exchange/webhooks/schedule.ts'
import { isThorough, onEachEngine } from '../../support/engines.ts'
import { testIfFullOr } from '../../support/full.ts'
import { type Delivering, startDelivering, webhookIn } from './delivering.ts'
import { type Receiver, startReceiver, status } from './receiver.ts'

const [s, m, h] = [1_000, 60_000, 3_600_000]
const decided = [5 * s, 5 * m, 30 * m, 2 * h, 5 * h, 10 * h, 14 * h, 20 * h, 24 * h]
const data = { export_id: 'exp_1', expires_at: '2026-12-01T00:00:00.000Z' }

describe('the schedule', () => {
  const plain = { overloaded: false, retryAfter: undefined }
  test('has 10 attempts with the decided waits between them, ±20 %', () => {
    assert.equal(attempts, 10)
    for (const [i, wait] of decided.entries()) {
      assert.deepEqual(
        [0, 0.5, 1].map(chance => waitAfter(i + 1, plain, chance)),
        [0.8 * wait, wait, 1.2 * wait],
        `after attempt ${i + 1}`,
      )
    }
    assert.equal(waitAfter(10, plain, 0.5), undefined)
  })

  test('waits a minute at least after 429 and after a timeout', () => {
    const overloaded = { ...plain, overloaded: true }
    assert.deepEqual([waitAfter(1, overloaded, 0), waitAfter(1, overloaded, 1), waitAfter(2, overloaded, 0)], [m, m, 4 * m])
  })

  test('follows Retry-After from once to twice the scheduled wait', () => {
    const asked = (retryAfter: number, made: number, overloaded = false) => waitAfter(made, { overloaded, retryAfter }, 0)
    assert.deepEqual([asked(0, 2), asked(7 * m, 2), asked(3 * h, 2)], [5 * m, 7 * m, 10 * m])
    assert.deepEqual([asked(8 * s, 1), asked(8 * s, 1, true), asked(3 * h, 1, true)], [8 * s, m, m])
    assert.equal(asked(h, 10), undefined)
  })

  test('reads Retry-After as seconds or as a date, and as nothing else', () => {
    const now = Date.parse('2026-03-10T12:00:00Z')
    assert.deepEqual(
      [retryAfterMs('120', now), retryAfterMs('Tue, 10 Mar 2026 12:02:00 GMT', now), retryAfterMs('Tue, 10 Mar 2026 11:00:00 GMT', now)],
      [120 * s, 120 * s, 0],
    )
    for (const text of [undefined, '', 'soon', '-5', '1.5', '99999999999', '2026-03-10', 'Tue, 40 Mar 2026 12:00:00 GMT', '1; 2'])
      assert.equal(retryAfterMs(text, now), undefined, String(text))
  })
})

onEachEngine('a delivery', engine => {
  let service: Delivering
  let receiver: Receiver
  before(async () => {
    service = await startDelivering(engine)
    receiver = await startReceiver()
  })
  after(async () => {
    await service.close()
    await receiver.close()
  })
  const rowOf = (id: string) =>
    service.store.read.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  test('to an endpoint that never succeeds is tried ten times, each exactly when it is due, and then given up', async () => {
    const { world, deliveries } = await webhookIn(service, receiver.url)
    receiver.answer = status(500, {}, 'broken')
    receiver.received.length = 0
    const began = service.clock.now
    await service.emit(world, export_ready, data)
    await service.deliver()
    for (const [i, wait] of decided.entries()) {
      assert.equal(receiver.received.length, i + 1)
      const [{ id, status, status_code, response_body, attempt, delivered_at }] = await deliveries()
      assert.deepEqual([status, status_code, response_body, attempt, delivered_at], ['pending', 500, 'broken', i + 1, null])
      const { next_at } = await rowOf(id)
      const waits = (next_at ?? 0) - service.clock.now
      assert.ok(waits >= 0.8 * wait && waits <= 1.2 * wait, `${waits} ms before attempt ${i + 2}`)
      service.clock.now += waits - 1
      await service.deliver()
      assert.equal(receiver.received.length, i + 1, 'not a millisecond early')
      service.clock.now += 1
      await service.deliver()
    }
    const [last] = await deliveries()
    assert.deepEqual([receiver.received.length, last.status, last.attempt, (await rowOf(last.id)).next_at], [10, 'failed', 10, null])
    assert.equal(new Set(receiver.received.map(each => each.headers['webhook-id'])).size, 1)
    assert.equal(new Set(receiver.received.map(each => each.body)).size, 1)
    assert.ok(service.clock.now - began > 60 * h)
    service.clock.now += 100 * h
    await service.deliver()
    assert.equal(receiver.received.length, 10)
  })

  test('that fails and then succeeds is done', async () => {
    const { world, deliveries, get } = await webhookIn(service, receiver.url)
    receiver.answer = status(503, { 'Retry-After': '8' })
    await service.emit(world, export_ready, data)
    await service.deliver()
    const [first] = await deliveries()
    assert.equal((await rowOf(first.id)).next_at, service.clock.now + 8 * s)
    assert.deepEqual([(await get()).consecutive_failures, (await get()).last_failure_at], [1, new Date(service.clock.now).toISOString()])
    receiver.answer = status(204)
    service.clock.now += 8 * s
    await service.deliver()
    const [{ status: state, attempt, status_code, error, response_body, delivered_at, duration_ms }] = await deliveries()
    assert.deepEqual(
      [state, attempt, status_code, error, response_body, delivered_at],
      ['succeeded', 2, 204, null, '', new Date(service.clock.now).toISOString()],
    )
    assert.ok(Number.isInteger(duration_ms))
    assert.deepEqual([(await get()).consecutive_failures, (await get()).last_success_at], [0, delivered_at])
    assert.deepEqual([(await deliveries('&status=succeeded')).length, (await deliveries('&status=failed')).length], [1, 0])
  })

  testIfFullOr(isThorough(engine))('an attempt succeeds only with 2xx: a redirect is not followed, and an error has its code', async () => {
    const other = await startReceiver()
    for (const [code, outcome] of [
      [200, 'succeeded'],
      [201, 'succeeded'],
      [299, 'succeeded'],
      [301, 'pending'],
      [307, 'pending'],
      [400, 'pending'],
      [404, 'pending'],
    ] as const) {
      const { world, deliveries } = await webhookIn(service, receiver.url)
      receiver.answer = status(code, code >= 300 && code < 400 ? { Location: other.url } : {})
      await service.emit(world, export_ready, data)
      await service.deliver()
      const [delivery] = await deliveries()
      assert.deepEqual([delivery.status, delivery.status_code, delivery.error], [outcome, code, null])
    }
    await other.close()
    assert.equal(other.received.length, 0)
    const { world, deliveries } = await webhookIn(service, other.url)
    await service.emit(world, export_ready, data)
    await service.deliver()
    const [refused] = await deliveries()
    assert.deepEqual(
      [refused.status, refused.status_code, refused.error, refused.response_body],
      ['pending', null, 'connection_refused: the connection was refused', null],
    )
  })

  test('keeps 2,000 characters of an answer, whole ones that any database takes', async () => {
    const { world, deliveries } = await webhookIn(service, receiver.url)
    for (const [answer, kept] of [
      ['x'.repeat(500_000), 'x'.repeat(2_000)],
      [`${'x'.repeat(1_999)}😀`, 'x'.repeat(1_999)],
      ['a\0b', 'a\ufffdb'],
      [Buffer.from([0xff, 0xfe]), '\ufffd\ufffd'],
    ] as const) {
      receiver.answer = response => {
        response.end(answer)
      }
      await service.emit(world, export_ready, data)
      await service.deliver()
      service.clock.now += 1
      assert.equal((await deliveries())[0].response_body, kept)
    }
  })

  test('whose event was undone is not there, and one for another kind of event, workspace or a disabled webhook neither', async () => {
    receiver.received.length = 0
    const { world, update, deliveries } = await webhookIn(service, receiver.url, ['site.created', 'export.ready'])
    const undone = service.app.store.transaction(async trx => {
      await service.app.emitIn(trx, service.clock.now)(export_ready, { workspaceId: world.ids.workspace ?? '', siteId: null, data })
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    await update({ events: ['site.created'] })
    await service.emit(world, export_ready, data)
    await update({ events: ['export.ready'], enabled: false })
    await service.emit(world, export_ready, data)
    await update({ enabled: true })
    const other = await webhookIn(service, receiver.url)
    await service.emit(other.world, export_ready, data)
    await service.deliver()
    assert.deepEqual([receiver.received.length, (await deliveries()).length, (await other.deliveries()).length], [1, 0, 1])
  })
})
