/** Everything that a client, or an attacker who pretends to be one, must not get. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'
import { openBrowser, type TestBrowser } from '../sign-in/browser.ts'
import { type Person, personIn, signedIn } from '../sign-in/people.ts'
import {
  allowing,
  asking,
  challenge,
  connect,
  consented,
  exchanging,
  type Fields,
  pathOf,
  post,
  redirectUri,
  refreshing,
  register,
  registered,
  token,
  verifier,
} from './client.ts'

onAnyEngine('abuses of OAuth', engine => {
  let service: TestService
  let world: World
  let foreign: World
  let person: Person
  let browser: TestBrowser
  let workspace: string
  let clientId: string
  let documents: Server
  let host: string
  /** Answers of the server with documents about clients, by path. */
  const standing = new Map<string, { status?: number; headers?: Record<string, string>; body: string }>()
  let reads = 0
  before(async () => {
    service = await startService(engine, { OAUTH_REGISTRATIONS: 0, OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' })
    world = await makeWorld(service)
    foreign = await makeWorld(service)
    workspace = world.ids.workspace ?? ''
    person = await personIn(service, world)
    browser = await signedIn(service, person)
    clientId = await registered(service)
    documents = createServer(({ url = '' }, outgoing) => {
      reads++
      const { status = 404, headers = {}, body = '' } = standing.get(url) ?? {}
      outgoing.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body)
    }).listen(0, '127.0.0.1')
    await new Promise(resolve => documents.once('listening', resolve))
    host = `http://127.0.0.1:${(documents.address() as AddressInfo).port}` // a TCP server that listens has one
  })
  after(async () => {
    documents.close()
    documents.closeAllConnections()
    await service.close()
  })

  const code = async (asked: Fields = {}) => {
    const answer = await consented(browser, asking(clientId, asked), allowing(workspace))
    return answer.get('code') ?? ''
  }
  const works = async (access: string) => (await request(service, 'GET', '/account.json', { token: access })).status === 200

  describe('at the token endpoint', () => {
    const refusedExchange = async (more: Fields, error = 'invalid_grant', without: readonly string[] = []) => {
      const shown = await code()
      const fields = Object.entries({ ...exchanging(clientId, shown), ...more }).filter(([name]) => !without.includes(name))
      const answer = await token(service, Object.fromEntries(fields))
      assert.deepEqual([answer.body.error, answer.status], [error, error === 'invalid_client' ? 401 : 400], answer.text)
      assert.equal('access_token' in answer.body, false)
      return shown
    }

    test('a code a second time, which ends what it was exchanged for', async () => {
      const shown = await code()
      const first = await token(service, exchanging(clientId, shown))
      assert.ok(await works(first.body.access_token))
      assert.equal((await token(service, exchanging(clientId, shown))).body.error, 'invalid_grant')
      assert.equal(await works(first.body.access_token), false)
      assert.equal((await token(service, refreshing(clientId, first.body.refresh_token))).body.error, 'invalid_grant')
    })
    test('a code twice at once', async () => {
      const shown = await code()
      const both = await Promise.all([1, 2, 3].map(() => token(service, exchanging(clientId, shown))))
      assert.ok(both.filter(({ status }) => status === 200).length <= 1)
      for (const { body } of both) if (body.access_token) assert.equal(await works(body.access_token), false)
    })
    test('a code after a minute', async () => {
      const shown = await code()
      service.clock.now += 60_001
      assert.equal((await token(service, exchanging(clientId, shown))).body.error, 'invalid_grant')
    })
    test('the code of another client', async () => {
      await refusedExchange({ client_id: await registered(service) })
    })
    test('a code that was shown with something wrong, afterwards', async () => {
      const shown = await refusedExchange({ code_verifier: 'x'.repeat(43) })
      assert.equal((await token(service, exchanging(clientId, shown))).body.error, 'invalid_grant')
    })
    const wrong: readonly (readonly [string, Fields, string?, (readonly string[])?])[] = [
      ['another redirect', { redirect_uri: 'https://client.test/other' }],
      ['a redirect that only begins alike', { redirect_uri: `${redirectUri}/more` }],
      ['no redirect', {}, 'invalid_request', ['redirect_uri']],
      ['no verifier', {}, 'invalid_request', ['code_verifier']],
      ['an empty verifier', { code_verifier: '' }, 'invalid_request'],
      ['another verifier', { code_verifier: `${verifier}x` }],
      ['the challenge for a verifier', { code_verifier: challenge }],
      ['a verifier that is too short', { code_verifier: 'short' }, 'invalid_request'],
      ['an invented code', { code: 'x'.repeat(43) }],
      ['a code with a zero byte', { code: 'a\0b' }],
      ['another resource', { resource: 'https://elsewhere.test/mcp' }, 'invalid_target'],
      ['a resource that was not consented to', { resource: 'http://footfall.test/mcp' }, 'invalid_target'],
      ['no client', {}, 'invalid_client', ['client_id']],
      ['no grant type', {}, 'invalid_request', ['grant_type']],
      ['a password', { grant_type: 'password', username: 'a', password: 'b' }, 'unsupported_grant_type'],
      ['credentials of a client', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    ]
    for (const [what, more, error, without] of wrong) {
      test(what, async () => {
        await refusedExchange(more, error, without)
      })
    }
    test('a field twice', async () => {
      const fields = `${new URLSearchParams(exchanging(clientId, await code()))}&client_id=${clientId}`
      assert.equal((await post(service, '/oauth/token', fields)).body.error, 'invalid_request')
    })
    test('JSON for a form', async () => {
      const answer = await request(service, 'POST', '/oauth/token', { body: exchanging(clientId, await code()) })
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_request'])
    })
    test('a secret that no client has', async () => {
      const basic = { Authorization: `Basic ${btoa(`${clientId}:guess`)}` }
      const answer = await post(service, '/oauth/token', exchanging(clientId, await code()), basic)
      assert.deepEqual([answer.status, answer.body.error], [401, 'invalid_client'])
    })
    test('a body of a megabyte', async () => {
      const answer = await post(service, '/oauth/token', { grant_type: 'x'.repeat(200_000) })
      assert.deepEqual([answer.status, answer.body.error], [413, 'invalid_request'])
    })
  })

  describe('with a refresh token', () => {
    test('used again, it ends the whole family, and the audit log says so', async () => {
      const one = await connect(service, browser, workspace)
      const two = await token(service, refreshing(one.clientId, one.refresh))
      const three = await token(service, refreshing(one.clientId, two.body.refresh_token))
      assert.ok(await works(three.body.access_token))
      assert.equal((await token(service, refreshing(one.clientId, one.refresh))).body.error, 'invalid_grant')
      assert.equal(await works(three.body.access_token), false)
      assert.equal((await token(service, refreshing(one.clientId, three.body.refresh_token))).body.error, 'invalid_grant')
      const log = await request(service, 'GET', `/workspaces/${workspace}/audit.json?operation=oauth_token&per_page=100`, {
        token: world.token,
      })
      const entry = log.body.data.find((each: { input: { reason?: string } }) => each.input.reason === 'refresh_token_used_again')
      assert.deepEqual([entry.outcome, entry.door, entry.actor], ['refused', 'oauth', person.email])
    })
    test('twice at once', async () => {
      const one = await connect(service, browser, workspace)
      const both = await Promise.all([1, 2].map(() => token(service, refreshing(one.clientId, one.refresh))))
      assert.ok(both.filter(({ status }) => status === 200).length <= 1)
      for (const { body } of both) if (body.access_token) assert.equal(await works(body.access_token), false)
    })
    test('of another client, which ends it: it was copied', async () => {
      const one = await connect(service, browser, workspace)
      assert.equal((await token(service, refreshing(clientId, one.refresh))).body.error, 'invalid_grant')
      assert.equal(await works(one.access), false)
    })
    test('for more than was consented to', async () => {
      const one = await connect(service, browser, workspace)
      const answer = await token(service, refreshing(one.clientId, one.refresh, { scope: 'analytics.read tokens.manage' }))
      assert.equal(answer.body.error, 'invalid_scope')
      assert.equal((await token(service, refreshing(one.clientId, one.refresh))).status, 200, 'and it is not used up')
    })
    test('for another resource', async () => {
      const one = await connect(service, browser, workspace)
      const answer = await token(service, refreshing(one.clientId, one.refresh, { resource: 'https://elsewhere.test' }))
      assert.equal(answer.body.error, 'invalid_target')
    })
    test('as an access token, and an access token as a refresh token', async () => {
      const one = await connect(service, browser, workspace)
      assert.equal(await works(one.refresh), false)
      assert.equal((await token(service, refreshing(one.clientId, one.access))).body.error, 'invalid_grant')
    })
  })

  describe('at revocation', () => {
    test('the token of another client stays', async () => {
      const one = await connect(service, browser, workspace)
      assert.equal((await post(service, '/oauth/revoke', { token: one.refresh, client_id: clientId })).body.error, 'invalid_grant')
      assert.ok(await works(one.access))
    })
    test('an API token that no client has stays', async () => {
      assert.equal((await post(service, '/oauth/revoke', { token: person.token, client_id: clientId })).status, 200)
      assert.ok(await works(person.token))
    })
  })

  describe('at consent', () => {
    const refusedPage = async (asked: Fields | string, said: RegExp, isTold: boolean) => {
      const { status, headers, text } = await browser.open(typeof asked === 'string' ? `/oauth/authorize?${asked}` : pathOf(asked))
      assert.deepEqual([status, headers.get('location')], [400, null], text)
      assert.match(text, said)
      assert.equal(text.includes('<form method="post" action="/oauth/authorize"'), false)
      assert.equal(/Back to /.test(text), isTold, 'whether the client may be told')
      return text
    }
    const wrong: readonly (readonly [string, Fields, RegExp, boolean])[] = [
      ['an unknown client', { client_id: 'ocl_nobody' }, /This client is unknown/, false],
      ['a client that is no id', { client_id: "' or 1=1" }, /This client is unknown/, false],
      ['another redirect', { redirect_uri: 'https://evil.test/callback' }, /has not registered/, false],
      ['a redirect with more behind it', { redirect_uri: `${redirectUri}?x=1` }, /has not registered/, false],
      ['a redirect with another case', { redirect_uri: 'https://CLIENT.test/callback' }, /has not registered/, false],
      ['a redirect that climbs', { redirect_uri: 'https://client.test/x/../callback' }, /has not registered/, false],
      ['a redirect with a user', { redirect_uri: 'https://client.test@evil.test/callback' }, /has not registered/, false],
      ['a redirect with another port', { redirect_uri: 'https://client.test:8443/callback' }, /has not registered/, false],
      ['a script as redirect', { redirect_uri: 'javascript:alert(1)' }, /has not registered/, false],
      ['a token at once', { response_type: 'token' }, /response_type/, true],
      ['a challenge that is plain', { code_challenge_method: 'plain' }, /S256/, true],
      ['a challenge of no method', { code_challenge_method: '' }, /S256/, true],
      ['no challenge', { code_challenge: '' }, /code_challenge/, true],
      ['a challenge that is too short', { code_challenge: 'abc' }, /code_challenge/, true],
      ['another resource', { resource: 'https://elsewhere.test/mcp' }, /resource must be/, true],
      ['a resource below', { resource: 'http://footfall.test/mcp/../admin' }, /resource must be/, true],
      ['a resource with a user', { resource: 'http://a@footfall.test/mcp' }, /resource must be/, true],
      ['a resource with a fragment', { resource: 'http://footfall.test/mcp#x' }, /resource must be/, true],
      ['a scope of nothing that is here', { scope: 'admin root' }, /scope/, true],
    ]
    for (const [what, more, said, isTold] of wrong) {
      test(what, async () => {
        await refusedPage(asking(clientId, more), said, isTold)
      })
    }
    test('a parameter twice', async () => {
      await refusedPage(`${new URLSearchParams(asking(clientId))}&redirect_uri=https://evil.test/`, /more than once/, false)
    })
    test('a state of any length', async () => {
      await refusedPage(asking(clientId, { state: 'x'.repeat(2_001) }), /longer than 2,000/, false)
    })
    test('texts of the client are shown as text, not as HTML', async () => {
      const loud = await registered(service, { client_name: '<script>alert(1)</script>\u202e"' })
      const { text } = await browser.open(pathOf(asking(loud, { state: '"><img src=x>' })))
      assert.equal(/<script>alert|<img src=x|\u202e/.test(text), false)
    })

    test('the consent page cannot be framed or cached, and runs no inline code', async () => {
      const { headers } = await browser.open(pathOf(asking(clientId)))
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(policy, /frame-ancestors 'none'/)
      assert.match(policy, /script-src 'self';/)
      assert.match(policy, /form-action 'self' https:;/)
      assert.deepEqual([headers.get('x-frame-options'), headers.get('cache-control')], ['DENY', 'no-store'])
    })

    const decision = () => String(new URLSearchParams({ ...asking(clientId), ...allowing(workspace) }))
    const forged: readonly (readonly [string, Fields])[] = [
      ['a form of another site', { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site' }],
      ['a form of a sister site', { Origin: 'http://evil.footfall.test', 'Sec-Fetch-Site': 'same-site' }],
      ['a form without an origin', { Origin: 'null' }],
      ['a form that says nothing of where it is from', {}],
    ]
    for (const [what, headers] of forged) {
      test(what, async () => {
        const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const answer = await service.web.request('/oauth/authorize', {
          method: 'POST',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html', Cookie: cookie, ...headers },
          body: decision(),
        })
        assert.deepEqual([answer.status, answer.headers.get('location')], [403, null])
      })
    }
    test('a grant without a session is refused', async () => {
      const answer = await openBrowser(service).submit('/oauth/authorize', { ...asking(clientId), ...allowing(workspace) })
      assert.match(answer.headers.get('location') ?? '', /^\/sign-in\?/)
    })
    test('by an API token, or the token of a client', async () => {
      const one = await connect(service, browser, workspace)
      for (const each of [person.token, one.access]) {
        const answer = await request(service, 'POST', '/oauth/authorize.json', {
          token: each,
          body: { ...asking(clientId), ...allowing(workspace), permissions: ['analytics.read'] },
        })
        assert.equal(answer.status, 401)
      }
    })

    const beyond: readonly (readonly [string, () => Fields, Fields?])[] = [
      ['the workspace of others', () => allowing(foreign.ids.workspace ?? '')],
      ['a workspace that is not there', () => allowing('ws_00000000000000000000000000')],
      ['a permission that was not asked for', () => allowing(workspace, { permissions: 'tokens.manage' })],
      ['a permission that the role has not', () => allowing(workspace, { permissions: 'billing.manage' }), { scope: 'billing.manage' }],
      ['a site of others', () => allowing(workspace, { sites: 'some', site_ids: foreign.ids.site ?? '' })],
      ['no site', () => allowing(workspace, { sites: 'some' })],
      ['no permission', () => allowing(workspace, { permissions: '' })],
      ['a decision that is none', () => allowing(workspace, { decision: 'perhaps' })],
      ['a redirect that was changed on the way', () => allowing(workspace, { redirect_uri: 'https://evil.test/' })],
      ['a challenge that was taken out on the way', () => allowing(workspace, { code_challenge: '' })],
    ]
    for (const [what, allowed, asked] of beyond) {
      test(`for ${what}`, async () => {
        const answer = await browser.submit('/oauth/authorize', { ...asking(clientId, asked), ...allowed() })
        assert.ok([400, 422].includes(answer.status), String(answer.status))
        assert.equal(answer.headers.get('location'), null)
      })
    }
    test('the sign-in leads nowhere else', async () => {
      for (const next of [
        'https://evil.test/',
        '//evil.test/',
        '/\\evil.test',
        'javascript:alert(1)',
        '/oauth/../\\evil.test',
        '/x/..//evil.test',
        '/.//evil.test',
      ]) {
        const answer = await browser.open(`/sign-in?${new URLSearchParams({ next })}`)
        assert.equal(answer.headers.get('location'), '/', next)
      }
    })
  })

  describe('on loopback', () => {
    const local = async (registeredUri: string, uri: string) => {
      const id = await registered(service, { redirect_uris: [registeredUri] })
      return (await browser.open(pathOf(asking(id, { redirect_uri: uri })))).status
    }
    for (const [registeredUri, uri, status] of [
      ['http://127.0.0.1/callback', 'http://127.0.0.1:51000/callback', 200],
      ['http://127.0.0.1:3000/callback', 'http://127.0.0.1:51000/callback', 200],
      ['http://localhost:3000/callback', 'http://localhost/callback', 200],
      ['http://[::1]/callback', 'http://[::1]:51000/callback', 200],
      ['http://127.0.0.1/callback', 'http://localhost:51000/callback', 400],
      ['http://127.0.0.1/callback', 'http://127.0.0.1:51000/other', 400],
      ['http://127.0.0.1/callback', 'http://127.0.0.1:51000/callback?x', 400],
      ['http://127.0.0.1/callback', 'https://127.0.0.1:51000/callback', 400],
      ['http://127.0.0.1/callback', 'http://127.0.0.1:80@evil.test/callback', 400],
      ['http://127.0.0.1/callback', 'http://127.0.0.1.evil.test/callback', 400],
      ['http://localhost/callback', 'http://localhost.evil.test/callback', 400],
      ['http://127.0.0.1/callback', 'http://127.0.0.1:51000/callback\r\nX: y', 400],
      ['https://client.test/callback', 'https://client.test:444/callback', 400],
    ] as const) {
      test(`${registeredUri} and ${JSON.stringify(uri)}: ${status === 200 ? 'taken' : 'refused'}`, async () => {
        assert.equal(await local(registeredUri, uri), status)
      })
    }
  })

  describe('at registration', () => {
    const uris = (...redirect_uris: unknown[]) => ({ redirect_uris })
    for (const [what, metadata, error = 'invalid_redirect_uri'] of [
      ['a script', uris('javascript:alert(1)')],
      ['a script that looks like an address', uris('javascript://client.test/%0aalert(1)')],
      ['data', uris('data:text/html,x')],
      ['a file', uris('file:///etc/passwd')],
      ['plain http elsewhere', uris('http://client.test/callback')],
      ['plain http to a name that begins with localhost', uris('http://localhost.evil.test/')],
      ['plain http to the local network', uris('http://192.168.1.1/')],
      ['a fragment', uris('https://client.test/#x')],
      ['a user name', uris('https://client.test@evil.test/')],
      ['a line break', uris('https://client.test/\r\nSet-Cookie: x=y')],
      ['a space', uris('https://client.test/a b')],
      ['a wildcard for a host', uris('https://*')],
      ['a wildcard for a subdomain', uris('https://*.client.test/callback')],
      ['a wildcard in a path', uris('https://client.test/*')],
      ['a wildcard for a port', uris('http://127.0.0.1:*/callback')],
      ['a host without slashes', uris('https:client.test')],
      ['a host after one slash', uris('https:/client.test/callback')],
      ['a host after three slashes', uris('https:///client.test/callback')],
      ['a backslash', uris('https://client.test\\@evil.test/')],
      ['a host in percent', uris('https://cl%69ent.test/callback')],
      ['a host as a number', uris('https://2130706433/callback')],
      ['a host in hex', uris('https://0x7f.1/callback')],
      ['a host in capitals', uris('https://CLIENT.test/callback')],
      ['a host with letters of another script', uris('https://cliеnt.test/callback')],
      ['a port that is empty', uris('https://client.test:/callback')],
      ['a path that climbs', uris('https://client.test/a/../callback')],
      ['a path that climbs in percent', uris('https://client.test/a/%2e%2e/callback')],
      ['an empty user name', uris('https://@client.test/callback')],
      ['a zero byte', uris('https://client.test/\0')],
      ['a scheme in capitals', uris('JavaScript:alert(1)')],
      ['a tab in a scheme', uris('java\tscript:alert(1)')],
      ['a scheme that any program may take', uris('editor://callback')],
      ['a scheme of ours without a slash', uris('com.example.app:callback')],
      ['a scheme of ours that climbs', uris('com.example.app:/a/../b')],
      ['a scheme of ours with a wildcard', uris('com.example.app:/*')],
      ['one wrong address among good ones', uris('https://client.test/callback', 'https:evil.test')],
      ['no address', uris('callback')],
      ['a scheme of the system', uris('intent://x/#Intent;end')],
      ['no list', { redirect_uris: 'https://client.test/' }],
      ['an empty list', uris()],
      ['numbers', uris(1, 2)],
      ['two thousand addresses', uris(...Array.from({ length: 2_000 }, (_, i) => `https://c.test/${i}`))],
      ['an address of any length', uris(`https://c.test/${'x'.repeat(1_000)}`)],
      ['a name that is no text', { client_name: { toString: 1 } }, 'invalid_client_metadata'],
      ['another response', { response_types: ['token'] }, 'invalid_client_metadata'],
      ['another grant', { grant_types: ['password'] }, 'invalid_client_metadata'],
    ] as readonly (readonly [string, object, string?])[]) {
      test(what, async () => {
        const answer = await register(service, metadata as Record<string, unknown>)
        assert.deepEqual([answer.status, answer.body.error], [400, error], answer.text)
      })
    }
    test('good addresses are taken as they are', async () => {
      const good = [
        'https://client.test',
        'https://client.test/callback?from=footfall&a=%20',
        'https://client.test:8443/a.b~c/%E4',
        'https://xn--mnchen-3ya.test/callback',
        'http://127.0.0.1:3000/callback',
        'http://[::1]/',
        'http://localhost/callback',
        'com.example.app:/oauth/callback',
        'com.example.app://callback',
      ]
      const answer = await register(service, uris(...good))
      assert.deepEqual([answer.status, answer.body.redirect_uris], [201, good])
    })
    test('an address that was registered under looser rules is good no more', async () => {
      const id = await registered(service)
      const wild = ['https:client.test/callback', 'https://*.client.test/callback', 'editor://callback', redirectUri]
      await service.store.write
        .updateTable('oauth_clients')
        .set({ redirect_uris: JSON.stringify(wild) })
        .where('id', '=', id)
        .execute()
      const statuses = await Promise.all(wild.map(async uri => (await browser.open(pathOf(asking(id, { redirect_uri: uri })))).status))
      assert.deepEqual(statuses, [400, 400, 400, 200])
    })
    test('a scheme without a dot is taken where the operator lists it', async () => {
      const open = await startService(engine, { OAUTH_SCHEMES: 'cursor, editor' })
      for (const [uri, status] of [
        ['cursor://vendor.editor/oauth/callback', 201],
        ['editor:/callback', 201],
        ['other://callback', 400],
        ['javascript:/callback', 400],
      ] as const)
        assert.equal((await register(open, uris(uri))).status, status, uri)
      await open.close()
    })
    test('a metadata document that is not a JSON object is refused', async () => {
      for (const body of ['[]', '"x"', '{', 'null', '{"a":'.repeat(5_000)]) {
        const answer = await request(service, 'POST', '/oauth/register', { body })
        assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_client_metadata'])
      }
    })
    test('a client never gets a secret', async () => {
      const answer = await register(service, {
        token_endpoint_auth_method: 'client_secret_basic',
        software_id: 'x',
        logo_uri: 'https://evil.test/x.png',
      })
      assert.equal(answer.status, 201)
      assert.deepEqual(
        [answer.body.token_endpoint_auth_method, 'client_secret' in answer.body, 'logo_uri' in answer.body],
        ['none', false, false],
      )
    })
    test('a flood', async () => {
      const own = await startService(engine, { OAUTH_REGISTRATIONS: 3 })
      try {
        const statuses = []
        for (let i = 0; i < 5; i++) statuses.push((await register(own)).status)
        assert.deepEqual(statuses, [201, 201, 201, 429, 429])
        const last = await register(own)
        assert.deepEqual([last.body.error, last.headers.has('retry-after')], ['temporarily_unavailable', true])
        own.clock.now += 3_600_001
        assert.equal((await register(own)).status, 201)
      } finally {
        await own.close()
      }
    })
  })

  describe('with a document about the client', () => {
    const place = (path: string, about: Readonly<Record<string, unknown>> = {}, more: object = {}) => {
      const id = `${host}${path}`
      standing.set(path, {
        status: 200,
        body: JSON.stringify({ client_id: id, client_name: 'Documented', redirect_uris: [redirectUri], ...about }),
        ...more,
      })
      return id
    }
    const shown = async (id: string, more: Fields = {}) => browser.open(pathOf(asking(id, more)))

    test('it is let in, by the host of its id, and its document is read once an hour', async () => {
      const id = place('/good.json', { token_endpoint_auth_method: 'none' })
      const before = reads
      const page = await shown(id)
      assert.equal(page.status, 200, page.text)
      assert.ok(page.text.includes(`<b>${new URL(id).host}</b>`))
      assert.equal(page.text.includes('not verified'), false)
      const one = await connect(service, browser, workspace, { asked: { client_id: id } })
      assert.ok(await works(one.access))
      assert.equal((await token(service, refreshing(id, one.refresh))).status, 200)
      assert.equal(reads - before, 1)
      service.clock.now += 3_600_001
      await shown(id)
      assert.equal(reads - before, 2)
    })
    test('a metadata document is not fetched without a session', async () => {
      const before = reads
      const answer = await openBrowser(service).open(pathOf(asking(place('/unread.json'))))
      assert.deepEqual([answer.status, reads - before], [303, 0])
    })

    const bad: readonly (readonly [string, () => string, Fields?])[] = [
      ['of another client', () => place('/other.json', { client_id: 'https://claude.ai/client.json' })],
      ['whose id has another slash', () => place('/slash.json', { client_id: `${host}/slash.json/` })],
      ['without an id', () => place('/none.json', { client_id: undefined })],
      ['with a secret', () => place('/secret.json', { client_secret: 'x' })],
      ['of a client that has a secret', () => place('/basic.json', { token_endpoint_auth_method: 'client_secret_basic' })],
      ['with a script as redirect', () => place('/script.json', { redirect_uris: ['javascript:alert(1)'] })],
      ['with another redirect', () => place('/redirect.json', { redirect_uris: ['https://client.test/other'] })],
      ['that is elsewhere', () => place('/moved.json', {}, { status: 302, headers: { Location: '/good.json' }, body: '' })],
      ['that is not there', () => `${host}/missing.json`],
      ['that is no JSON', () => place('/text.json', {}, { body: '<html>' })],
      ['that is a list', () => place('/list.json', {}, { body: '[]' })],
      ['of a megabyte', () => place('/long.json', { more: 'x'.repeat(1_000_000) })],
      ['without a path', () => `${host}/`],
      ['with a user name', () => `http://a:b@${host.slice(7)}/good.json`],
      ['with a fragment', () => `${host}/good.json#x`],
      ['with dots', () => `${host}/x/../good.json`],
      ['at a private address', () => 'https://192.168.1.1/client.json'],
      ['at an address of the link', () => 'https://169.254.169.254/latest/meta-data'],
      ['at this machine by another name', () => 'https://[::1]/client.json'],
      ['at an address that is a number', () => 'https://2130706433/client.json'],
      ['of a scheme that is none', () => 'file:///etc/passwd'],
      ['of any length', () => `${host}/${'x'.repeat(600)}`],
    ]
    for (const [what, idOf] of bad) {
      test(`a document ${what}`, async () => {
        const answer = await shown(idOf())
        assert.deepEqual([answer.status, answer.headers.get('location')], [400, null], answer.text)
        assert.equal(answer.text.includes('name="decision"'), false)
      })
    }
    test('documents without end', async () => {
      const other = await signedIn(service, await personIn(service, world))
      let last = 0
      for (let i = 0; i <= 30; i++) last = (await other.open(pathOf(asking(`${host}/many/${i}.json`)))).status
      assert.equal(last, 429)
    })
  })
})
