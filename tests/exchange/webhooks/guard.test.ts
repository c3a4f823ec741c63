/** No webhook reaches an internal address, however its URL is spelled, and wherever it redirects. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { attempt } from '../../../operations/exchange/webhooks/attempt.ts'
import { export_ready } from '../../../operations/exchange/exports/events.ts'
import { type Canary, insideResolver, startCanary, targetsAt } from '../../runtime/outbound/targets.ts'
import { engines } from '../../support/engines.ts'
import { type Delivering, startDelivering, webhookIn } from './delivering.ts'
import { startReceiver, status } from './receiver.ts'

const [engine = assert.fail()] = engines // delivery does not depend on the database
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const signed = { id: 'evt_1', at: Date.now(), body: '{}' }
const closed = { OUTBOUND_ALLOW_CIDRS: [] }
let canary: Canary
let service: Delivering
before(async () => {
  canary = await startCanary()
  service = await startDelivering(engine, closed)
})
after(async () => {
  await service.close()
  await canary.close()
})

test('every target of the corpus is refused at the attempt, over http and https, and the reason names no address', async () => {
  for (const { url, why } of targetsAt(canary.port)) {
    for (const target of [url, url.replace(/^http:/, 'https:')]) {
      const { outcome, statusCode, error } = await attempt({
        url: target,
        secrets: [secret],
        signed,
        config: closed,
        more: { resolver: insideResolver },
      })
      assert.deepEqual([outcome, statusCode], ['failed', null], `${why}: ${target}`)
      assert.match(String(error ?? ''), /^(blocked|invalid_target|dns_error): [a-zA-Z ,]+$/, `${why}: ${target}`)
    }
  }
  assert.equal(canary.connections(), 0)
})

test('a forbidden address that needs no name lookup is refused as input, on create and on update', async () => {
  const { id, call } = await webhookIn(service, 'https://hooks.example.com/')
  for (const { url, why, host } of targetsAt(canary.port)) {
    const target = url.replace(/^http:/, 'https:')
    const answers = [await call('POST', '', { url: target, events: ['export.ready'] }), await call('PATCH', `/${id}`, { url: target })]
    const named = host !== undefined && /test\.?$|internal\.?$|^metadata$|printer/i.test(host)
    for (const { status, text } of answers) assert.equal(status < 300, named || made.has(host ?? ''), `${why}: ${target} ${text}`)
    await service.store.write.deleteFrom('webhooks').where('id', '!=', id).where('url', '!=', 'https://hooks.example.com/').execute()
  }
  assert.equal(canary.connections(), 0)
})
/** Names with a dot of another script, which only DNS can resolve to internal addresses. */
const made = new Set(['inside。test'])

test('one that is in the database all the same is not called', async () => {
  const { world, id, deliveries } = await webhookIn(service, 'https://hooks.example.com/')
  for (const url of [`https://127.0.0.1:${canary.port}/`, `http://[::1]:${canary.port}/`, `https://localhost:${canary.port}/`]) {
    await service.store.write.updateTable('webhooks').set({ url, enabled: 1 }).where('id', '=', id).execute()
    service.clock.now += 1
    await service.emit(world, export_ready, { export_id: 'exp_1', expires_at: '2026-12-01T00:00:00.000Z' })
    await service.deliver()
    assert.equal((await deliveries())[0].error, 'blocked: the target is not a public address', url)
  }
  assert.equal(canary.connections(), 0)
})

test('a redirect is not followed, wherever it leads', async () => {
  const front = await startReceiver()
  for (const code of [301, 302, 303, 307, 308]) {
    front.answer = status(code, { Location: `http://127.0.0.1:${canary.port}/` })
    const made = await attempt({ url: front.url, secrets: [secret], signed, config: { OUTBOUND_ALLOW_CIDRS: ['127.0.0.0/8'] } })
    assert.deepEqual([made.outcome, made.statusCode], ['failed', code])
  }
  assert.deepEqual([front.received.length, canary.connections()], [5, 0])
  await front.close()
})

test('http goes nowhere but into a network that is opted in to, whatever the name says at the time', async () => {
  const front = await startReceiver()
  const open = { OUTBOUND_ALLOW_CIDRS: ['127.0.0.0/8'] }
  const at = (name: string, address: string) =>
    attempt({ url: `http://${name}:${front.port}/`, secrets: [secret], signed, config: open, more: { resolver: async () => [address] } })
  assert.equal((await at('n8n', '127.0.0.1')).outcome, 'succeeded')
  assert.match(String((await at('public.test', '93.184.216.34')).error ?? ''), /^blocked/)
  assert.equal(front.received.length, 1)
  await front.close()
})
