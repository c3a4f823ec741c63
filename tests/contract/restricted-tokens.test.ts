/**
 * A token restricted to one site, in a workspace whose records concern another one: every operation of the table is called
 * with it. It changes nothing of the other site and of the workspace, and reads nothing of them but what is listed here.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { permissionNames } from '../../runtime/table/permissions.ts'
import { onAnyEngine } from '../support/engines.ts'
import { callHttp, fill, makeWorld, type Reply, request, startService, type TestService, type World } from '../support/world.ts'

/** Reads of the whole workspace that such a token has, with the reason. */
const reads: Readonly<Record<string, string>> = {
  workspaces_list: 'its own workspace, by name',
  workspaces_get: 'its own workspace, by name',
  plans_get: 'what the workspace may use, in all',
  roles_list: 'a constant',
  channels_list: 'alerts of its site name them',
  channels_get: 'alerts of its site name them',
  status_pages_list: 'anyone reads status pages',
  status_pages_get: 'anyone reads status pages',
  status_incidents_list: 'anyone reads status pages',
  status_incidents_get: 'anyone reads status pages',
  dashboards_list: 'their names; cards of other sites are left out',
  dashboards_get: 'its name; cards of other sites are left out',
}
/** Reads that are about the person or the service. */
const own = /^(account|affiliate|caller|help)_/

onAnyEngine('tokens restricted to a site', engine => {
  let service: TestService
  let world: World
  let site: string
  let token: string
  const call = (method: string, path: string, body?: unknown, by = token): Promise<Reply> =>
    request(service, method, fill(path, world), { token: by, body: body === undefined ? undefined : fill(body, world) })

  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    const made = await call('POST', '/workspaces/{{workspace}}/sites', { domain: 'other.example.com' }, world.token)
    site = made.body.data.id
    token = await world.tokenFor('owner', { permissions: permissionNames, siteIds: [site] })
  })
  after(() => service.close())

  for (const row of table.operations.values()) {
    if (row.access === 'public' || row.access === 'session') continue
    if (row.effect === 'read') {
      test(`${row.id}: nothing of the other site is read`, async () => {
        for (const { input } of row.examples) {
          const { status, text } = await callHttp(service, row, fill(input, world), token)
          if (reads[row.id] || own.test(row.id)) return assert.equal(status, 200, text)
          assert.ok(status === 200 || status === 403 || status === 404 || status === 422, text)
          if (status !== 200) continue
          for (const [name, id] of Object.entries(world.ids)) {
            if (name === 'workspace' || name === 'domain') continue
            assert.ok(!text.includes(`"${id}"`), `it names the ${name}: ${text}`)
          }
        }
      })
      continue
    }
    test(`${row.id}: nothing of the other site, or of the workspace, is changed`, async () => {
      for (const { input } of row.examples) {
        const { status, text } = await callHttp(service, row, fill(input, world), token)
        assert.ok(status === 403 || status === 404 || status === 422, `${status} ${text}`)
      }
    })
  }

  test('a token for one site cannot change a dashboard with cards of several', async () => {
    const cards = [
      { type: 'live', site_id: '{{site}}' },
      { type: 'live', site_id: site },
    ]
    const at = '/workspaces/{{workspace}}/dashboards'
    const mixed = await call('POST', at, { name: 'Both', cards }, world.token)
    const path = `${at}/${mixed.body.data.id}`
    for (const body of [{ name: 'Mine' }, { cards: [] }, { cards: [cards[1]] }, {}, { name: '' }])
      assert.equal((await call('PATCH', path, body)).status, 403, JSON.stringify(body))
    assert.equal((await call('DELETE', path)).status, 403)
    assert.deepEqual((await call('GET', path, undefined, world.token)).body.data, mixed.body.data)

    const empty = await call('POST', at, { name: 'Everybody’s' }, world.token)
    assert.equal((await call('PATCH', `${at}/${empty.body.data.id}`, { name: 'Mine' })).status, 403)
    assert.equal((await call('DELETE', `${at}/${empty.body.data.id}`)).status, 403)

    const mine = await call('POST', at, { name: 'Mine', cards: [cards[1]] })
    assert.equal(mine.status, 201, mine.text)
    const renamed = await call('PATCH', `${at}/${mine.body.data.id}`, { name: 'Still mine' })
    assert.equal(renamed.body.data.name, 'Still mine')
    assert.equal((await call('PATCH', `${at}/${mine.body.data.id}`, { cards: [] })).status, 403, 'that would concern the workspace')
    assert.equal((await call('DELETE', `${at}/${mine.body.data.id}`)).status, 200)
  })

  test('the messages of a channel tell of alerts of any site', async () => {
    const sent = await call('POST', '/workspaces/{{workspace}}/channels/{{channel}}/test', {}, world.token)
    assert.equal(sent.status, 200, sent.text)
    assert.equal((await call('GET', '/workspaces/{{workspace}}/channels/{{channel}}/notifications')).status, 403)
  })

  test('a report about several sites is neither read nor changed', async () => {
    const at = '/workspaces/{{workspace}}/email_reports'
    const body = { name: 'Both', site_ids: ['{{site}}', site], recipients: ['a@example.com'] }
    const made = await call('POST', at, body, world.token)
    assert.equal(made.status, 201, made.text)
    const path = `${at}/${made.body.data.id}`
    const tried: [string, string, unknown?][] = [
      ['GET', path],
      ['PATCH', path, { name: 'Mine' }],
      ['PATCH', path, { site_ids: [site] }],
      ['DELETE', path],
      ['POST', `${path}/test`, {}],
      ['GET', `${path}/preview`],
    ]
    for (const [method, address, sent] of tried) assert.equal((await call(method, address, sent)).status, 403, `${method} ${address}`)
    assert.deepEqual((await call('GET', at)).body.data, [])
  })
})
