/** Existing libraries can verify signatures: Stripe's, Standard Webhooks' and Svix's, over HTTP and TLS. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Webhook as StandardWebhook } from '../../../tools/standardwebhooks.mjs'
import { Stripe } from 'stripe'
import { Webhook as SvixWebhook } from '../../../tools/svix.mjs'
import { attempt } from '../../../operations/exchange/webhooks/attempt.ts'
import { export_ready } from '../../../operations/exchange/exports/events.ts'
import { rotationMs } from '../../../operations/exchange/webhooks/secret.ts'
import { makeAuthority } from '../../runtime/outbound/certificates.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { type Delivering, startDelivering, webhookIn } from './delivering.ts'
import { type Received, type Receiver, startReceiver } from './receiver.ts'

const stripe = new Stripe('sk_test_none')
const verifiers: Readonly<Record<string, (received: Received, secret: string) => unknown>> = {
  stripe: ({ headers, body }, secret) => stripe.webhooks.constructEvent(body, headers['service-signature'] ?? '', secret),
  standardwebhooks: ({ headers, body }, secret) => new StandardWebhook(secret).verify(body, headers),
  svix: ({ headers, body }, secret) => new SvixWebhook(secret).verify(body, headers),
}

function accepted(received: Received | undefined, secret: string): void {
  assert.ok(received)
  for (const [name, verify] of Object.entries(verifiers)) assert.doesNotThrow(() => verify(received, secret), name)
}
function refused(received: Received | undefined, secret: string): void {
  assert.ok(received)
  for (const [name, verify] of Object.entries(verifiers)) assert.throws(() => verify(received, secret), `${name} accepts it`)
}

onAnyEngine('signatures', engine => {
  let service: Delivering
  let receiver: Receiver
  before(async () => {
    service = await startDelivering(engine)
    service.clock.now = Date.now() // verifiers use the real clock
    receiver = await startReceiver()
  })
  after(async () => {
    await service.close()
    await receiver.close()
  })
  const data = { export_id: 'exp_ü✓', expires_at: '2026-12-01T00:00:00.000Z' }
  const sent = async (world: Parameters<Delivering['emit']>[0]) => {
    await service.emit(world, export_ready, data)
    await service.deliver()
    return receiver.received.at(-1)
  }

  test('are accepted by all three verifiers, and the body is the envelope', async () => {
    const { world, secret } = await webhookIn(service, `${receiver.url}/hook?a=b`)
    const received = await sent(world)
    accepted(received, secret)
    const body = JSON.parse(received?.body ?? '')
    assert.deepEqual(Object.keys(body), ['id', 'type', 'created_at', 'timestamp', 'workspace_id', 'site_id', 'data'])
    assert.deepEqual(
      [body.id, body.type, body.workspace_id, body.site_id, body.data],
      [received?.headers['webhook-id'], 'export.ready', world.ids.workspace, null, data],
    )
    assert.deepEqual([received?.path, received?.headers['content-type']], ['/hook?a=b', 'application/json'])
    assert.equal(received?.headers.authorization, undefined)
  })

  test('are refused for any changed byte of the body, another id, another time and another secret', async () => {
    const { world, secret } = await webhookIn(service, receiver.url)
    const received = await sent(world)
    assert.ok(received)
    for (let i = 0; i < received.body.length; i += 7) {
      const changed = String.fromCharCode(received.body.charCodeAt(i) ^ 1)
      refused({ ...received, body: received.body.slice(0, i) + changed + received.body.slice(i + 1) }, secret)
    }
    refused({ ...received, body: `${received.body} ` }, secret)
    refused(received, `whsec_${Buffer.alloc(32).toString('base64')}`)
    const later = String(Number(received.headers['webhook-timestamp']) + 1)
    const signature = received.headers['service-signature'] ?? ''
    refused(
      {
        ...received,
        headers: { ...received.headers, 'webhook-timestamp': later, 'service-signature': signature.replace(/t=\d+/, `t=${later}`) },
      },
      secret,
    )
    for (const name of ['standardwebhooks', 'svix'])
      assert.throws(() => verifiers[name]?.({ ...received, headers: { ...received.headers, 'webhook-id': 'evt_other' } }, secret))
  })

  test('signatures use the new and the old secret for 24 hours after a rotation, and then only the new one', async () => {
    const { world, secret: old, update, get } = await webhookIn(service, receiver.url)
    const { secret } = await update({ rotate_secret: true })
    assert.notEqual(secret, old)
    assert.match(secret, /^whsec_[\w+/]{43}=$/)
    assert.equal((await get()).secret, secret)
    const during = await sent(world)
    accepted(during, secret)
    accepted(during, old)
    for (const body of [`${during?.body}x`, during?.body.replace('export', 'Export') ?? '']) refused(during && { ...during, body }, old)
    service.clock.now += rotationMs
    const afterwards = await sent(world)
    assert.deepEqual(
      [afterwards?.headers['service-signature']?.match(/v1=/g)?.length, afterwards?.headers['webhook-signature']?.match(/v1,/g)?.length],
      [1, 1],
    )
    service.clock.now -= rotationMs
    assert.deepEqual(
      [during?.headers['service-signature']?.match(/v1=/g)?.length, during?.headers['webhook-signature']?.match(/v1,/g)?.length],
      [2, 2],
    )
  })

  test('of the same event are new at every attempt, over the same id and bytes', async () => {
    const { world, secret } = await webhookIn(service, receiver.url)
    receiver.answer = response => {
      response.writeHead(500).end()
    }
    const first = await sent(world)
    receiver.answer = response => {
      response.end()
    }
    service.clock.now += 7_000
    await service.deliver()
    const second = receiver.received.at(-1)
    assert.deepEqual([second?.body, second?.headers['webhook-id']], [first?.body, first?.headers['webhook-id']])
    assert.notEqual(second?.headers['service-signature'], first?.headers['service-signature'])
    accepted(first, secret)
    accepted(second, secret)
  })
})

test('over TLS a certificate must hold, and nothing is sent to one that does not', async () => {
  const authority = await makeAuthority()
  const receiver = await startReceiver(await authority.sign(['hooks.test', '127.0.0.1']))
  const stranger = await startReceiver(await (await makeAuthority()).sign(['127.0.0.1']))
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const signed = { id: 'evt_1', at: Date.now(), body: '{"id":"evt_1"}' }
  const config = { OUTBOUND_ALLOW_CIDRS: ['127.0.0.1'] }
  const more = { ca: authority.ca, resolver: async () => ['127.0.0.1'] }
  for (const url of [receiver.url, `https://hooks.test:${receiver.port}/`]) {
    assert.equal((await attempt({ url, secrets: [secret], signed, config, more })).outcome, 'succeeded')
    accepted(receiver.received.at(-1), secret)
  }
  const bad = await attempt({ url: stranger.url, secrets: [secret], signed, config, more })
  assert.deepEqual([bad.outcome, bad.statusCode, String(bad.error).split(':')[0]], ['failed', null, 'tls_invalid'])
  const misnamed = await attempt({ url: `https://other.test:${receiver.port}/`, secrets: [secret], signed, config, more })
  assert.equal(String(misnamed.error).split(':')[0], 'tls_invalid')
  assert.deepEqual([receiver.received.length, stranger.received.length], [2, 0])
  await receiver.close()
  await stranger.close()
})
