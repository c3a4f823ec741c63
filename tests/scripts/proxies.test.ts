/** Runs the proxy configurations of docs/install.md: the text of its sections in front of the service, over TLS. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setUp } from '../../operations/service/setup/set-up.ts'
import { creationServices } from '../../scripts/machine.ts'
import { engines } from '../support/engines.ts'
import { testIfFullOr } from '../support/full.ts'
import { freePort } from '../support/ports.ts'
import { type ServiceProcess, startProcess } from '../support/process.ts'
import { belowPath, HOST, isInstalled, proxies, startProxy } from '../support/proxies.ts'

const engine = engines.find(({ name }) => name === 'sqlite')
const CLIENT = '127.0.0.2'

for (const [name, proxy] of Object.entries(proxies)) {
  const skip = (!engine && 'one engine is enough') || (!isInstalled(proxy) && `${name} is not installed`)
  describe(`behind ${name}`, { skip }, () => {
    let folder: string
    let upstream: number
    let front: Awaited<ReturnType<typeof startProxy>>
    let agent: https.Agent
    before(async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-proxy-'))
      fs.chmodSync(folder, 0o755)
      upstream = await freePort()
      front = await startProxy(proxy, folder, upstream)
      // From another address than the proxy's.
      agent = new https.Agent({ keepAlive: true, ca: front.ca, servername: HOST, localAddress: CLIENT })
    })
    after(async () => {
      agent?.destroy()
      await front?.close()
      fs.rmSync(folder, { recursive: true, force: true })
    })
    const ask = (path: string, { method = 'GET', headers = {} }: { method?: string; headers?: http.OutgoingHttpHeaders } = {}) =>
      https.request({ host: '127.0.0.1', port: front.port, path, method, agent, headers: { Host: `${HOST}:${front.port}`, ...headers } })
    /** The request as the server behind the proxy receives it; fails if the proxy answers itself. */
    const passedOn = async (server: http.Server, request: http.ClientRequest, path: string) => {
      const refused = once(request, 'response').then(([answer]: http.IncomingMessage[]) =>
        assert.fail(`the proxy answered ${answer?.statusCode}\n${front.errors()}`),
      )
      return (await Promise.race([once(server, path), refused])) as [http.IncomingMessage, http.ServerResponse]
    }
    const answered = async (request: http.ClientRequest, body?: string | Buffer) => {
      const [answer] = (await once(request.end(body), 'response')) as [http.IncomingMessage]
      return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
    }

    test('streams are not held back, in either direction, and connections are used again', async t => {
      const connections = new Set<unknown>()
      const server = http.createServer((incoming, outgoing) => {
        connections.add(incoming.socket)
        if (incoming.url === '/large') outgoing.setHeader('X-Large', 'x'.repeat(10_000)).end('large')
        else server.emit(incoming.url ?? '', incoming, outgoing)
      })
      server.keepAliveTimeout = 120_000 // longer than the proxies keep connections, as that of the service
      t.after(async () => {
        server.close()
        server.closeAllConnections()
        if (server.listening) await once(server, 'close')
      })
      await once(server.listen(upstream, '127.0.0.1'), 'listening')

      const upload = ask('/up', { method: 'PUT', headers: { 'Transfer-Encoding': 'chunked' } })
      upload.write('x'.repeat(100_000))
      const [incoming, outgoing] = await passedOn(server, upload, '/up') // before the body has ended
      upload.end('y')
      assert.equal((await text(incoming)).length, 100_001)
      const uploaded = once(upload, 'response')
      outgoing.end('done')
      assert.equal(await text(((await uploaded) as [http.IncomingMessage])[0]), 'done')

      const download = ask('/down').end()
      const [, given] = await passedOn(server, download, '/down')
      const downloaded = once(download, 'response')
      given.writeHead(200, { 'Content-Type': 'application/octet-stream' }).write('first')
      const [answer] = (await downloaded) as [http.IncomingMessage] // before it has ended
      assert.equal(String((await once(answer, 'data'))[0]), 'first')
      given.end('second')
      assert.equal(await text(answer), 'second')

      assert.equal((await answered(ask('/large'))).headers['x-large']?.length, 10_000)
      assert.equal(connections.size, 1)
    })

    test('files, addresses, MCP and large headers come through', async () => {
      const { store, url, drop } = (await engine?.create()) ?? assert.fail()
      const made = await setUp(
        store,
        { email: 'a@example.com', workspace: 'A', site: 'a.example.com', timezone: 'UTC' },
        await creationServices(),
      )
      const service: ServiceProcess = await startProcess(url, {
        PORT: String(upstream),
        BASE_URL: `https://${HOST}:${front.port}`,
        TRUSTED_PROXIES: '127.0.0.1,::1',
      })
      try {
        const call = async (method: string, path: string, body?: unknown, headers: http.OutgoingHttpHeaders = {}) => {
          const given = { Authorization: `Bearer ${made.token}`, 'Content-Type': 'application/json', ...headers }
          const answer = await answered(ask(path, { method, headers: given }), body === undefined ? undefined : JSON.stringify(body))
          return { status: answer.status, body: JSON.parse(answer.text) }
        }
        const { data } = (await call('POST', `/sites/${made.site_id}/imports`, { source: 'footfall', filename: 'hits.ndjson' })).body
        const { pathname, search } = new URL(data.upload_url)
        const file = Buffer.alloc(5_000_000, 'x')
        const uploaded = await answered(ask(pathname + search, { method: 'PUT', headers: { 'Content-Length': file.length } }), file)
        assert.equal(uploaded.status, 200, uploaded.text)
        assert.deepEqual(JSON.parse(uploaded.text).data, { received: file.length, total: file.length, complete: true })

        const tokenFor = async (address: string) => {
          const token = await call('POST', `/workspaces/${made.workspace_id}/api_tokens`, {
            name: address,
            permissions: ['analytics.read'],
            allowed_ips: [`${address}/32`],
          })
          assert.equal(token.status, 201, JSON.stringify(token.body))
          return { Authorization: `Bearer ${token.body.data.token}` }
        }
        const site = `/sites/${made.site_id}`
        const [mine, others] = [await tokenFor(CLIENT), await tokenFor('203.0.113.9')]
        assert.equal((await call('GET', site, undefined, mine)).status, 200)
        const spoofed = { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9', 'X-Real-IP': '203.0.113.9' }
        assert.equal((await call('GET', site, undefined, { ...others, ...spoofed })).status, 403)
        assert.equal((await call('GET', site, undefined, { ...mine, ...spoofed })).status, 200)

        const initialize = {
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
        }
        const mcp = await call('POST', '/mcp', initialize, { Accept: 'application/json, text/event-stream' })
        assert.equal(mcp.body.result?.serverInfo.name, 'footfall', JSON.stringify(mcp.body))
        assert.equal((await answered(ask('/healthz', { headers: { 'X-Large': 'x'.repeat(12_000) } }))).status, 200)
        const encoded = await call('GET', `/sites/${encodeURIComponent('a/b')}`)
        assert.deepEqual([encoded.status, encoded.body.error.code], [404, 'not_found'])
        assert.equal((await answered(ask('/'))).status, 200)
      } finally {
        await service.end('SIGTERM')
        await drop()
      }
    })
  })
}

for (const [name, blockFor] of Object.entries(belowPath)) {
  const proxy = proxies[name] ?? assert.fail(name)
  const skip = (!engine && 'one engine is enough') || (!isInstalled(proxy) && `${name} is not installed`)
  for (const isRemoved of [false, true])
    testIfFullOr(isRemoved === (name === 'nginx'))(
      `the service works below a path behind ${name}, which ${isRemoved ? 'removes the path' : 'passes the path on'}`,
      { skip },
      async t => {
        const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-path-'))
        fs.chmodSync(folder, 0o755)
        const upstream = await freePort()
        const front = await startProxy(proxy, folder, upstream, blockFor(isRemoved))
        const { store, url, drop } = (await engine?.create()) ?? assert.fail()
        const made = await setUp(
          store,
          { email: 'a@example.com', workspace: 'A', site: 'a.example.com', timezone: 'UTC' },
          await creationServices(),
        )
        const origin = `https://${HOST}:${front.port}`
        const service = await startProcess(url, {
          PORT: String(upstream),
          BASE_URL: `${origin}/stats`,
          TRUSTED_PROXIES: '127.0.0.1,::1',
        })
        t.after(async () => {
          await service.end('SIGTERM')
          await drop()
          await front.close()
          fs.rmSync(folder, { recursive: true, force: true })
        })
        const agent = new https.Agent({ ca: front.ca, servername: HOST })
        const ask = async (
          address: string,
          { method = 'GET', headers = {}, body }: { method?: string; headers?: object; body?: string } = {},
        ) => {
          const { pathname, search } = new URL(address, origin)
          const options = { host: '127.0.0.1', port: front.port, path: pathname + search, method, agent }
          const request = https.request({ ...options, headers: { Host: `${HOST}:${front.port}`, ...headers } })
          const [answer] = (await once(request.end(body), 'response')) as [http.IncomingMessage]
          return { status: answer.statusCode, headers: answer.headers, text: await text(answer) }
        }
        const html = { Accept: 'text/html' }
        const closed = await ask(`/stats/sites/${made.site_id}/overview`, { headers: html })
        assert.match(closed.headers.location ?? closed.text, /^\/stats\/sign-in\?/)
        const page = await ask(closed.headers.location ?? '', { headers: html })
        const assets = [...page.text.matchAll(/(?:href|src)="([^"]*\/assets\/[^"#]*)"/g)].map(([, address = '']) => address)
        assert.ok(assets.length > 2, page.text)
        for (const each of assets) assert.equal((await ask(each)).status, 200, each)

        const own = { Authorization: `Bearer ${made.token}`, 'Content-Type': 'application/json' }
        const upload = await ask(`/stats/sites/${made.site_id}/imports`, {
          method: 'POST',
          headers: own,
          body: JSON.stringify({ source: 'footfall', filename: 'hits.ndjson' }),
        })
        const { upload_url } = JSON.parse(upload.text).data
        assert.ok(upload_url.startsWith(`${origin}/stats/`), upload_url)
        assert.equal((await ask(upload_url, { method: 'PUT', body: '{}' })).status, 200)

        const refused = await ask('/stats/mcp', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })
        const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers['www-authenticate'] ?? '') ?? []
        const [issuer = ''] = JSON.parse((await ask(metadata)).text).authorization_servers
        assert.equal(issuer, `${origin}/stats`)
        const server = JSON.parse((await ask('/.well-known/oauth-authorization-server/stats')).text)
        assert.equal(server.authorization_endpoint, `${origin}/stats/oauth/authorize`)
        assert.equal((await ask('/.well-known/oauth-protected-resource/stats/mcp')).status, 200)
        const registered = await ask(server.registration_endpoint, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({
            client_name: 'A client',
            redirect_uris: ['http://127.0.0.1/callback'],
            token_endpoint_auth_method: 'none',
          }),
        })
        const client_id = JSON.parse(registered.text).client_id
        const wanted = {
          ...{ response_type: 'code', client_id, redirect_uri: 'http://127.0.0.1/callback', state: 's' },
          ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
        }
        const authorized = await ask(`${server.authorization_endpoint}?${new URLSearchParams(wanted)}`, { headers: html })
        assert.match(authorized.headers.location ?? authorized.text, /^\/stats\/sign-in\?/)
        const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
        const granting = {
          grant_type: 'authorization_code',
          client_id,
          code: 'x',
          code_verifier: 'y'.repeat(43),
          redirect_uri: wanted.redirect_uri,
        }
        const granted = await ask(server.token_endpoint, { method: 'POST', headers: form, body: String(new URLSearchParams(granting)) })
        assert.deepEqual([granted.status, JSON.parse(granted.text).error], [400, 'invalid_grant'])

        const invitation = await ask(`/stats/workspaces/${made.workspace_id}/invitations`, {
          method: 'POST',
          headers: own,
          body: JSON.stringify({ email: 'b@example.com' }),
        })
        const { url: link } = JSON.parse(invitation.text).data // mails have the same
        assert.ok(link.startsWith(`${origin}/stats/invitations/`), link)
        const invited = await ask(link, { headers: html })
        const [, action = ''] = /<form[^>]*action="([^"]*)"/.exec(invited.text) ?? []
        const joined = await ask(action, {
          method: 'POST',
          headers: { ...form, ...html, Origin: origin },
          body: String(new URLSearchParams({ name: 'B', password: 'a long pass phrase of 2026' })),
        })
        assert.equal(joined.status, 303, joined.text)
        assert.match(joined.headers.location ?? '', /^\/stats\//)
        assert.match(String(joined.headers['set-cookie']), /^(__Secure-)?session=[^;]+; Path=\/stats; /)
        const snippet = JSON.parse((await ask(`/stats/sites/${made.site_id}/tracking`, { headers: own })).text).data
        const [script = ''] = /https:[^"]*\.js/.exec(JSON.stringify(snippet)) ?? []
        assert.ok(script.startsWith(`${origin}/stats/`), JSON.stringify(snippet))
        assert.match((await ask(script)).text, /stats/)
        const sent = await ask('/stats/api/event', {
          method: 'POST',
          body: JSON.stringify({ n: 'pageview', u: 'https://a.example.com/', d: 'a.example.com' }),
        })
        assert.equal(sent.status, 202)
        agent.destroy()
      },
    )
}
