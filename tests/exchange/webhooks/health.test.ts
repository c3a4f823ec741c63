/** Failing, disabled, enabled again: scenarios on a virtual clock, each a list of steps and expected results. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { export_ready } from '../../../operations/exchange/exports/events.ts'
import { deliverDue } from '../../../operations/exchange/webhooks/deliver.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { overtaken } from '../../support/overtaken.ts'
import { taskContext } from '../../support/task-context.ts'
import { type Delivering, startDelivering, webhookIn } from './delivering.ts'
import { type Receiver, startReceiver, status } from './receiver.ts'

const h = 3_600_000
type Step =
  /** So many events at once, all answered with this status. */
  | { readonly answer: number; readonly events: number }
  | { readonly wait: number }
  | { readonly patch: object }
  | { readonly test: number }
  | { readonly redeliver: number }
interface Scenario {
  readonly title: string
  readonly steps: readonly Step[]
  readonly seen: { readonly status: string; readonly enabled: boolean; readonly failures: number }
}

const scenarios: readonly Scenario[] = [
  { title: 'nothing happened', steps: [], seen: { status: 'active', enabled: true, failures: 0 } },
  { title: 'three failures', steps: [{ answer: 500, events: 3 }], seen: { status: 'active', enabled: true, failures: 3 } },
  { title: 'four failures', steps: [{ answer: 500, events: 4 }], seen: { status: 'failing', enabled: true, failures: 4 } },
  {
    title: 'four failures and a success',
    steps: [
      { answer: 500, events: 4 },
      { answer: 200, events: 1 },
    ],
    seen: { status: 'active', enabled: true, failures: 0 },
  },
  { title: 'ten failures in little time', steps: [{ answer: 500, events: 10 }], seen: { status: 'failing', enabled: true, failures: 10 } },
  {
    title: 'ten failures over 119 hours',
    steps: [{ answer: 500, events: 9 }, { wait: 119 * h }, { answer: 500, events: 1 }],
    seen: { status: 'failing', enabled: true, failures: 10 },
  },
  {
    title: 'ten failures over 120 hours',
    steps: [{ answer: 500, events: 9 }, { wait: 120 * h }, { answer: 500, events: 1 }],
    seen: { status: 'disabled', enabled: false, failures: 10 },
  },
  {
    title: 'nine failures over 120 hours',
    steps: [{ answer: 500, events: 8 }, { wait: 120 * h }, { answer: 500, events: 1 }],
    seen: { status: 'failing', enabled: true, failures: 9 },
  },
  {
    title: 'a success in between restarts the streak',
    steps: [
      { answer: 500, events: 9 },
      { wait: 100 * h },
      { answer: 200, events: 1 },
      { answer: 500, events: 9 },
      { wait: 100 * h },
      { answer: 500, events: 1 },
    ],
    seen: { status: 'failing', enabled: true, failures: 10 },
  },
  { title: 'an answer of 410', steps: [{ answer: 410, events: 1 }], seen: { status: 'disabled', enabled: false, failures: 1 } },
  { title: 'disabled by hand', steps: [{ patch: { enabled: false } }], seen: { status: 'disabled', enabled: false, failures: 0 } },
  {
    title: 'disabled by 410 and enabled again',
    steps: [{ answer: 410, events: 1 }, { patch: { enabled: true } }],
    seen: { status: 'active', enabled: true, failures: 0 },
  },
  {
    title: 'enabled again, the old streak does not count',
    steps: [
      { answer: 500, events: 9 },
      { wait: 120 * h },
      { answer: 500, events: 1 },
      { patch: { enabled: true } },
      { answer: 500, events: 10 },
    ],
    seen: { status: 'failing', enabled: true, failures: 10 },
  },
  {
    title: 'enabling what is enabled changes nothing',
    steps: [{ answer: 500, events: 5 }, { patch: { enabled: true } }],
    seen: { status: 'failing', enabled: true, failures: 5 },
  },
  {
    title: 'a test that fails counts for nothing',
    steps: [{ test: 500 }, { test: 410 }],
    seen: { status: 'active', enabled: true, failures: 0 },
  },
  {
    title: 'a test that succeeds clears failing',
    steps: [{ answer: 500, events: 4 }, { test: 200 }],
    seen: { status: 'active', enabled: true, failures: 0 },
  },
  {
    title: 'a test that succeeds enables nothing',
    steps: [{ answer: 410, events: 1 }, { test: 200 }],
    seen: { status: 'disabled', enabled: false, failures: 0 },
  },
  {
    title: 'the same again that fails counts for nothing',
    steps: [{ answer: 200, events: 1 }, { redeliver: 500 }, { redeliver: 410 }],
    seen: { status: 'active', enabled: true, failures: 0 },
  },
  {
    title: 'the same again that succeeds clears failing',
    steps: [{ answer: 500, events: 4 }, { redeliver: 200 }],
    seen: { status: 'active', enabled: true, failures: 0 },
  },
]

onAnyEngine('the health of a webhook', engine => {
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
  const emit = (world: Parameters<Delivering['emit']>[0]) =>
    service.emit(world, export_ready, { export_id: 'exp_1', expires_at: '2026-12-01T00:00:00.000Z' })

  for (const { title, steps, seen } of scenarios) {
    test(title, async () => {
      const { world, id, get, update, call, deliveries } = await webhookIn(service, receiver.url)
      for (const step of steps) {
        service.clock.now += 1
        if ('wait' in step) service.clock.now += step.wait - 1
        else if ('patch' in step) await update(step.patch)
        else if ('answer' in step) {
          receiver.answer = status(step.answer)
          // Only new deliveries count in these scenarios: pending ones are taken out.
          await service.store.write.updateTable('webhook_deliveries').set({ next_at: null }).where('webhook_id', '=', id).execute()
          for (let i = 0; i < step.events; i++) await emit(world)
          await service.deliver()
        } else {
          receiver.answer = status('test' in step ? step.test : step.redeliver)
          const [newest] = await deliveries()
          const answer = await call('POST', 'test' in step ? `/${id}/test` : `/${id}/deliveries/${newest.id}/redeliver`)
          assert.deepEqual([answer.status, answer.body.data?.status], [200, 'pending'], answer.text)
          await service.deliver()
        }
      }
      const { status: state, enabled, consecutive_failures } = await get()
      assert.deepEqual({ status: state, enabled, failures: consecutive_failures }, seen)
    })
  }

  test('a disabled webhook sends nothing; pending deliveries wait, and are due when it is enabled again', async () => {
    const { world, update, deliveries } = await webhookIn(service, `${receiver.url}/held`)
    receiver.answer = status(500)
    await emit(world)
    await service.deliver()
    await update({ enabled: false })
    receiver.answer = status(200)
    const sent = () => receiver.received.filter(({ path }) => path === '/held').length
    await emit(world)
    service.clock.now += 100 * h
    await service.deliver()
    assert.deepEqual([sent(), (await deliveries()).length, (await deliveries())[0].status], [1, 1, 'pending'])
    await update({ enabled: true })
    await service.deliver()
    const [held] = await deliveries()
    assert.deepEqual([sent(), held.status, held.attempt], [2, 'succeeded', 2])
  })

  test('a 410 in the middle of others holds what is still pending, and what was under way keeps its outcome', async () => {
    const { world, get, update, deliveries } = await webhookIn(service, receiver.url)
    let n = 0
    receiver.answer = response => {
      response.writeHead(++n === 5 ? 410 : n < 5 ? 200 : 500).end()
    }
    for (let i = 0; i < 30; i++) await emit(world)
    await service.deliver()
    assert.equal((await get()).status, 'disabled')
    const states = (await deliveries()).map((delivery: { status: string }) => delivery.status)
    assert.equal(states.length, 30)
    assert.ok(states.filter((state: string) => state === 'succeeded').length >= 4)
    assert.ok(!states.includes('failed'))
    receiver.answer = status(200)
    await update({ enabled: true })
    await service.deliver()
    assert.deepEqual([...new Set((await deliveries()).map((delivery: { status: string }) => delivery.status))], ['succeeded'])
  })

  test('an event written while the webhook was being disabled waits with the others', async () => {
    const { world, id, update, deliveries } = await webhookIn(service, receiver.url)
    receiver.received.length = 0
    await emit(world)
    await service.store.write.updateTable('webhooks').set({ enabled: 0 }).where('id', '=', id).execute()
    await service.deliver()
    assert.deepEqual([receiver.received.length, (await deliveries())[0].status], [0, 'pending'])
    receiver.answer = status(200)
    await update({ enabled: true })
    await service.deliver()
    assert.deepEqual([receiver.received.length, (await deliveries())[0].status], [1, 'succeeded'])
  })

  test('an event written while the webhook was being disabled is sent if it is enabled before the worker pauses it', async () => {
    receiver.answer = status(200)
    await overtaken(service.store, async slowly => {
      const { world, id, update, deliveries } = await webhookIn(service, receiver.url)
      await emit(world)
      await service.store.write.updateTable('webhooks').set({ enabled: 0 }).where('id', '=', id).execute()
      let isEnabled = false
      const slow = slowly(async () => {
        isEnabled = true
        await update({ enabled: true })
      })
      await deliverDue({ ...taskContext(service.app), store: slow })
      await service.deliver()
      assert.equal((await deliveries())[0].status, isEnabled ? 'succeeded' : 'pending')
    })
  })
})
