/** A slow, hanging or dead endpoint delays only its own deliveries. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { setTimeout as later } from 'node:timers/promises'
import { test } from 'node:test'
import { freeLanes } from '../../../operations/exchange/webhooks/deliver.ts'
import { export_ready } from '../../../operations/exchange/exports/events.ts'
import { engines, onAnyEngine } from '../../support/engines.ts'
import { request } from '../../support/world.ts'
import { startDelivering, webhookIn } from './delivering.ts'
import { startReceiver, status } from './receiver.ts'

const data = { export_id: 'exp_1', expires_at: '2026-12-01T00:00:00.000Z' }

onAnyEngine('endpoints that hang', engine => {
  test('slow endpoints delay no other endpoint, get at most ten attempts each, and get their deliveries when they recover', async () => {
    const service = await startDelivering(engine)
    const [dead, good] = [await startReceiver(), await startReceiver()]
    const waiting: ServerResponse[] = []
    dead.answer = response => {
      waiting.push(response)
    }
    const hanging = [await webhookIn(service, `${dead.url}/0`), await webhookIn(service, `${dead.url}/1`)]
    for (const { world } of hanging) for (let i = 0; i < 30; i++) await service.emit(world, export_ready, data)
    const delivering = service.deliver()
    while (waiting.length < 20) await later(5)

    const alive = []
    for (let i = 0; i < 5; i++) alive.push(await webhookIn(service, `${good.url}/${i}`))
    for (const { world } of alive) for (let i = 0; i < 10; i++) await service.emit(world, export_ready, data)
    while (good.received.length < 50) await later(5)
    assert.ok(
      waiting.every(({ destroyed }) => !destroyed),
      'they arrive while both endpoints hang',
    )
    assert.equal(waiting.length, 20, 'ten attempts at each')

    dead.answer = status(200)
    for (const response of waiting) response.end()
    await delivering
    assert.equal(dead.received.length, 60)
    for (const { deliveries } of [...hanging, ...alive])
      assert.ok((await deliveries()).every((each: { status: string }) => each.status === 'succeeded'))
    await Promise.all([dead.close(), good.close()])
    await service.close()
  })

  test('hold fewer attempts while they fail', async () => {
    const service = await startDelivering(engine)
    const slow = await startReceiver()
    let [now, max] = [0, 0]
    slow.answer = response => {
      max = Math.max(max, ++now)
      setTimeout(() => {
        now--
        response.writeHead(500).end()
      }, 30)
    }
    const { world } = await webhookIn(service, slow.url)
    await service.emit(world, export_ready, data)
    await service.deliver()
    for (let i = 0; i < 20; i++) await service.emit(world, export_ready, data)
    max = 0
    await service.deliver()
    assert.equal(max, 2)
    await slow.close()
    await service.close()
  })

  test('slow endpoints do not delay the change that emits an event', async () => {
    const service = await startDelivering(engine)
    const dead = await startReceiver()
    dead.answer = () => {}
    const { world, deliveries } = await webhookIn(service, dead.url, ['site.created'])
    const create = (name: string) =>
      request(service, 'POST', `/workspaces/${world.ids.workspace}/sites`, {
        token: world.token,
        body: { domain: `${name}.${world.ids.domain}` },
      })
    await create('one')
    const delivering = service.deliver()
    while (dead.received.length === 0) await later(5)
    const order: string[] = []
    const delivered = delivering.then(() => {
      order.push('delivered')
    })
    assert.equal((await create('two')).status, 201)
    order.push('created')
    assert.equal((await deliveries()).length, 2)
    await dead.close()
    await delivered
    assert.deepEqual(order, ['created', 'delivered'])
    await service.close()
  })
})

test('if a process has its maximum of attempts, the webhook with the fewest attempts is next', () => {
  const webhooks = (from: number, count: number, consecutive_failures: number) =>
    Array.from({ length: count }, (_, i) => ({ id: `wh_${from + i}`, consecutive_failures }))
  const places = (due: Parameters<typeof freeLanes>[0], underWay: ReadonlyArray<[string, number]>) =>
    Object.fromEntries(freeLanes(due, new Map(underWay)).map(lane => [lane.name, lane.places]))
  const [fine, failing] = [webhooks(0, 1, 0), webhooks(1, 2, 3)]
  assert.deepEqual(
    places(
      [...fine, ...failing],
      [
        ['wh_0', 9],
        ['wh_2', 2],
      ],
    ),
    { wh_0: 1, wh_1: 2 },
  )
  const hanging = webhooks(100, 99, 0)
  const all = hanging.map(({ id }): [string, number] => [id, 10])
  assert.deepEqual(places([...hanging, ...fine], all), { wh_0: 10 })
  assert.deepEqual(places([...hanging, ...fine], [...all, ['wh_0', 4]]), { wh_0: 6 })
  assert.deepEqual(places([...fine, ...webhooks(200, 3, 0)], [...all, ['wh_0', 4]]), { wh_200: 6 })
  assert.deepEqual(places(webhooks(200, 3, 0), [...all, ['gone', 10]]), {})
})

test('an endpoint that hangs is given up after 15 seconds as a timeout, and asked again a minute later at the earliest', async () => {
  const service = await startDelivering(engines[0] ?? assert.fail()) // the timeout does not depend on the database
  const dead = await startReceiver()
  dead.answer = response => {
    response.writeHead(200).write('x')
  } // an endless body is no answer either
  const { world, deliveries } = await webhookIn(service, dead.url)
  await service.emit(world, export_ready, data)
  await service.deliver()
  const [{ id, error, status_code, duration_ms }] = await deliveries()
  assert.deepEqual([error, status_code], ['timeout: the time limit passed', null])
  assert.ok(duration_ms > 14_900, String(duration_ms))
  const { next_at } = await service.store.read
    .selectFrom('webhook_deliveries')
    .select('next_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.equal(next_at, service.clock.now + 60_000)
  await dead.close()
  await service.close()
})
