/** Clients that are let in, and all that ends it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createWeb } from '../../../adapters/http/http.ts'
import { mounts } from '../../../adapters/index.ts'
import { createApp } from '../../../runtime/create-app.ts'
import { openLog } from '../../../runtime/observability/log.ts'
import { randomBytes } from '../../support/chance.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { callTool } from '../../support/mcp.ts'
import { makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'
import { openBrowser, type TestBrowser } from '../sign-in/browser.ts'
import { password, type Person, personIn, signedIn } from '../sign-in/people.ts'
import {
  allowing,
  asking,
  connect,
  consented,
  exchanging,
  pathOf,
  post,
  redirectUri,
  refreshing,
  registered,
  token,
  verifier,
} from './client.ts'

onAnyEngine('OAuth', engine => {
  let service: TestService
  let world: World
  let person: Person
  let browser: TestBrowser
  let workspace: string
  before(async () => {
    service = await startService(engine, { OAUTH_REGISTRATIONS: 0 })
    world = await makeWorld(service)
    workspace = world.ids.workspace ?? ''
    person = await personIn(service, world)
    browser = await signedIn(service, person)
  })
  after(() => service.close())

  const account = (access: string) => request(service, 'GET', '/account.json', { token: access })
  const listed = async (as: TestBrowser = browser) => (await as.open(`/workspaces/${workspace}/connected_clients`)).text
  const audited = async (operation: string) =>
    (await request(service, 'GET', `/workspaces/${workspace}/audit.json?operation=${operation}&per_page=100`, { token: world.token })).body
      .data as { actor: string; door: string; outcome: string; input: Record<string, unknown>; subject_id: string | null }[]

  test('a client discovers everything from only the address', async () => {
    const refused = await request(service, 'POST', '/mcp', { body: {} })
    const [, address = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
    assert.equal(address, 'http://footfall.test/.well-known/oauth-protected-resource/mcp')
    const resource = await request(service, 'GET', new URL(address).pathname)
    assert.deepEqual([resource.body.resource, resource.body.authorization_servers], ['http://footfall.test/mcp', ['http://footfall.test']])
    assert.equal(resource.body.scopes_supported.includes('members.manage'), false)
    assert.equal(resource.headers.get('access-control-allow-origin'), '*')
    const server = await request(service, 'GET', '/.well-known/oauth-authorization-server')
    assert.deepEqual(
      [
        server.body.issuer,
        server.body.code_challenge_methods_supported,
        server.body.token_endpoint_auth_methods_supported,
        server.body.client_id_metadata_document_supported,
        server.body.authorization_response_iss_parameter_supported,
      ],
      ['http://footfall.test', ['S256'], ['none'], true, true],
    )
    for (const name of ['authorization', 'token', 'registration', 'revocation'])
      assert.match(server.body[`${name}_endpoint`], /^http:\/\/footfall\.test\/oauth\/\w+$/)
  })

  test('the page of consent shows the host of an answer in letters, unless these mislead', async () => {
    for (const [host, shown] of [
      ['xn--bcher-kva.example', 'bücher.example'],
      ['xn--pple-43d.example', 'xn--pple-43d.example'], // its first letter is Cyrillic
    ] as const) {
      const redirect = `https://${host}/callback`
      const clientId = await registered(service, { redirect_uris: [redirect] })
      const { text } = await browser.open(pathOf(asking(clientId, { redirect_uri: redirect })))
      assert.ok(text.includes(`<b>${shown}</b>`), host)
    }
  })

  test('after sign-in and consent, the client calls over HTTP and MCP', async () => {
    const clientId = await registered(service)
    const asked = asking(clientId, { resource: 'http://footfall.test/mcp' })
    const anybody = openBrowser(service)
    const first = await anybody.open(pathOf(asked))
    assert.equal(first.status, 303)
    const next = new URL(first.headers.get('location') ?? '', 'http://footfall.test').searchParams.get('next') ?? ''
    assert.equal(next, pathOf(asked))
    const entered = await anybody.submit('/session', { email: person.email, password, _next: next })
    assert.equal(entered.headers.get('location'), pathOf(asked))
    const page = await anybody.open(pathOf(asked))
    assert.equal(page.status, 200)
    for (const said of ['Helper', 'client.test', 'Acme', 'Read reports', 'until it has not been used for 30 days', 'not verified'])
      assert.ok(page.text.includes(said), said)
    assert.equal(page.text.includes('Create and revoke API tokens'), false, 'what was not asked for')
    const box = (name: string) => new RegExp(`<input[^>]*value="${name}"[^>]*>`).exec(page.text)?.[0] ?? ''
    assert.match(box('analytics.read'), / checked/)
    assert.match(box('content.write'), /type="checkbox"/)
    assert.doesNotMatch(box('content.write'), / checked/, 'nothing but reading is ticked beforehand')

    const answer = await consented(anybody, asked, allowing(workspace))
    assert.deepEqual([answer.get('state'), answer.get('iss')], [asked.state, 'http://footfall.test'])
    const given = await token(service, exchanging(clientId, answer.get('code') ?? '', { resource: 'http://footfall.test/mcp' }))
    assert.equal(given.status, 200, given.text)
    assert.deepEqual(
      [given.body.token_type, given.body.expires_in, given.body.scope, given.headers.get('cache-control')],
      ['Bearer', 3600, 'analytics.read content.write', 'no-store, no-transform'],
    )
    assert.match(given.body.access_token, /^pat_/)
    assert.match(given.body.refresh_token, /^prt_/)
    const { status, body } = await account(given.body.access_token)
    assert.deepEqual([status, body.data.email], [200, person.email])
    const tool = await callTool(service, 'sites_list', { workspace_id: workspace }, given.body.access_token)
    assert.deepEqual([tool.status, tool.isError], [200, false])
    const made = await request(service, 'POST', `/sites/${world.ids.site}/notes.json`, {
      token: given.body.access_token,
      body: { text: 'by a client' },
    })
    assert.equal(made.status, 201, made.text)

    const [consent] = await audited('oauth_authorize')
    assert.deepEqual(
      [consent?.actor, consent?.door, consent?.outcome, consent?.input.client_id, consent?.input.permissions],
      [person.email, 'session', 'done', clientId, ['analytics.read', 'content.write']],
    )
    const [grant] = await audited('oauth_token')
    assert.deepEqual([grant?.actor, grant?.door, grant?.outcome], [person.email, 'oauth', 'done'])
    const [note] = await audited('notes_create')
    assert.deepEqual([note?.actor, note?.door], [person.email, 'oauth'])
  })

  test('denying consent redirects to the client with access_denied', async () => {
    service.clock.now += 1_000
    const asked = asking(await registered(service))
    const answer = await consented(browser, asked, allowing(workspace, { decision: 'deny' }))
    assert.deepEqual(
      [answer.get('error'), answer.get('state'), answer.get('iss'), answer.get('code')],
      ['access_denied', asked.state, 'http://footfall.test', null],
    )
    assert.equal((await audited('oauth_authorize'))[0]?.input.decision, 'deny')
  })

  test('a token is renewed with a refresh token, which is another one each time', async () => {
    const one = await connect(service, browser, workspace)
    const second = await token(service, refreshing(one.clientId, one.refresh))
    assert.equal(second.status, 200, second.text)
    assert.notEqual(second.body.refresh_token, one.refresh)
    assert.deepEqual([(await account(one.access)).status, (await account(second.body.access_token)).status], [401, 200])
    const narrow = await token(service, refreshing(one.clientId, second.body.refresh_token, { scope: 'analytics.read' }))
    assert.equal(narrow.body.scope, 'analytics.read')
    const whole = await token(service, refreshing(one.clientId, narrow.body.refresh_token))
    assert.equal(whole.body.scope, 'analytics.read content.write')
  })

  test('an access token is good for an hour, a connection for 30 days without use', async () => {
    const own = await startService(engine, { OAUTH_REGISTRATIONS: 0 })
    try {
      const there = await makeWorld(own)
      const somebody = await signedIn(own, await personIn(own, there))
      const one = await connect(own, somebody, there.ids.workspace ?? '')
      own.clock.now += 3_600_001
      const late = await request(own, 'GET', '/account.json', { token: one.access })
      assert.deepEqual([late.status, late.body.error.code], [401, 'token_expired'])
      own.clock.now += 29 * 86_400_000
      const two = await token(own, refreshing(one.clientId, one.refresh))
      assert.equal(two.status, 200)
      own.clock.now += 30 * 86_400_000
      assert.equal((await token(own, refreshing(one.clientId, two.body.refresh_token))).body.error, 'invalid_grant')
    } finally {
      await own.close()
    }
  })

  test('a connection ends a year after the consent, however much it is used', async () => {
    const own = await startService(engine, { OAUTH_REGISTRATIONS: 0 })
    try {
      const there = await makeWorld(own)
      const somebody = await signedIn(own, await personIn(own, there))
      const one = await connect(own, somebody, there.ids.workspace ?? '')
      let { refresh } = one
      for (let day = 29; day < 365; day += 29) {
        own.clock.now += 29 * 86_400_000
        const again = await token(own, refreshing(one.clientId, refresh))
        assert.equal(again.status, 200, again.text)
        refresh = again.body.refresh_token
      }
      own.clock.now += 29 * 86_400_000
      assert.equal((await token(own, refreshing(one.clientId, refresh))).body.error, 'invalid_grant')
    } finally {
      await own.close()
    }
  })

  test('connected clients are listed, one’s own, and disconnected with all that they have', async () => {
    const viewer = await personIn(service, world, 'viewer')
    const theirs = await signedIn(service, viewer)
    const one = await connect(service, theirs, workspace, {
      asked: { client_id: await registered(service, { client_name: 'The viewer’s own' }) },
      allowed: { permissions: 'analytics.read' },
    })
    const list = await request(service, 'GET', `/workspaces/${workspace}/connected_clients.json`, { token: one.access })
    assert.deepEqual(
      list.body.data.map(({ name, owner }: { name: string; owner: string }) => [name, owner]),
      [['The viewer’s own', viewer.email]],
    )
    assert.ok((await listed()).includes('The viewer’s own'), 'who manages tokens sees all')
    const [{ id, host, client_id, permissions }] = list.body.data
    assert.deepEqual([host, client_id, permissions], ['client.test', one.clientId, ['analytics.read']])
    const tokens = await request(service, 'GET', `/workspaces/${workspace}/api_tokens.json?per_page=100`, { token: world.token })
    assert.equal(tokens.body.data.find((each: { id: string }) => each.id === id).oauth_client, one.clientId)

    const foreign = await request(service, 'DELETE', `/workspaces/${workspace}/connected_clients/${world.ids.connected_client}.json`, {
      token: one.access,
    })
    assert.equal(foreign.status, 404)
    const gone = await theirs.submit(`/workspaces/${workspace}/connected_clients/${id}?_method=DELETE`)
    assert.equal(gone.status, 303, gone.text)
    assert.equal((await account(one.access)).body.error.code, 'token_revoked')
    assert.equal((await token(service, refreshing(one.clientId, one.refresh))).body.error, 'invalid_grant')
    assert.equal((await listed(theirs)).includes('The viewer’s own'), false)
  })

  test('a client gives its tokens back: either ends both', async () => {
    for (const which of ['access', 'refresh'] as const) {
      const one = await connect(service, browser, workspace)
      assert.equal((await post(service, '/oauth/revoke', { token: one[which], client_id: one.clientId })).status, 200)
      assert.equal((await account(one.access)).status, 401)
      assert.equal((await token(service, refreshing(one.clientId, one.refresh))).body.error, 'invalid_grant')
    }
    const [entry] = await audited('oauth_revoke')
    assert.deepEqual([entry?.actor, entry?.door, entry?.outcome], [person.email, 'oauth', 'done'])
    const unknown = await post(service, '/oauth/revoke', { token: 'prt_nothing', client_id: 'ocl_x' })
    assert.deepEqual([unknown.status, unknown.text], [200, '{}'])
  })

  test('it is restricted to the sites that were chosen', async () => {
    const other = await request(service, 'POST', `/workspaces/${workspace}/sites.json`, {
      token: world.token,
      body: { name: 'Other', domain: `other.${world.ids.domain}`, timezone: 'UTC' },
    })
    assert.equal(other.status, 201, other.text)
    const one = await connect(service, browser, workspace, {
      asked: { scope: 'analytics.read members.manage' },
      allowed: { permissions: 'analytics.read,members.manage', sites: 'some', site_ids: world.ids.site ?? '' },
    })
    assert.equal(one.scope, 'analytics.read', 'nothing that concerns the whole workspace')
    assert.equal((await request(service, 'GET', `/sites/${world.ids.site}.json`, { token: one.access })).status, 200)
    assert.equal((await request(service, 'GET', `/sites/${other.body.data.id}.json`, { token: one.access })).status, 404)
  })

  test('it never does more than the role of its person at the time', async () => {
    const editor = await personIn(service, world, 'editor')
    const theirs = await signedIn(service, editor)
    const one = await connect(service, theirs, workspace)
    const write = () => request(service, 'POST', `/sites/${world.ids.site}/notes.json`, { token: one.access, body: { text: 'x' } })
    assert.equal((await write()).status, 201)
    await request(service, 'PATCH', `/workspaces/${workspace}/members/${editor.memberId}.json`, {
      token: world.token,
      body: { role: 'viewer' },
    })
    assert.equal((await write()).status, 403)
    assert.equal((await write()).headers.get('www-authenticate'), null, 'no consent could change that')
    const again = await token(service, refreshing(one.clientId, one.refresh))
    assert.equal(
      (await request(service, 'POST', `/sites/${world.ids.site}/notes.json`, { token: again.body.access_token, body: { text: 'x' } }))
        .status,
      403,
    )
  })

  test('a call without the consented permission gets an error that names it, over MCP by the status', async () => {
    const one = await connect(service, browser, workspace, {
      asked: { scope: 'analytics.read' },
      allowed: { permissions: 'analytics.read' },
    })
    const refused = await request(service, 'POST', `/sites/${world.ids.site}/notes.json`, { token: one.access, body: { text: 'x' } })
    const [, scope] = /error="insufficient_scope", scope="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
    assert.deepEqual([refused.status, scope], [403, 'analytics.read content.write'])
    const tool = await service.web.request('/mcp', {
      method: 'POST',
      headers: { Authorization: `Bearer ${one.access}` },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'notes_create', arguments: { site_id: world.ids.site, text: 'x' } },
      }),
    })
    assert.equal(tool.status, 403)
    assert.match(
      tool.headers.get('www-authenticate') ?? '',
      /insufficient_scope", scope="analytics\.read content\.write", resource_metadata="[^"]+\/mcp"/,
    )
    const asked = asking(one.clientId, { scope: scope ?? '' })
    const answer = await consented(browser, asked, allowing(workspace))
    const more = await token(service, exchanging(one.clientId, answer.get('code') ?? ''))
    assert.equal(
      (await request(service, 'POST', `/sites/${world.ids.site}/notes.json`, { token: more.body.access_token, body: { text: 'x' } }))
        .status,
      201,
    )
  })

  /** Changes elsewhere that end a connection. */
  const endings: readonly (readonly [string, (who: Person) => Promise<unknown>])[] = [
    [
      'its person is deactivated',
      who =>
        request(service, 'PATCH', `/workspaces/${workspace}/members/${who.memberId}.json`, {
          token: world.token,
          body: { status: 'deactivated' },
        }),
    ],
    [
      'its person is removed',
      who => request(service, 'DELETE', `/workspaces/${workspace}/members/${who.memberId}.json`, { token: world.token }),
    ],
    ['its person deletes the account', async who => (await signedIn(service, who)).call('DELETE', '/account.json', { confirm: who.email })],
    [
      'its token is revoked among the API tokens',
      async who => {
        const { body } = await request(service, 'GET', `/workspaces/${workspace}/api_tokens.json?per_page=100`, { token: world.token })
        const { id } = body.data.find(
          (each: { owner: string; oauth_client: string | null }) => each.owner === who.email && each.oauth_client !== null,
        )
        await request(service, 'DELETE', `/workspaces/${workspace}/api_tokens/${id}.json`, { token: world.token })
      },
    ],
  ]
  for (const [what, end] of endings) {
    test(`it ends when ${what}`, async () => {
      const editor = await personIn(service, world, 'editor')
      const one = await connect(service, await signedIn(service, editor), workspace)
      await end(editor)
      assert.equal((await account(one.access)).status, 401)
      const again = await token(service, refreshing(one.clientId, one.refresh))
      assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
    })
  }

  test('it ends where single sign-on becomes the only way in, but for owners', async () => {
    const there = await makeWorld(service)
    const id = there.ids.workspace ?? ''
    const editor = await connect(service, await signedIn(service, await personIn(service, there, 'editor')), id)
    const owner = await connect(service, await signedIn(service, await personIn(service, there, 'owner')), id)
    const begun = asking(editor.clientId)
    const late = await consented(await signedIn(service, await personIn(service, there, 'editor')), begun, allowing(id))
    await service.store.write.updateTable('sso_configurations').set({ status: 'active' }).where('workspace_id', '=', id).execute()
    const enforced = await request(service, 'PATCH', `/workspaces/${id}/sso.json`, { token: there.token, body: { enforced: true } })
    assert.equal(enforced.status, 200, enforced.text)
    assert.deepEqual([(await account(editor.access)).status, (await account(owner.access)).status], [401, 200])
    assert.equal((await token(service, refreshing(editor.clientId, editor.refresh))).body.error, 'invalid_grant')
    assert.equal((await token(service, refreshing(owner.clientId, owner.refresh))).status, 200)
    assert.equal((await token(service, exchanging(editor.clientId, late.get('code') ?? ''))).body.error, 'invalid_grant')
  })

  test('it ends when an owner is made something else where single sign-on is the only way in', async () => {
    const there = await makeWorld(service)
    const id = there.ids.workspace ?? ''
    const people = { former: await personIn(service, there, 'owner'), owner: await personIn(service, there, 'owner') }
    const connectAs = async (person: typeof people.owner) => connect(service, await signedIn(service, person), id)
    const [former, owner] = [await connectAs(people.former), await connectAs(people.owner)]
    const roleOf = ({ memberId }: typeof people.owner, role: string) =>
      request(service, 'PATCH', `/workspaces/${id}/members/${memberId}.json`, { token: there.token, body: { role } })
    await roleOf(people.former, 'admin')
    assert.equal((await account(former.access)).status, 200, 'nothing is enforced yet')
    await roleOf(people.former, 'owner')
    await service.store.write
      .updateTable('sso_configurations')
      .set({ status: 'active', enforced: 1 })
      .where('workspace_id', '=', id)
      .execute()
    assert.equal((await account(former.access)).status, 200, 'an owner needs no single sign-on')
    assert.equal((await roleOf(people.former, 'admin')).status, 200)
    assert.deepEqual([(await account(former.access)).status, (await account(owner.access)).status], [401, 200])
    assert.equal((await token(service, refreshing(former.clientId, former.refresh))).body.error, 'invalid_grant')
  })

  test('a member of several workspaces chooses one on the consent page', async () => {
    const there = await makeWorld(service)
    const other = there.ids.workspace ?? ''
    await service.store.write
      .insertInto('members')
      .values({
        id: `mem_${there.ids.domain}`,
        workspace_id: other,
        account_id: person.accountId,
        role: 'viewer',
        active: 1,
        created_at: service.clock.now,
      })
      .execute()
    const asked = asking(await registered(service))
    const first = await browser.open(pathOf(asked))
    const [, link = ''] = /href="(\/oauth\/authorize[^"]+)">Choose Acme instead/.exec(first.text) ?? []
    const page = await browser.open(link.replaceAll('&amp;', '&'))
    assert.ok(page.text.includes(`name="workspace_id" value="${other}"`), page.text)
    assert.equal(page.text.includes('value="content.write"'), false, 'only what the role there has')
    const one = await connect(service, browser, other, { allowed: { permissions: 'analytics.read' } })
    assert.equal((await request(service, 'GET', `/workspaces/${other}/sites.json`, { token: one.access })).status, 200)
    assert.equal((await request(service, 'GET', `/workspaces/${workspace}/sites.json`, { token: one.access })).status, 404)
  })

  test('the consent page shows faults and keeps the entry', async () => {
    const asked = asking(await registered(service))
    const { permissions: _, ...none } = allowing(workspace, { sites: 'some' })
    const again = await browser.submit('/oauth/authorize', { ...asked, ...none })
    assert.equal(again.status, 422)
    assert.match(again.text, /Choose at least one permission/)
    assert.match(again.text, /Choose at least one site/)
    assert.ok(again.text.includes(`name="state" value="${asked.state}"`))
    assert.ok(again.text.includes(redirectUri))
  })

  test('no secret is stored, in the audit log, or in a log line, whatever goes wrong', async () => {
    const lines: string[] = []
    const { store, app } = service
    const log = openLog('trace')
    const loud = createApp({ store, table: app.table, now: app.now, random: randomBytes, log, config: app.config })
    const there = { ...service, app: loud, web: createWeb(loud, mounts) }
    const write = process.stdout.write
    const secrets: string[] = []
    // Lines of the log are texts; the runner of tests writes bytes.
    process.stdout.write = text => (typeof text === 'string' ? lines.push(text) > 0 : write.call(process.stdout, text))
    try {
      const as = await signedIn(there, person)
      const one = await connect(there, as, workspace)
      const two = await token(there, refreshing(one.clientId, one.refresh))
      secrets.push(one.code, one.access, one.refresh, two.body.access_token, two.body.refresh_token, verifier)
      const answer = await consented(as, asking(one.clientId), allowing(workspace))
      await sql`alter table oauth_grants rename to oauth_grants_away`.execute(store.write)
      for (const fields of [exchanging(one.clientId, answer.get('code') ?? ''), refreshing(one.clientId, two.body.refresh_token)]) {
        const failed = await token(there, fields)
        assert.deepEqual([failed.status, failed.body.error], [500, 'server_error'])
      }
      secrets.push(answer.get('code') ?? '')
    } finally {
      process.stdout.write = write
      await sql`alter table oauth_grants_away rename to oauth_grants`.execute(store.write)
    }
    assert.ok(
      lines.some(line => line.includes('a call failed')),
      'there is a log',
    )
    for (const { name } of await store.read.introspection.getTables()) {
      lines.push(
        JSON.stringify(
          await store.read
            .selectFrom(name as 'sites')
            .selectAll()
            .execute(),
        ),
      )
    }
    for (const secret of secrets)
      assert.equal(
        lines.some(line => line.includes(secret)),
        false,
      )
  })
})
