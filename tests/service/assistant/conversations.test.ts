/** Conversations: whose they are, how long they are kept, and what they may reach. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rows_expire } from '../../../operations/service/housekeeping/tasks.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { callTool } from '../../support/mcp.ts'
import { makeWorld, removeSite, request, startService, type TestService, type World } from '../../support/world.ts'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'

const DAY = 86_400_000

onAnyEngine('conversations', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
  })
  after(() => service.close())

  const at = (path = '') => `/sites/${world.ids.site}/ask${path}.json`
  const ask = async (question: string, token = world.token) => {
    const { status, body, text } = await request(service, 'POST', at(), { token, body: { question } })
    assert.equal(status, 201, text)
    return body.data
  }

  test('begin with a question, go on, are listed latest first, and are deleted', async () => {
    const first = await ask('How many visitors\nlast week?')
    assert.match(first.id, /^ask_/)
    assert.equal(first.title, 'How many visitors last week?')
    assert.deepEqual(
      first.messages.map(({ role }: { role: string }) => role),
      ['user', 'assistant'],
    )
    service.clock.now += 60_000
    const second = await ask('Top pages')
    service.clock.now += 60_000
    const { body } = await request(service, 'POST', at(`/${first.id}`), { token: world.token, body: { question: 'and this month?' } })
    assert.equal(body.data.messages.length, 4)
    assert.match(body.data.messages[3].content, /visitors\*\* \(daily, added up\), this month/)
    assert.equal(Date.parse(body.data.expires_at) - Date.parse(body.data.updated_at), 30 * DAY)
    assert.equal(body.data.updated_at, new Date(service.clock.now).toISOString())
    const list = (await request(service, 'GET', at(), { token: world.token })).body
    assert.deepEqual(
      list.data.slice(0, 2).map(({ id, message_count }: { id: string; message_count: number }) => [id, message_count]),
      [
        [first.id, 4],
        [second.id, 2],
      ],
    )
    assert.equal(list.meta.suggestions.length, 6)
    for (const suggestion of list.meta.suggestions) assert.ok((await ask(suggestion)).messages[1].queries.length > 0, suggestion)
    const gone = await request(service, 'DELETE', at(`/${first.id}`), { token: world.token })
    assert.deepEqual([gone.status, gone.body.data.id, gone.body.data.site_id], [200, first.id, world.ids.site])
    assert.equal((await request(service, 'GET', at(`/${first.id}`), { token: world.token })).status, 404)
    const left = await service.store.read.selectFrom('assistant_messages').select('id').where('conversation_id', '=', first.id).execute()
    assert.equal(left.length, 0)
  })

  test('a conversation is visible only to its asker: owners and other sites get 404, and the audit log has no question', async () => {
    const viewer = await world.join('viewer')
    const { id } = await ask('How many visitors today?', viewer.token)
    const unknown = await request(service, 'GET', at('/ask_00000000000000000000000'), { token: world.token })
    for (const [method, body] of [
      ['GET', undefined],
      ['POST', { question: 'And yesterday?' }],
      ['DELETE', {}],
    ] as const) {
      const others = await request(service, method, at(`/${id}`), { token: world.token, body })
      assert.equal(others.status, 404)
      assert.equal(others.text, unknown.text)
    }
    const made = await request(service, 'POST', `/workspaces/${world.ids.workspace}/sites.json`, {
      token: world.token,
      body: { domain: `other-${world.ids.domain}` },
    })
    const own = await ask('How many visitors today?')
    const elsewhere = await request(service, 'GET', `/sites/${made.body.data.id}/ask/${own.id}.json`, { token: world.token })
    assert.deepEqual([elsewhere.status, elsewhere.text], [404, unknown.text])
    assert.equal((await request(service, 'GET', at(`/${id}`), { token: viewer.token })).status, 200)
    const audited = await service.store.read
      .selectFrom('audit_entries')
      .select('operation')
      .where('operation', 'like', 'assistant%')
      .execute()
    assert.deepEqual(audited, [])
  })

  test('a token restricted to another site asks nothing here, and neither does a share link', async () => {
    const made = await request(service, 'POST', `/workspaces/${world.ids.workspace}/sites.json`, {
      token: world.token,
      body: { domain: `third-${world.ids.domain}` },
    })
    const token = await world.tokenFor('editor', { siteIds: [made.body.data.id] })
    assert.equal((await request(service, 'POST', at(), { token, body: { question: 'visitors?' } })).status, 404)
    const billing = await world.tokenFor('billing')
    assert.equal((await request(service, 'POST', at(), { token: billing, body: { question: 'visitors?' } })).status, 403)
    const link = await request(service, 'POST', `/sites/${world.ids.site}/shared_links.json`, {
      token: world.token,
      body: { name: 'Client' },
    })
    const slug = link.body.data.url.split('/').at(-1)
    const share: string = (await request(service, 'POST', `/share/${slug}.json`, { body: {} })).body.data.token
    assert.equal((await request(service, 'POST', at(), { token: share, body: { question: 'visitors?' } })).status, 403)
    assert.equal((await request(service, 'GET', at(), { token: share })).status, 403)
  })

  test('end after 30 days, at once and then for good; a site takes its own along', async () => {
    const { id } = await ask('How many visitors today?')
    const before = service.clock.now
    service.clock.now += 30 * DAY - 1
    assert.equal((await request(service, 'GET', at(`/${id}`), { token: world.token })).status, 200)
    service.clock.now += 1
    for (const [method, body] of [
      ['GET', undefined],
      ['POST', { question: 'Still there?' }],
      ['DELETE', {}],
    ] as const)
      assert.equal((await request(service, method, at(`/${id}`), { token: world.token, body })).status, 404)
    assert.ok((await request(service, 'GET', at(), { token: world.token })).body.data.every((each: { id: string }) => each.id !== id))
    service.clock.now += 1
    await createScheduler(service.app, [rows_expire]).runDue()
    const rows = () => service.store.read.selectFrom('assistant_conversations').select('id').execute()
    assert.ok(!(await rows()).some(row => row.id === id))
    service.clock.now = before
    const doomed = await makeWorld(service)
    assert.ok((await rows()).some(row => row.id === doomed.ids.conversation))
    assert.equal((await removeSite(service, doomed)).status, 200)
    assert.ok(!(await rows()).some(row => row.id === doomed.ids.conversation))
  })

  test('a conversation has at most 200 messages, also with concurrent questions', async () => {
    const { id } = await ask('How many visitors today?')
    const filler = {
      conversation_id: id,
      role: 'user',
      content: 'x',
      queries: '[]',
      chart: null,
      goal_draft: null,
      input_tokens: null,
      output_tokens: null,
      created_at: service.clock.now,
    }
    await service.store.write
      .insertInto('assistant_messages')
      .values(Array.from({ length: 196 }, (_, i) => ({ ...filler, id: `x${i}`, position: i + 2 })))
      .execute()
    const both = await Promise.all(
      [1, 2].map(() => request(service, 'POST', at(`/${id}`), { token: world.token, body: { question: 'visitors today' } })),
    )
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 422])
    assert.equal(both.find(({ status }) => status === 422)?.body.error.code, 'limit_reached')
  })

  test('the same request again answers the same conversation', async () => {
    const send = () =>
      request(service, 'POST', at(), { token: world.token, body: { question: 'visitors today' }, headers: { 'Idempotency-Key': 'once' } })
    const [one, two] = [await send(), await send()]
    assert.deepEqual([one.status, two.body.data.id], [201, one.body.data.id])
  })

  test('hostile questions get an answer or a clear error', async () => {
    const questions = ['', ' ', 'x'.repeat(2_001), 5, null, ['a'], 'a\u0000b', '\ud800']
    for (const question of questions) {
      const { status } = await request(service, 'POST', at(), { token: world.token, body: { question } })
      assert.equal(status, 422, JSON.stringify(question))
    }
    for (const question of [
      '/'.repeat(1_999),
      'last '.repeat(400),
      '9'.repeat(2_000),
      'ａｂｃ ' + 'é'.repeat(1_000),
      '"; drop table sites; --',
      'visitors of /%00 last week',
      `visitors from ${'ab '.repeat(600)}`,
      'between '.repeat(250),
      'top '.repeat(499),
    ]) {
      const { status, text } = await request(service, 'POST', at(), { token: world.token, body: { question } })
      assert.equal(status, 201, text)
    }
  })

  test('over MCP it is a tool like the others', async () => {
    const { isError, body } = await callTool(service, 'assistant_ask', { site_id: world.ids.site, question: 'visitors today' }, world.token)
    assert.equal(isError, false, JSON.stringify(body))
    assert.match(body.data.messages[1].content, /visitors?\*\*, today/)
  })
})
