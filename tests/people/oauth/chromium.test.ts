/**
 * The official clients of MCP connect with only the address, while a person signs in and consents in Chromium: with
 * and without scripts. The service, the client and the browser are on different ports, so the policies of the browser apply.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import { serve, type ServerType } from '@hono/node-server'
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '../../../tools/mcp-client-2.mjs'
import { Client as Client1, StreamableHTTPClientTransport as Transport1 } from '../../../tools/mcp-client-1.mjs'
import type { Browser } from '../../../tools/playwright.mjs'
import { faultsOf } from '../../support/axe.ts'
import { launchChromium, withoutChromium } from '../../support/chromium.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { testIfFullOr } from '../../support/full.ts'
import { makeWorld, startService, type TestService, type World } from '../../support/world.ts'
import { password, type Person, personIn } from '../sign-in/people.ts'

/** The memory of a client, as either SDK asks for it. */
function memory(redirectUrl: string) {
  const kept: { information?: any; tokens?: any; verifier?: string; leadTo?: URL; discovery?: any } = {} // any: each SDK has its own types for it
  return {
    kept,
    provider: {
      redirectUrl,
      clientMetadata: { client_name: 'A test of the SDK', redirect_uris: [redirectUrl] },
      state: () => 'a-state',
      clientInformation: () => kept.information,
      saveClientInformation: (information: unknown) => void (kept.information = information),
      tokens: () => kept.tokens,
      saveTokens: (tokens: unknown) => void (kept.tokens = tokens),
      redirectToAuthorization: (url: URL) => void (kept.leadTo = url),
      saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
      codeVerifier: () => kept.verifier ?? '',
      saveDiscoveryState: (state: unknown) => void (kept.discovery = state),
      discoveryState: () => kept.discovery,
    },
  }
}

interface Connection {
  tools(): Promise<string[]>
  call(name: string, args: Record<string, unknown>): Promise<any> // any, so that tests can read any field
  close(): Promise<void>
}
type Memory = ReturnType<typeof memory>

/** Connects, and exchanges a code before that where there is one. */
const clients: readonly (readonly [string, (url: URL, of: Memory, answer?: URLSearchParams) => Promise<Connection>])[] = [
  [
    'SDK 1.x',
    async (url, { provider }, answer) => {
      if (answer) await new Transport1(url, { authProvider: provider }).finishAuth(answer.get('code') ?? '')
      const client = new Client1({ name: 'test', version: '1.0.0' })
      await client.connect(new Transport1(url, { authProvider: provider }))
      return {
        tools: async () => (await client.listTools()).tools.map(({ name }) => name),
        call: (name, args) => client.callTool({ name, arguments: args }),
        close: () => client.close(),
      }
    },
  ],
  [
    'SDK 2.x',
    async (url, { provider }, answer) => {
      if (answer) await new Transport2(url, { authProvider: provider }).finishAuth(answer)
      const client = new Client2({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
      await client.connect(new Transport2(url, { authProvider: provider }))
      return {
        tools: async () => (await client.listTools()).tools.map(({ name }) => name),
        call: (name, args) => client.callTool({ name, arguments: args }),
        close: () => client.close(),
      }
    },
  ],
]

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port // a TCP server that listens has one
}

onAnyEngine('clients that connect by OAuth', engine => {
  let service: TestService
  let world: World
  let person: Person
  let browser: Browser
  let server: ServerType
  let base: string
  let own: ReturnType<typeof createServer>
  let redirectUrl: string
  before(async () => {
    if (withoutChromium !== false) return
    const free = createServer()
    const port = await listening(free)
    await new Promise(resolve => free.close(resolve))
    base = `http://localhost:${port}`
    service = await startService(engine, { BASE_URL: base })
    server = serve({ fetch: service.web.fetch, port, hostname: '127.0.0.1' })
    world = await makeWorld(service)
    person = await personIn(service, world)
    browser = await launchChromium()
    own = createServer((_, outgoing) => outgoing.writeHead(200, { 'Content-Type': 'text/html' }).end('You can close this.'))
    redirectUrl = `http://127.0.0.1:${await listening(own)}/callback`
  })
  after(async () => {
    if (withoutChromium !== false) return
    await browser.close()
    own.close()
    server.close()
    await service.close()
  })

  for (const [i, [name, connect]] of clients.entries()) {
    for (const scripts of [true, false]) {
      // A normal run has each client and each page once.
      testIfFullOr(scripts === (i === 0))(`${name}, ${scripts ? 'with' : 'without'} scripts`, { skip: withoutChromium }, async () => {
        const url = new URL(`${base}/mcp?toolsets=everyday`)
        const client = memory(redirectUrl)
        await assert.rejects(connect(url, client), /unauthori[sz]ed/i)
        assert.equal(client.kept.leadTo?.origin, base)

        const context = await browser.newContext({ javaScriptEnabled: scripts })
        const page = await context.newPage()
        const complaints: string[] = []
        page.on('console', message => message.type() === 'error' && complaints.push(message.text()))
        await page.goto(client.kept.leadTo?.href ?? '')
        await page.getByLabel('E-mail address').fill(person.email)
        await page.getByLabel('Password').fill(password)
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
        await page.getByRole('heading', { name: 'Connect A test of the SDK?' }).waitFor()
        if (scripts) assert.deepEqual(await faultsOf(page), [])
        await page.getByText('a program on this computer').waitFor()
        const isTicked = (label: string) => page.getByLabel(label).isChecked()
        assert.equal(await isTicked('Read reports, lists and records'), true)
        for (const label of ['Export raw data', 'Change notes, goals, segments, dashboards and alerts', 'Change uptime checks'])
          assert.equal(await isTicked(label), false, label)
        await page.getByRole('button', { name: 'Allow' }).click()
        await page.waitForURL(`${redirectUrl}?*`)
        const answer = new URL(page.url()).searchParams
        assert.deepEqual([answer.get('state'), answer.get('iss'), complaints], ['a-state', base, []])
        await context.close()

        const connected = await connect(url, client, answer)
        const tools = await connected.tools()
        assert.deepEqual([tools.includes('sites_list'), tools.includes('notes_create')], [true, false])
        const { structuredContent } = await connected.call('sites_list', {})
        assert.equal(structuredContent.data[0].id, world.ids.site)

        // An hour later it renews its token by itself.
        const before = client.kept.tokens.access_token
        service.clock.now += 3_600_001
        assert.equal((await connected.call('sites_list', {})).structuredContent.meta.total, 1)
        assert.notEqual(client.kept.tokens.access_token, before)

        // For a permission that it was not given, it asks for another consent.
        if (name === 'SDK 2.x') {
          await assert.rejects(connected.call('notes_create', { site_id: world.ids.site, text: 'x' }), /unauthori[sz]ed|scope|403/i)
          assert.match(client.kept.leadTo?.searchParams.get('scope') ?? '', /content\.write/)
        }
        await connected.close()
      })
    }
  }
})
