/** `footfall login`: the command line signs in by a browser, keeps its tokens, renews them and ends them. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { runCommand } from '../../../adapters/cli/cli.ts'
import { describeApi, specText } from '../../../adapters/openapi/describe.ts'
import { table } from '../../../operations/index.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeSite, request, startService, type TestService, type World } from '../../support/world.ts'
import { allowing } from '../../people/oauth/client.ts'
import type { TestBrowser } from '../../people/sign-in/browser.ts'
import { personIn, signedIn } from '../../people/sign-in/people.ts'

const api = JSON.parse(specText(describeApi(table)))
const server = 'http://footfall.test'

onAnyEngine('signing in by the browser', engine => {
  let service: TestService
  let world: World
  let browser: TestBrowser
  let home: string
  before(async () => {
    service = await startService(engine)
    world = await makeSite(service)
    browser = await signedIn(service, await personIn(service, world))
  })
  after(() => service.close())
  beforeEach(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-sign-in-'))
  })
  after(() => fs.rmSync(home, { recursive: true, force: true }))
  const file = () => path.join(home, '.config/footfall/profiles.json')
  const kept = () => JSON.parse(fs.readFileSync(file(), 'utf8')).profiles
  const keep = (profiles: object) => fs.writeFileSync(file(), JSON.stringify({ current: 'default', profiles }))
  /** As if the access token's hour were over. */
  const anHourLater = () => keep({ default: { ...kept().default, grant: { ...kept().default.grant, expiresAt: 0 } } })

  /** @param person what somebody does with the page that opens; its answer is what the page shows in the end */
  async function run(
    words: string,
    person: (page: URL) => Promise<unknown> = () => assert.fail('opens no browser'),
    refreshes = { count: 0 },
  ) {
    let [out, err] = ['', '']
    let did: Promise<unknown> | undefined
    const code = await runCommand(words.split(' '), {
      env: {},
      home,
      columns: undefined,
      timeZone: 'Europe/Berlin',
      out: text => (out += text),
      err: text => (err += text),
      stdin: async () => '',
      runProgram: () => undefined,
      browse: url => {
        did = person(new URL(url))
      },
      openApi: () => api,
      otherCommands: [],
      fetch: async (url, init) => {
        if (String(init.body).includes('grant_type=refresh_token')) refreshes.count++
        return service.web.request(String(url).replace(server, ''), init)
      },
    })
    await did
    return { code, out, err }
  }
  const decide = (fields: Readonly<Record<string, string>>) => async (page: URL) => {
    assert.equal(page.origin, server)
    const asked = Object.fromEntries(page.searchParams)
    const { status, headers, text } = await browser.submit('/oauth/authorize', { ...asked, ...fields })
    assert.equal(status, 303, text)
    const landed = await fetch(headers.get('location') ?? '')
    return { status: landed.status, text: await landed.text() }
  }
  const allow = (permissions = 'analytics.read,content.write') => decide(allowing(world.ids.workspace ?? '', { permissions }))

  test('calls work with what was allowed, and nothing shows the tokens', async () => {
    let shown: any // what the browser shows
    const { code, out } = await run(`login --server ${server}/`, async page => {
      shown = await allow()(page)
    })
    assert.equal(code, 0, out)
    assert.match(out, /You are signed in: profile default/)
    assert.equal(shown.status, 200)
    assert.match(shown.text, /close this window/)
    const { token, grant, ...profile } = kept().default
    assert.deepEqual(profile, { server })
    assert.equal(fs.statSync(file()).mode & 0o777, 0o600)
    assert.ok(!out.includes(token) && !out.includes(grant.refreshToken))
    const listed = await run('profile list')
    assert.match(listed.out, /signed_in/)
    assert.ok(!listed.out.includes(token) && !listed.out.includes(grant.refreshToken))
    const sites = await run('sites list --json')
    assert.equal(JSON.parse(sites.out).data[0].id, world.ids.site)
    assert.equal((await run(`webhooks list`)).code, 3) // was not allowed
  })

  test('everyday permissions are asked for, or all, or those that are named', async () => {
    const asked: string[][] = []
    const note = (page: URL) => {
      asked.push((page.searchParams.get('scope') ?? '').split(' '))
      return decide({ ...allowing(world.ids.workspace ?? ''), decision: 'deny' })(page)
    }
    for (const flags of ['', ' --permissions all', ' --permissions uptime.manage,analytics.read'])
      await run(`login --server ${server}${flags}`, note)
    const [everyday = [], all = [], named = []] = asked
    assert.ok(everyday.includes('analytics.read') && !everyday.includes('workspace.manage'))
    assert.ok(all.includes('workspace.manage') && all.length > everyday.length)
    assert.deepEqual(named, ['uptime.manage', 'analytics.read'])
    const mistyped = await run(`login --server ${server} --permissions analytics.raed`)
    assert.equal(mistyped.code, 1)
    assert.match(mistyped.err, /there is no "analytics.raed", but .*analytics\.read/)
  })

  test('a refused consent stores no token', async () => {
    const { code, err } = await run(`login --server ${server}`, decide({ ...allowing(world.ids.workspace ?? ''), decision: 'deny' }))
    assert.equal(code, 1)
    assert.match(err, /footfall login: it was not allowed/)
    assert.ok(!fs.existsSync(file()))
  })

  test('an answer that was not asked for is passed over', async () => {
    const { code } = await run(`login --server ${server}`, async page => {
      const back = page.searchParams.get('redirect_uri') ?? ''
      for (const stray of [`${back}?code=stolen&state=another`, back.replace('/callback', '/favicon.ico')]) {
        assert.equal((await fetch(stray)).status, 404)
      }
      return allow()(page)
    })
    assert.equal(code, 0)
  })

  test('a token whose time is over is renewed once, by however many at once', async () => {
    await run(`login --server ${server}`, allow())
    const { token: first } = kept().default
    anHourLater()
    const refreshes = { count: 0 }
    const ended = await Promise.all([1, 2, 3, 4].map(() => run('sites list', undefined, refreshes)))
    assert.deepEqual(
      ended.map(({ code }) => code),
      [0, 0, 0, 0],
    )
    assert.equal(refreshes.count, 1)
    assert.notEqual(kept().default.token, first)
    assert.deepEqual(fs.readdirSync(path.dirname(file())), ['profiles.json'])
  })

  test('a sign-in that was ended at the server says so, and how to go on', async () => {
    await run(`login --server ${server}`, allow())
    const { token } = kept().default
    await request(service, 'POST', '/oauth/revoke', {
      body: String(new URLSearchParams({ token, client_id: kept().default.grant.clientId })),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    anHourLater()
    const { code, err } = await run('sites list')
    assert.notEqual(code, 0)
    assert.match(err, /"footfall login default" signs in again/)
    assert.deepEqual(kept().default, { server })
  })

  test('signing out ends the tokens here and at the server', async () => {
    await run(`login work --server ${server}`, allow())
    const { token } = kept().work
    assert.equal((await request(service, 'GET', '/workspaces.json', { token })).status, 200)
    assert.equal((await run('logout')).code, 0)
    assert.deepEqual(kept(), { work: { server } })
    assert.equal((await request(service, 'GET', '/workspaces.json', { token })).status, 401)
    assert.match((await run('logout')).err, /is not signed in/)
  })

  test('a token that is set by hand is not renewed by a former sign-in', async () => {
    await run(`login --server ${server}`, allow())
    await run('profile set --token pat_other')
    assert.deepEqual(kept().default, { server, token: 'pat_other' })
  })

  test('a server that is none is named', async () => {
    for (const address of ['ftp://x', 'nonsense']) assert.match((await run(`login --server ${address}`)).err, /begins with https/)
    const { code, err } = await run('login --server http://footfall.test/elsewhere')
    assert.equal(code, 1)
    assert.match(err, /no sign-in for programs|not found|no answer/i)
  })
})
