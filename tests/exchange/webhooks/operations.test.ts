/** The operations on webhooks: inputs, answers, and what answers must not contain. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../../operations/index.ts'
import { webhook_test } from '../../../operations/exchange/webhooks/events.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { codeOf, column, faultsOf } from '../../support/replies.ts'
import { makeSite, makeWorld, request } from '../../support/world.ts'
import { type Delivering, startDelivering, webhookIn } from './delivering.ts'
import { type Receiver, startReceiver } from './receiver.ts'

test('the kinds a webhook may be of are the events that are declared, all but the test', () => {
  const declared = table.events.map(({ type }) => type).filter(type => type !== webhook_test.type)
  const named = table.operations.get('webhooks_create')?.input.properties.events?.items.enum
  assert.deepEqual(named, declared.sort())
})

onAnyEngine('webhooks', engine => {
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
  const create = async (body: unknown) => {
    const world = await makeSite(service)
    return request(service, 'POST', `/workspaces/${world.ids.workspace}/webhooks`, { token: world.token, body })
  }

  test('are made with a secret, each kind of event once, and read back as they are', async () => {
    const { status, body, headers } = await create({
      url: 'https://hooks.example.com/a',
      events: ['site.created', 'site.deleted', 'site.created'],
    })
    assert.equal(status, 201)
    const { id, secret, created_at, ...rest } = body.data
    assert.match(id, /^wh_/)
    assert.match(secret, /^whsec_[\w+/]{43}=$/)
    assert.equal(Buffer.from(secret.slice(6), 'base64').length, 32)
    assert.deepEqual(rest, {
      url: 'https://hooks.example.com/a',
      events: ['site.created', 'site.deleted'],
      enabled: true,
      status: 'active',
      consecutive_failures: 0,
      last_success_at: null,
      last_failure_at: null,
    })
    assert.equal(headers.get('cache-control'), 'no-store, no-transform')
  })

  test('can be made disabled, and what was read can be sent back', async () => {
    const { id, get, call, update } = await webhookIn(service, 'https://hooks.example.com/')
    const record = await get()
    const same = await call('PATCH', `/${id}`, record)
    assert.deepEqual([same.status, same.body.data], [200, record])
    assert.deepEqual(await update({}), record)
    const disabled = (await create({ url: 'https://hooks.example.com/', events: ['site.created'], enabled: false })).body.data
    assert.deepEqual([disabled.enabled, disabled.status], [false, 'disabled'])
  })

  test('lead to https, to public addresses, or into a network that is opted in to; every fault is named at once', async () => {
    const answer = async (url: unknown) => {
      const reply = await create({ url, events: ['site.created'] })
      return reply.status === 201 ? 'made' : faultsOf(reply).join(' ')
    }
    for (const url of [
      'https://example.com',
      'https://example.com:8443/a?b#c',
      'https://93.184.216.34/',
      'https://127.0.0.1:1/',
      'http://127.0.0.1:1/',
      'http://localhost:1/',
      'http://n8n:5678/',
      'https://bücher.example/',
    ])
      assert.equal(await answer(url), 'made', url)
    const wrong = [
      '',
      'example.com',
      'ftp://example.com/',
      'https://',
      'https://user:pw@example.com/',
      'https://user@example.com/',
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://2852039166/',
      'http://93.184.216.34/',
      'https://exa mple.com/',
      ' https://example.com/',
      'https://example.com/\n',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'x'.repeat(100),
    ]
    for (const url of wrong) assert.equal(await answer(url), '/url invalid_format', url)
    assert.equal(await answer(`https://example.com/${'x'.repeat(2_000)}`), '/url too_long')
    assert.deepEqual(faultsOf(await create({ url: 5, events: ['nothing'], enabled: 'yes' })), [
      '/url invalid_type',
      '/events/0 not_in_enum',
      '/enabled invalid_type',
    ])
    assert.deepEqual(faultsOf(await create({})).sort(), ['/events required', '/url required'])
    assert.deepEqual(faultsOf(await create({ url: 'https://example.com', events: [] })), ['/events too_short'])
  })

  test('without OUTBOUND_ALLOW_CIDRS, webhooks accept only https', async () => {
    const strict = await startDelivering(engine, { OUTBOUND_ALLOW_CIDRS: [] })
    const world = await makeSite(strict)
    for (const url of [
      'http://example.com/',
      'http://n8n:5678/',
      'http://127.0.0.1/',
      'http://localhost/',
      'https://localhost/',
      'https://127.0.0.1/',
      'https://a.localhost./',
    ]) {
      const reply = await request(strict, 'POST', `/workspaces/${world.ids.workspace}/webhooks`, {
        token: world.token,
        body: { url, events: ['site.created'] },
      })
      assert.deepEqual(faultsOf(reply), ['/url invalid_format'], url)
    }
    await strict.close()
  })

  test('webhooks are listed oldest first with their secrets, without webhooks of other workspaces', async () => {
    const { id, world, base, call } = await webhookIn(service, 'https://hooks.example.com/1')
    service.clock.now += 1
    const second = (await call('POST', '', { url: 'https://hooks.example.com/2', events: ['site.created'] })).body.data.id
    const listed = await call('GET', '')
    assert.deepEqual([column(listed, 'id'), listed.body.meta.total], [[id, second], 2])
    const viewer = await world.tokenFor('viewer')
    assert.deepEqual(codeOf(await request(service, 'GET', base, { token: viewer })), [403, 'permission_denied'])
    const restricted = await world.tokenFor('owner', { siteIds: [world.ids.site ?? ''] })
    assert.deepEqual(codeOf(await request(service, 'GET', base, { token: restricted })), [403, 'permission_denied'])
  })

  test('have a limit in a workspace', async () => {
    const { call } = await webhookIn(service, 'https://hooks.example.com/')
    for (let i = 1; i < 100; i++)
      assert.equal((await call('POST', '', { url: 'https://hooks.example.com/', events: ['site.created'] })).status, 201)
    assert.deepEqual(codeOf(await call('POST', '', { url: 'https://hooks.example.com/', events: ['site.created'] })), [
      422,
      'limit_reached',
    ])
  })

  test('hear of a site that is made and deleted over the API, in the envelope of the change', async () => {
    const { world, deliveries } = await webhookIn(service, `${receiver.url}/sites`, ['site.created', 'site.deleted'])
    const made = await request(service, 'POST', `/workspaces/${world.ids.workspace}/sites`, {
      token: world.token,
      body: { domain: `new.${world.ids.domain}` },
    })
    await request(service, 'DELETE', `/sites/${made.body.data.id}`, { token: world.token, body: { confirm: made.body.data.domain } })
    await service.deliver()
    const all = await deliveries()
    assert.deepEqual(all.map((each: { event: string; status: string }) => [each.event, each.status]).sort(), [
      ['site.created', 'succeeded'],
      ['site.deleted', 'succeeded'],
    ])
    const { payload } = all.find((each: { event: string }) => each.event === 'site.created')
    assert.deepEqual(
      [payload.type, payload.site_id, payload.data.id, payload.workspace_id, payload.timestamp],
      ['site.created', made.body.data.id, made.body.data.id, world.ids.workspace, payload.created_at],
    )
    assert.ok(receiver.received.filter(({ path }) => path === '/sites').every(({ body }) => Buffer.byteLength(body) < 20_000))
  })

  test('are tried out at once, also while disabled; the answer is the pending delivery', async () => {
    const { id, call, update, deliveries } = await webhookIn(service, `${receiver.url}/try`)
    await update({ enabled: false })
    const { status, body } = await call('POST', `/${id}/test`)
    assert.deepEqual(
      [status, body.data.event, body.data.status, body.data.attempt, body.data.payload.type, body.data.payload.data.webhook_id],
      [200, 'webhook.test', 'pending', 0, 'webhook.test', id],
    )
    await service.deliver()
    const [tried] = await deliveries()
    assert.deepEqual([tried.id, tried.status, tried.attempt, tried.payload], [body.data.id, 'succeeded', 1, body.data.payload])
    const sent = receiver.received.find(({ path }) => path === '/try')
    assert.deepEqual([sent?.headers['webhook-id'], JSON.parse(sent?.body ?? '')], [tried.payload.id, tried.payload])
  })

  test('send a delivery again as a new one with the same id and bytes, once', async () => {
    const { world, id, call, deliveries, update } = await webhookIn(service, `${receiver.url}/again`, ['site.created'])
    await request(service, 'POST', `/workspaces/${world.ids.workspace}/sites`, {
      token: world.token,
      body: { domain: `again.${world.ids.domain}` },
    })
    await service.deliver()
    const [first] = await deliveries()
    service.clock.now += 1
    receiver.answer = response => {
      response.writeHead(500).end()
    }
    const again = (await call('POST', `/${id}/deliveries/${first.id}/redeliver`)).body.data
    await service.deliver()
    service.clock.now += 100 * 3_600_000
    await service.deliver()
    receiver.answer = response => {
      response.end()
    }
    const [second] = await deliveries()
    assert.notEqual(second.id, first.id)
    assert.deepEqual([second.id, second.status, second.attempt, second.payload], [again.id, 'failed', 1, first.payload])
    const sent = receiver.received.filter(({ path }) => path === '/again')
    assert.deepEqual([sent.length, sent[1]?.body, sent[1]?.headers['webhook-id']], [2, sent[0]?.body, sent[0]?.headers['webhook-id']])
    await update({ enabled: false })
    assert.deepEqual(codeOf(await call('POST', `/${id}/deliveries/${first.id}/redeliver`)), [422, 'invalid_state'])
  })

  test('a webhook lists only its own deliveries, not those of another webhook of the workspace', async () => {
    const { id, call, world } = await webhookIn(service, receiver.url)
    const other = (await call('POST', '', { url: receiver.url, events: ['site.created'] })).body.data.id
    const mine = (await call('POST', `/${id}/test`)).body.data.id
    assert.deepEqual(codeOf(await call('POST', `/${other}/deliveries/${mine}/redeliver`)), [404, 'not_found'])
    assert.deepEqual((await call('GET', `/${other}/deliveries`)).body.data, [])
    const foreign = await makeWorld(service)
    const path = `/workspaces/${foreign.ids.workspace}/webhooks/${id}/deliveries`
    assert.deepEqual(codeOf(await request(service, 'GET', path, { token: foreign.token })), [404, 'not_found'])
    assert.deepEqual(codeOf(await request(service, 'GET', path, { token: world.token })), [404, 'not_found'])
  })

  test('that are deleted take their deliveries with them, sent or not', async () => {
    const { id, call, deliveries } = await webhookIn(service, `${receiver.url}/gone`)
    await call('POST', `/${id}/test`)
    assert.equal((await deliveries()).length, 1)
    const gone = await call('DELETE', `/${id}`)
    assert.deepEqual([gone.status, gone.body.data.id], [200, id])
    await service.deliver()
    assert.equal(receiver.received.filter(({ path }) => path === '/gone').length, 0)
    assert.deepEqual(codeOf(await call('GET', `/${id}`)), [404, 'not_found'])
    const left = await service.store.read.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', id).execute()
    assert.deepEqual(left, [])
  })

  test('count tests and what is sent again against the rate of what costs a lot', async () => {
    const limited = await startDelivering(engine, { RATE_COSTLY: 2 })
    const { id, call } = await webhookIn(limited, receiver.url)
    const answers = []
    for (let i = 0; i < 3; i++) answers.push((await call('POST', `/${id}/test`)).status)
    assert.deepEqual(answers, [200, 200, 429])
    await limited.close()
  })
})
