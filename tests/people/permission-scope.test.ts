/** No permission is worth more than it says: what a token with some of them reaches by way of what it may change. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { type Permission, permissionNames, type Role } from '../../runtime/table/permissions.ts'
import { onAnyEngine } from '../support/engines.ts'
import { callHttp, fill, makeWorld, ownPage, request, startService, type TestService, type World } from '../support/world.ts'

onAnyEngine('the effect of permissions', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
  })
  after(() => service.close())

  const only = (role: Role, ...permissions: Permission[]) => world.tokenFor(role, { permissions })
  const call = (token: string, method: string, path: string, body?: unknown) =>
    request(service, method, fill(path, world), { token, body: body === undefined ? undefined : fill(body, world) })
  const lacks = (answer: { status: number; body: any; headers: Headers }, permission: Permission) => {
    assert.deepEqual([answer.status, answer.body.error.message], [403, `This needs the permission ${permission}.`])
  }
  const invite = (token: string, role: string, email = `${role}-${Math.trunc(service.clock.now++)}@example.net`) =>
    call(token, 'POST', '/workspaces/{{workspace}}/invitations', { email, role })

  test('members.manage cannot invite to a role with more permissions than the caller', async () => {
    const token = await only('admin', 'members.manage')
    lacks(await invite(token, 'viewer'), 'analytics.read')
    lacks(await invite(token, 'admin'), 'analytics.read')
    lacks(await invite(await only('owner', 'members.manage'), 'owner'), 'analytics.read')
    const reader = await only('admin', 'members.manage', 'analytics.read')
    assert.equal((await invite(reader, 'viewer')).status, 201)
    lacks(await invite(reader, 'analyst'), 'analytics.export')
    const { token: admin } = await world.join('admin')
    lacks(await invite(admin, 'billing'), 'billing.manage')
    assert.equal((await invite(admin, 'admin')).status, 201)
    assert.equal((await invite(world.token, 'billing')).status, 201)
  })

  test('an invitation to more than the caller may is not sent again by them, as the answer has its link', async () => {
    const made = await invite(world.token, 'admin')
    const path = `/workspaces/{{workspace}}/invitations/${made.body.data.id}`
    lacks(await call(await only('admin', 'members.manage'), 'POST', `${path}/resend`, {}), 'analytics.read')
    assert.equal((await call(await only('admin', 'members.manage'), 'DELETE', path)).status, 200, 'to take it back is no gain')
  })

  test('members.manage cannot give anyone, including the caller, a role with more permissions than the caller', async () => {
    const token = await only('admin', 'members.manage', 'analytics.read')
    const viewer = await world.join('viewer')
    const path = `/workspaces/{{workspace}}/members/${viewer.memberId}`
    lacks(await call(token, 'PATCH', path, { role: 'admin' }), 'analytics.export')
    lacks(await call((await world.join('admin')).token, 'PATCH', path, { role: 'billing' }), 'billing.manage')
    const editor = await world.join('editor')
    const other = `/workspaces/{{workspace}}/members/${editor.memberId}`
    assert.equal((await call(token, 'PATCH', other, { status: 'deactivated' })).status, 200, 'to shut out is no gain')
    lacks(await call(token, 'PATCH', other, { status: 'active' }), 'analytics.export')
    assert.equal((await call(token, 'PATCH', other, { role: 'viewer', status: 'active' })).status, 200)
  })

  for (const [what, end] of [
    ['removed', (admin: { memberId: string }) => call(world.token, 'DELETE', `/workspaces/{{workspace}}/members/${admin.memberId}`)],
    [
      'made a viewer',
      (admin: { memberId: string }) =>
        call(world.token, 'PATCH', `/workspaces/{{workspace}}/members/${admin.memberId}`, { role: 'viewer' }),
    ],
    [
      'deactivated',
      (admin: { memberId: string }) =>
        call(world.token, 'PATCH', `/workspaces/{{workspace}}/members/${admin.memberId}`, { status: 'deactivated' }),
    ],
  ] as const) {
    test(`the invitations of an admin who is ${what} end`, async () => {
      const admin = await world.join('admin')
      const link = new URL((await invite(admin.token, 'admin')).body.data.url).pathname
      assert.equal((await request(service, 'GET', `${link}.json`)).status, 200)
      assert.equal((await end(admin)).status, 200)
      assert.equal((await request(service, 'GET', `${link}.json`)).status, 404)
      const accepted = await request(service, 'POST', `${link}.json`, { body: { password: 'correct horse battery' }, headers: ownPage })
      assert.equal(accepted.status, 422, accepted.text)
      assert.equal(accepted.body.error.code, 'invalid_state')
    })
  }

  test('a token that may less than its member does not end the membership', async () => {
    const leave = (token: string) => call(token, 'POST', '/workspaces/{{workspace}}/leave', {})
    assert.equal((await leave(await only('editor', 'analytics.read'))).status, 403)
    assert.equal((await leave((await world.join('editor')).token)).status, 200)
  })

  test('a token of an owner with fewer permissions than an owner does not act as one', async () => {
    const other = await world.join('owner')
    const path = `/workspaces/{{workspace}}/members/${other.memberId}`
    const token = await only('owner', 'analytics.read', 'members.manage', 'workspace.manage')
    lacks(await call(token, 'DELETE', '/workspaces/{{workspace}}', { confirm: 'Acme' }), 'analytics.export')
    lacks(await call(token, 'DELETE', path), 'analytics.export')
    lacks(await call(token, 'PATCH', path, { role: 'viewer' }), 'analytics.export')
    lacks(await call(token, 'PATCH', path, { status: 'deactivated' }), 'analytics.export')
    assert.equal((await call(world.token, 'DELETE', path)).status, 200)
    const { body } = await call(token, 'GET', '/workspaces/{{workspace}}')
    assert.equal(body.data.id, world.ids.workspace)
  })

  test('sites.manage shows no figures to others, and so not to itself, without analytics.read', async () => {
    const token = await only('editor', 'sites.manage')
    lacks(await call(token, 'POST', '/sites/{{site}}/shared_links', { name: 'Mine' }), 'analytics.read')
    lacks(await call(token, 'PATCH', '/sites/{{site}}/shared_links/{{shared_link}}', { password: '' }), 'analytics.read')
    await call(world.token, 'PATCH', '/sites/{{site}}', { public: false })
    lacks(await call(token, 'PATCH', '/sites/{{site}}', { public: true }), 'analytics.read')
    lacks(await call(token, 'POST', '/workspaces/{{workspace}}/sites', { domain: 'mine.example.net', public: true }), 'analytics.read')
    assert.equal((await call(token, 'PATCH', '/sites/{{site}}', { name: 'Shop', public: false })).status, 200)
    assert.equal((await call(token, 'DELETE', '/sites/{{site}}/shared_links/{{shared_link}}')).status, 200)
  })

  test('content.write mails no figures without analytics.read', async () => {
    const token = await only('analyst', 'content.write')
    const body = { name: 'Mine', site_ids: ['{{site}}'], recipients: ['me@example.net'] }
    lacks(await call(token, 'POST', '/workspaces/{{workspace}}/email_reports', body), 'analytics.read')
    const path = '/workspaces/{{workspace}}/email_reports/{{email_report}}'
    lacks(await call(token, 'PATCH', path, { recipients: ['me@example.net'] }), 'analytics.read')
    lacks(await call(token, 'POST', `${path}/test`, {}), 'analytics.read')
  })

  test('a member without analytics.read cannot widen what a link shows', async () => {
    const sites = await only('editor', 'sites.manage')
    lacks(await call(sites, 'PATCH', '/site_groups/{{site_group}}', { site_ids: ['{{site}}'] }), 'analytics.read')
    const content = await only('analyst', 'content.write')
    lacks(await call(content, 'PATCH', '/sites/{{site}}/segments/{{segment}}', { filters: [] }), 'analytics.read')
    lacks(await call(content, 'PATCH', '/workspaces/{{workspace}}/dashboards/{{dashboard}}', { cards: [] }), 'analytics.read')
  })

  test('a member without analytics.read cannot restore a record that a link shows', async () => {
    const content = await only('analyst', 'content.write')
    const [segment, dashboard] = [
      '/sites/{{site}}/segments/{{deleted_segment}}',
      '/workspaces/{{workspace}}/dashboards/{{deleted_dashboard}}',
    ]
    for (const path of [segment, dashboard]) lacks(await call(content, 'POST', `${path}/restore`, {}), 'analytics.read')
    const uptime = await only('editor', 'uptime.manage')
    const check = '/uptime/checks/{{check}}'
    await call(world.token, 'PATCH', check, { public: true })
    assert.equal((await call(world.token, 'DELETE', check)).status, 200)
    lacks(await call(uptime, 'POST', `${check}/restore`, {}), 'analytics.read')
    assert.equal((await call(world.token, 'POST', `${check}/restore`, {})).status, 201)
  })

  test('uptime.manage shows no availability to others, and so not to itself, without analytics.read', async () => {
    const token = await only('editor', 'uptime.manage')
    const url = 'https://example.com/'
    for (const path of ['/sites/{{site}}/uptime', '/workspaces/{{workspace}}/uptime'])
      lacks(await call(token, 'POST', path, { url, public: true }), 'analytics.read')
    await call(world.token, 'PATCH', '/uptime/checks/{{check}}', { public: false })
    lacks(await call(token, 'PATCH', '/uptime/checks/{{check}}', { public: true }), 'analytics.read')
    assert.equal((await call(token, 'PATCH', '/uptime/checks/{{check}}', { public: false, name: 'Shop' })).status, 200)
    lacks(await call(token, 'POST', '/workspaces/{{workspace}}/status_pages', { name: 'Mine' }), 'analytics.read')
    lacks(await call(token, 'PATCH', '/workspaces/{{workspace}}/status_pages/{{status_page}}', { name: 'Mine' }), 'analytics.read')
  })

  test('workspace.manage reads no checks, and decides none, by the token of a probe', async () => {
    const create = async (token: string) => call(token, 'POST', '/workspaces/{{workspace}}/uptime/probe_tokens', { location: 'fra9' })
    lacks(await create(await only('admin', 'workspace.manage')), 'analytics.read')
    lacks(await create(await only('admin', 'workspace.manage', 'analytics.read')), 'uptime.manage')
    assert.equal((await create(await only('admin', 'workspace.manage', 'analytics.read', 'uptime.manage'))).status, 201)
  })

  test('a link that shows single visits, or may export, is neither made, opened, restored nor keyed without analytics.export', async () => {
    const token = await only('editor', 'sites.manage', 'analytics.read')
    const links = '/sites/{{site}}/shared_links'
    const wanted = { name: 'Single', password: 'river-stone', reports: ['overview', 'visits'], allow_export: true }
    lacks(await call(token, 'POST', links, { name: 'Mine', allow_export: true }), 'analytics.export')
    for (const body of [wanted, { name: 'Files', password: 'river-stone', allow_export: true }]) {
      const made = await call(world.token, 'POST', links, body)
      assert.equal(made.status, 201, made.text)
      const path = `${links}/${made.body.data.id}`
      lacks(await call(token, 'PATCH', path, { password: '' }), 'analytics.export')
      lacks(await call(token, 'POST', `${path}/key`, {}), 'analytics.export')
      assert.equal((await call(token, 'DELETE', path)).status, 200, 'to close is no gain')
      lacks(await call(token, 'POST', `${path}/restore`, {}), 'analytics.export')
    }
    const path = `${links}/${(await call(world.token, 'POST', links, wanted)).body.data.id}`
    assert.equal((await call(token, 'PATCH', path, { password: '', reports: ['overview'], allow_export: false })).status, 200)
    await call(world.token, 'PATCH', '/sites/{{site}}', { visit_list: false })
    lacks(await call(token, 'PATCH', '/sites/{{site}}', { visit_list: true }), 'analytics.export')
    assert.equal((await call(world.token, 'PATCH', '/sites/{{site}}', { visit_list: true })).status, 200)
  })

  test('a token that expires, or is bound to addresses, creates no token without these limits', async () => {
    const made = async (limits: object) => {
      const { body } = await call(world.token, 'POST', '/workspaces/{{workspace}}/api_tokens', { name: 'Bound', ...limits })
      return String(body.data.token)
    }
    const link = await call(world.token, 'POST', '/sites/{{site}}/shared_links', { name: 'Client' })
    const expires_at = new Date(service.clock.now + 3_600_000).toISOString()
    for (const token of [await made({ expires_at }), await made({ allowed_ips: ['0.0.0.0/0', '::/0'] })]) {
      for (const [path, body] of [
        ['/workspaces/{{workspace}}/sso/scim_token', {}],
        ['/workspaces/{{workspace}}/uptime/probe_tokens', { location: 'fra8' }],
        [`/sites/{{site}}/shared_links/${link.body.data.id}/key`, {}],
      ] as const) {
        const answer = await call(token, 'POST', path, body)
        assert.equal(answer.status, 403, `${path} ${answer.text}`)
        assert.match(answer.body.error.message, /without these limits/, path)
      }
    }
  })

  test('an operation that needs several permissions lists them, and is refused without each of them', async () => {
    const rows = [...table.operations.values()].filter(({ needs }) => needs.length > 0)
    assert.ok(rows.length >= 8)
    for (const row of rows) {
      if (row.access === 'session') continue
      for (const missing of row.needs) {
        const token = await world.tokenFor('owner', { permissions: permissionNames.filter(name => name !== missing) })
        const answer = await callHttp(service, row, fill(row.examples[0]?.input ?? {}, world), token)
        assert.equal(answer.status, 403, row.id)
      }
    }
  })
})
