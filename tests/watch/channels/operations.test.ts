/** Channels through the API: what is shown, stored and refused. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { urlOf } from '../../../operations/watch/channels/target.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { faultsOf } from '../../support/replies.ts'
import { fill, makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'

const SECRET = 'https://hooks.slack.com/services/T00/B00/very-secret-part'
const all = '/workspaces/{{workspace}}/channels'

onAnyEngine('notification channels', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    world = await makeWorld(service)
  })

  const call = (method: string, path: string, body?: unknown, token = world.token) =>
    request(service, method, fill(path, world), { token, ...(body === undefined ? {} : { body }) })
  const make = async (body: object) => (await call('POST', all, { name: 'A', ...body })).body.data

  test('a URL is never shown but for where it leads and how it ends', async () => {
    const made = await call('POST', all, { name: 'Traffic', kind: 'slack', url: SECRET })
    assert.equal(made.status, 201)
    const { id } = made.body.data
    const answers = [
      made,
      await call('GET', `${all}/${id}`),
      await call('GET', all),
      await call('PATCH', `${all}/${id}`, { name: 'B' }),
      await call('POST', `${all}/${id}/test`, {}),
      await call('GET', `${all}/${id}/notifications`),
      await call('DELETE', `${all}/${id}`, {}),
    ]
    for (const { status, text } of answers) {
      assert.ok(status === 200 || status === 201, text)
      assert.doesNotMatch(text, /very-secret|services/)
    }
    assert.equal(made.body.data.url, 'https://hooks.slack.com/…part')
    assert.equal(made.headers.get('cache-control'), 'no-store, no-transform')
    const audited = await service.store.read
      .selectFrom('audit_entries')
      .select('input')
      .where('workspace_id', '=', world.ids.workspace ?? '')
      .execute()
    for (const { input } of audited) assert.doesNotMatch(input, /very-secret/)
  })

  test('a wrong URL is not repeated', async () => {
    const { status, text } = await call('POST', all, { name: 'A', kind: 'slack', url: 'ftp://user:hunter2@example.com' })
    assert.equal(status, 422)
    assert.doesNotMatch(text, /hunter2/)
  })

  test('the end of a short URL is not shown: it may be all there is', async () => {
    assert.equal((await make({ kind: 'webhook', url: 'https://example.com/s3cret' })).url, 'https://example.com/…')
  })

  test('a record that was read can be sent back and changes nothing', async () => {
    for (const body of [
      { kind: 'discord', url: SECRET },
      { kind: 'email', emails: ['a@example.com', 'b@example.com'] },
    ]) {
      const made = await make(body)
      const before = await service.store.read.selectFrom('channels').selectAll().where('id', '=', made.id).executeTakeFirstOrThrow()
      const sent = await call('PATCH', `${all}/${made.id}`, (await call('GET', `${all}/${made.id}`)).body.data)
      assert.equal(sent.status, 200, sent.text)
      assert.deepEqual(sent.body.data, made)
      assert.deepEqual(
        await service.store.read.selectFrom('channels').selectAll().where('id', '=', made.id).executeTakeFirstOrThrow(),
        before,
      )
    }
  })

  test('another URL takes the place of the first', async () => {
    const { id } = await make({ kind: 'teams', url: SECRET })
    await call('PATCH', `${all}/${id}`, { url: `https://${world.ids.domain}/another-secret-place` })
    const row = await service.store.read.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    assert.equal(await urlOf(service.app.use(secretBox), service.store.read, row), `https://${world.ids.domain}/another-secret-place`)
    assert.doesNotMatch(JSON.stringify(row), /another-secret/)
  })

  const refused: [says: string, body: object, faults: string[]][] = [
    ['a kind that is none', { kind: 'pager' }, ['/kind not_in_enum']],
    ['an e-mail channel without addresses', { kind: 'email' }, ['/emails required']],
    ['an e-mail channel of an empty list', { kind: 'email', emails: [] }, ['/emails required']],
    ['an e-mail channel with a URL', { kind: 'email', emails: ['a@b.de'], url: SECRET }, ['/url mismatch']],
    [
      'mailboxes that are none',
      { kind: 'email', emails: ['a@b.de', 'nobody', 'a b@c.de'] },
      ['/emails/1 invalid_format', '/emails/2 invalid_format'],
    ],
    ['mailboxes with a line break', { kind: 'email', emails: ['a@b.de\r\nBcc: c@d.de'] }, ['/emails/0 invalid_format']],
    ['21 mailboxes', { kind: 'email', emails: Array.from({ length: 21 }, (_, i) => `a${i}@b.de`) }, ['/emails too_many_items']],
    ['Slack without a URL', { kind: 'slack' }, ['/url required']],
    ['Slack with mailboxes', { kind: 'slack', url: SECRET, emails: ['a@b.de'] }, ['/emails mismatch']],
    ['no URL', { kind: 'webhook', url: 'example.com/hook' }, ['/url invalid_format']],
    ['http over the internet', { kind: 'webhook', url: 'http://example.com/hook' }, ['/url invalid_format']],
    ['this machine', { kind: 'webhook', url: 'https://127.0.0.1/hook' }, ['/url invalid_format']],
    ['a file', { kind: 'webhook', url: 'file:///etc/passwd' }, ['/url invalid_format']],
    ['a password in a URL', { kind: 'webhook', url: 'https://me:pw@example.com/' }, ['/url invalid_format']],
  ]
  for (const [says, body, faults] of refused) {
    test(`${says} is refused`, async () => {
      const answer = await call('POST', all, { name: 'A', ...body })
      assert.equal(answer.status, 422, answer.text)
      assert.deepEqual(faultsOf(answer), faults)
    })
  }

  test('alerts name channels of their own workspace, and no others', async () => {
    const foreign = await makeWorld(service)
    const alert = { name: 'A', kind: 'no_data', site_id: world.ids.site }
    const name = (...channel_ids: unknown[]) => call('POST', '/workspaces/{{workspace}}/alerts', { ...alert, channel_ids })
    assert.equal((await name(world.ids.channel)).status, 201)
    const answer = await name(world.ids.channel, foreign.ids.channel, 'nch_none', '%')
    assert.deepEqual(faultsOf(answer), ['/channel_ids/1 not_found', '/channel_ids/2 not_found', '/channel_ids/3 not_found'])
  })

  test('a deleted channel is taken out of the alerts that named it', async () => {
    const other = await make({ kind: 'slack', url: SECRET })
    const {
      body: { data: alert },
    } = await call('POST', '/workspaces/{{workspace}}/alerts', {
      name: 'A',
      kind: 'no_data',
      site_id: world.ids.site,
      channel_ids: [other.id, world.ids.channel],
    })
    await call('POST', `${all}/${other.id}/test`, {})
    assert.equal((await call('DELETE', `${all}/${other.id}`, {})).status, 200)
    assert.deepEqual((await call('GET', `/alerts/${alert.id}`)).body.data.channel_ids, [world.ids.channel])
    assert.deepEqual(await service.store.read.selectFrom('notifications').selectAll().where('channel_id', '=', other.id).execute(), [])
  })

  test('a token restricted to sites sees channels, and changes none', async () => {
    const token = await world.tokenFor('owner', { siteIds: [world.ids.site ?? ''] })
    assert.equal((await call('GET', all, undefined, token)).body.data.length, 1)
    assert.equal((await call('DELETE', `${all}/{{channel}}`, {}, token)).status, 403)
  })

  test('messages are listed by what became of them', async () => {
    const {
      body: { data: message },
    } = await call('POST', `${all}/{{channel}}/test`, {})
    assert.deepEqual([message.type, message.status, message.attempt, message.sent_at], ['channel.test', 'pending', 0, null])
    const of = async (status: string) =>
      (await call('GET', `${all}/{{channel}}/notifications?status=${status}`)).body.data.map(({ id }: { id: string }) => id)
    assert.deepEqual([await of('pending'), await of('sent')], [[message.id], []])
  })
})
