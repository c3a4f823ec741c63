/** An operation with an Idempotency-Key answers a repeated request like the first, secrets included, and stores no secret in plain text. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { fingerprinted, isRepeatable } from '../../runtime/call/idempotency-keys.ts'
import { mostOn, onEachEngine } from '../support/engines.ts'
import { codeOf } from '../support/replies.ts'
import { callHttp, fill, makeWorld, makeWorldOf, refusals, request, startService, type TestService, tokenOf } from '../support/world.ts'

const secretsIn = (text: string) => text.match(/(pat|prb)_[0-9A-Za-z]{36}|whsec_[\w+/=]+/g) ?? []

onEachEngine('a repeated request', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  test('is answered with the bytes of the first, by every operation that takes a key', async () => {
    const wrong: string[] = []
    const rows = [...table.operations.values()].filter(row => isRepeatable(row) && row.access !== 'public' && !(row.id in refusals))
    for (const row of mostOn(engine, rows, 6)) {
      const world = await makeWorldOf(service, row)
      const once = () =>
        callHttp(service, row, fill(row.examples[0]?.input ?? {}, world), tokenOf(world, row), { 'Idempotency-Key': 'key-1' })
      const [first, second] = [await once(), await once()]
      if (first.status !== row.status || second.status !== first.status || second.text !== first.text)
        wrong.push(`${row.id}: ${first.status} ${first.text} | ${second.status} ${second.text}`)
    }
    assert.deepEqual(wrong, [])
  })

  test('finds its secret again, which no table has as it is', async () => {
    const world = await makeWorld(service)
    const workspace = `/workspaces/${world.ids.workspace}`
    const webhook = { url: 'https://hooks.example.com/', events: ['site.created'] }
    for (const [method, path, body] of [
      ['POST', '/workspaces', { name: 'Second' }],
      ['POST', `${workspace}/api_tokens`, { name: 'Terminal' }],
      ['POST', `${workspace}/webhooks`, webhook],
      ['PATCH', `${workspace}/webhooks/${world.ids.webhook}`, { rotate_secret: true }],
    ] as const) {
      const once = () => request(service, method, path, { token: world.token, body, headers: { 'Idempotency-Key': 'key-2' } })
      const first = await once()
      const secrets = secretsIn(first.text)
      assert.equal(secrets.length, 1, first.text)
      assert.equal((await once()).text, first.text)
      const rows = await service.store.read.selectFrom('idempotency_keys').selectAll().execute()
      assert.ok(!JSON.stringify(rows).includes(secrets[0]?.slice(10) ?? ''), path)
    }
  })

  test('with a secret in its input leaves no hash of it that could be tried against guesses', async () => {
    const world = await makeWorld(service)
    const path = `/workspaces/${world.ids.workspace}/channels`
    const create = (url: string) =>
      request(service, 'POST', path, {
        token: world.token,
        body: { name: 'Team', kind: 'slack', url },
        headers: { 'Idempotency-Key': 'key-5' },
      })
    const first = await create('https://hooks.slack.com/services/T/B/guess')
    assert.equal(first.status, 201, first.text)
    assert.equal((await create('https://hooks.slack.com/services/T/B/guess')).text, first.text)
    assert.deepEqual(codeOf(await create('https://hooks.slack.com/services/T/B/other')), [422, 'idempotency_key_reused'])
    const [row] = await service.store.read.selectFrom('idempotency_keys').selectAll().where('key', '=', 'key-5').execute()
    const input = {
      workspace_id: world.ids.workspace ?? '',
      name: 'Team',
      kind: 'slack',
      url: 'https://hooks.slack.com/services/T/B/guess',
    }
    const { fingerprint } = fingerprinted({ token_id: '', operation: '', key: '' }, input)
    assert.ok(row && row.fingerprint !== fingerprint)
    assert.match(row.fingerprint, /^[\da-f]{64}$/)
  })

  test('is authorised again: it learns nothing that its token may no longer see', async () => {
    const world = await makeWorld(service)
    const owner = await world.join('owner')
    const member = await world.join('viewer')
    const path = `/workspaces/${world.ids.workspace}/members/${member.memberId}`
    const promote = () =>
      request(service, 'PATCH', path, { token: owner.token, body: { role: 'owner' }, headers: { 'Idempotency-Key': 'key-3' } })
    assert.equal((await promote()).status, 200)
    assert.equal((await promote()).status, 200)
    const back = (memberId: string, role: string) =>
      request(service, 'PATCH', `/workspaces/${world.ids.workspace}/members/${memberId}`, { token: world.token, body: { role } })
    assert.equal((await back(member.memberId, 'viewer')).status, 200)
    assert.equal((await back(owner.memberId, 'admin')).status, 200)
    assert.deepEqual(codeOf(await promote()), [403, 'permission_denied'])
  })

  test('says so where the key that its answer was sealed under is gone', async () => {
    const world = await makeWorld(service)
    const once = () =>
      request(service, 'POST', '/workspaces', { token: world.token, body: { name: 'Third' }, headers: { 'Idempotency-Key': 'key-4' } })
    assert.equal((await once()).status, 201)
    await service.store.write.updateTable('idempotency_keys').set({ answer: 'lost.AAAA' }).where('key', '=', 'key-4').execute()
    assert.deepEqual(codeOf(await once()), [422, 'invalid_state'])
  })
})
