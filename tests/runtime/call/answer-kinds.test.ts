/**
 * Callers, inputs and answers that no area uses yet pass through the unchanged runtime: a session, a share link, an
 * upload, a form, a streamed file, a redirect. The operations and authenticators are defined here.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from '@sinclair/typebox'
import { createWeb } from '../../../adapters/http/http.ts'
import { mounts } from '../../../adapters/index.ts'
import { site } from '../../../operations/sites/sites/records.ts'
import { createApp } from '../../../runtime/create-app.ts'
import { authenticator } from '../../../runtime/table/authenticator.ts'
import type { Caller } from '../../../runtime/table/caller.ts'
import { endpoint } from '../../../runtime/table/endpoint.ts'
import { file, FileOutput, redirect, stream, text } from '../../../runtime/table/answer-kinds.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { takesConditions } from '../../../runtime/table/schema.ts'
import { area } from '../../../runtime/table/area.ts'
import { defineTable } from '../../../runtime/table/table.ts'
import { hashToken, makeToken } from '../../../runtime/call/tokens.ts'
import { randomBytes } from '../../support/chance.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { callTool } from '../../support/mcp.ts'
import { makeSite, makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'

const rest = { expiresAt: null, allowedIps: [], lastUsedAt: null }
const oneFile = { summary: 'Do it', examples: [{ input: { site_id: '{{site}}' } }] } as const
const Done = Type.Object({ done: Type.String({ description: 'What was done.' }) })
const conditions = Type.Array(Type.Any(), { default: [], maxItems: 10, description: 'Conditions.', [takesConditions]: true })

/** A table with people, links and files. */
function tableFor(world: World, secrets: { session: string; link: string }) {
  const place = { workspaceId: world.ids.workspace ?? '' }
  const member = {
    memberId: world.owner.memberId,
    accountId: world.owner.accountId,
    email: world.owner.email,
    name: 'Owner',
    role: 'owner',
  }
  const session = authenticator<'session', { id: string }>({
    name: 'session',
    sentAs: { cookie: 'session' },
    acceptedBy: 'pages',
    find: async (_, hash) => (hash === hashToken(secrets.session) ? { id: 'ses_1' } : undefined),
    callerOf: ({ id }): Caller => ({
      ...place,
      ...rest,
      kind: 'session',
      credentialId: id,
      permissions: new Set(['analytics.read', 'content.write']),
      siteIds: [],
      actor: member.email,
      member,
    }),
  })
  const share = authenticator<'share', { id: string }>({
    name: 'share',
    sentAs: { bearer: 'shr_' },
    acceptedBy: 'everywhere',
    find: async (_, hash) => (hash === hashToken(secrets.link) ? { id: 'shr_1' } : undefined),
    callerOf: ({ id }): Caller => ({
      ...place,
      ...rest,
      kind: 'share',
      credentialId: id,
      permissions: new Set(['analytics.read', 'content.write']),
      siteIds: [world.ids.site ?? ''],
      operations: new Set(['answers_see', 'names_change', 'sites_show']),
      conditions: [['country', 'is', 'DE']],
      actor: 'a link',
      member: null,
    }),
  })
  const given = { taken: '', stored: 0 }
  const answers_see = operation({
    ...oneFile,
    route: 'GET /sites/{site_id}/answers',
    access: 'analytics.read',
    on: site,
    effect: 'read',
    input: { filters: conditions },
    output: Done,
    run: async ({ input }) => ({ done: JSON.stringify(input.filters) }),
  })
  const sites_show = operation({
    ...oneFile,
    route: 'GET /sites/{site_id}/shown',
    access: 'analytics.read',
    on: site,
    effect: 'read',
    input: {},
    output: Done,
    run: async () => ({ done: '' }),
  })
  const answers_hide = operation({
    ...oneFile,
    route: 'GET /sites/{site_id}/hidden',
    access: 'analytics.read',
    on: site,
    effect: 'read',
    input: { filters: conditions },
    output: Done,
    run: async () => ({ done: '' }),
  })
  const names_change = operation({
    ...oneFile,
    route: 'POST /sites/{site_id}/name',
    access: 'content.write',
    on: site,
    effect: 'update',
    input: {},
    output: Done,
    run: async ({ caller }) => ({ done: caller.member.email }),
  })
  const doors_open = operation({
    ...oneFile,
    examples: [{ input: { key: 'k' } }],
    route: 'POST /doors',
    access: 'session',
    effect: 'update',
    accepts: 'form',
    input: { key: Type.String({ maxLength: 10, description: 'Key.' }), times: Type.Integer({ default: 1, description: 'How often.' }) },
    answers: redirect,
    output: Type.String({ description: 'Where the entry leads.' }),
    run: async ({ input, caller }) => `/rooms/${input.key}?times=${input.times}&by=${encodeURIComponent(caller.member.name)}`,
  })
  const files_put = operation({
    ...oneFile,
    route: 'POST /sites/{site_id}/files',
    access: 'content.write',
    on: site,
    effect: 'update',
    accepts: 'upload',
    input: { name: Type.String({ maxLength: 50, description: 'Its name.' }) },
    output: Done,
    examples: [{ input: { site_id: '{{site}}', name: 'a' } }],
    denies: ({ input }) => (input.name === 'forbidden' ? 'Not this one.' : undefined),
    async prepare({ body }) {
      let bytes = 0
      for await (const chunk of body) bytes += chunk.byteLength
      given.stored++
      return { bytes }
    },
    run: async ({ input, bytes }) => ({ done: `${input.name}: ${bytes}` }),
  })
  async function* parts(count: number) {
    for (let i = 0; i < count; i++) yield Buffer.from(`line ${i}\n`)
  }
  const files_get = operation({
    ...oneFile,
    route: 'GET /sites/{site_id}/file',
    access: 'analytics.read',
    on: site,
    effect: 'read',
    input: {},
    answers: file('text/csv'),
    output: FileOutput,
    run: async () => ({ name: 'Zürich.csv', size: 14, body: parts(2) }),
  })
  const lines_follow = operation({
    ...oneFile,
    route: 'GET /sites/{site_id}/lines',
    access: 'analytics.read',
    on: site,
    effect: 'read',
    input: {},
    answers: stream('text/plain'),
    output: FileOutput,
    run: async () => ({ body: parts(3) }),
  })
  const feeds_get = operation({
    ...oneFile,
    route: 'GET /sites/{site_id}/feed',
    access: 'analytics.read',
    on: site,
    effect: 'read',
    input: {},
    answers: text('application/atom+xml'),
    output: Type.String({ description: 'Atom.' }),
    run: async () => '<feed/>',
  })
  const hooks_take = endpoint({
    route: 'POST /hooks/{name}',
    summary: 'Takes it',
    access: 'content.write',
    async handle({ path, bytes, caller }) {
      for await (const chunk of bytes()) given.taken += Buffer.from(chunk).toString()
      return { status: 202, body: parts(1), headers: { 'X-By': `${caller?.kind} ${path.name}` } }
    },
  })
  const rows = { answers_see, sites_show, answers_hide, names_change, doors_open, files_put, files_get, lines_follow, feeds_get }
  return { given, rows, endpoints: { hooks_take }, authenticators: { session, share } }
}

onAnyEngine('kinds of callers, inputs and answers', engine => {
  async function served(
    run: (of: {
      service: TestService
      world: World
      secrets: { session: string; link: string }
      given: { taken: string; stored: number }
    }) => Promise<void>,
  ) {
    const service = await startService(engine)
    try {
      const world = await makeSite(service)
      const secrets = { session: randomBytes(32).toString('base64url'), link: makeToken(randomBytes, 'shr_') }
      const { given, rows, endpoints, authenticators } = tableFor(world, secrets)
      const table = defineTable([
        area({
          name: 'Rooms',
          description: 'Rooms.',
          operations: rows,
          endpoints,
          authenticators: [
            Object.fromEntries(
              service.app.table.authenticators.filter(({ name }) => name !== 'session' && name !== 'share').map(each => [each.name, each]),
            ),
            authenticators,
          ],
        }),
      ])
      const app = createApp({ ...service.app, table })
      await run({ service: { ...service, app, web: createWeb(app, mounts) }, world, secrets, given })
    } finally {
      await service.close()
    }
  }
  const fields = 'application/x-www-form-urlencoded'

  test('a session posts a form and is redirected; other origins, other surfaces and tokens are refused', () =>
    served(async ({ service, world, secrets }) => {
      const cookie = { Cookie: `theme=dark; session=${secrets.session}` }
      const own = { ...cookie, 'Content-Type': fields, Origin: 'http://footfall.test', 'Sec-Fetch-Site': 'same-origin' }
      const post = (headers: Record<string, string>, token?: string) =>
        request(service, 'POST', '/doors.json', { body: 'key=blue&times=2', headers, token })
      const opened = await post(own)
      assert.deepEqual([opened.status, opened.headers.get('location'), opened.text], [303, '/rooms/blue?times=2&by=Owner', ''])
      const entries = await service.store.read.selectFrom('audit_entries').selectAll().where('operation', '=', 'doors_open').execute()
      assert.deepEqual(
        entries.map(({ token_id, actor }) => [token_id, actor]),
        [['ses_1', world.owner.email]],
      )

      assert.equal(
        (await post({ ...own, Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' })).status,
        403,
        'a form of another site',
      )
      assert.equal((await post({ ...own, 'Sec-Fetch-Site': 'same-site' })).status, 403, 'a form of a neighbour')
      assert.equal((await post({ ...cookie, 'Content-Type': fields })).status, 403, 'nobody says where it is from')
      const ended = await post({ ...own, Cookie: 'session=short' })
      assert.deepEqual([ended.status, ended.body.error.message], [401, 'This session is not known here, or has ended: sign in again.'])
      const tokens = await post({ 'Content-Type': fields }, world.token)
      assert.deepEqual([tokens.status, tokens.body.error.message], [401, 'Sign in: this is for people, and no API token will do.'])
      assert.equal((await post({ ...own, 'Content-Type': 'application/json' })).status, 415)
      const wrong = await request(service, 'POST', '/doors.json', { body: 'times=x', headers: own })
      assert.deepEqual(wrong.body.error.details.map(({ pointer }: { pointer: string }) => pointer).sort(), ['/key', '/times'])
      assert.equal(
        (await request(service, 'GET', `/sites/${world.ids.site}/answers.json`, { headers: cookie })).status,
        401,
        'only pages read the cookie',
      )
      const page = await service.app.identify({ header: name => ({ cookie: cookie.Cookie })[name], ip: '::1', surface: 'pages' })
      assert.equal(page.caller.kind, 'session')
    }))

  test('a share link reads what it lists, narrowed, and nothing else', () =>
    served(async ({ service, world, secrets }) => {
      const ask = (path: string, method = 'GET') =>
        request(service, method, path, { token: secrets.link, ...(method === 'POST' && { body: {} }) })
      const answered = await ask(`/sites/${world.ids.site}/answers.json?filters=${encodeURIComponent('[["country","is","FR"]]')}`)
      assert.equal(answered.body.data.done, '[["country","is","DE"],["country","is","FR"]]', 'both hold')
      assert.equal((await ask(`/sites/${world.ids.site}/shown.json`)).status, 403, 'what cannot be narrowed is not shown')
      assert.equal((await ask(`/sites/${world.ids.site}/hidden.json`)).status, 403, 'not listed')
      assert.equal((await ask(`/sites/${world.ids.site}/name.json`, 'POST')).status, 403, 'listed, but only members write')
      const other = await makeWorld(service)
      assert.equal((await ask(`/sites/${other.ids.site}/answers.json`)).text, (await ask('/sites/pa_nowhere/answers.json')).text)
      const tool = await callTool(service, 'answers_see', { site_id: world.ids.site }, secrets.link)
      assert.equal(tool.body.data.done, '[["country","is","DE"]]')
    }))

  test('an upload is read before the transaction, a file and a stream are sent as they are made', () =>
    served(async ({ service, world, given }) => {
      const { token } = world
      const put = await service.web.request(`/sites/${world.ids.site}/files.json?name=log`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
        body: new Blob(['x'.repeat(3_000_000)]).stream(),
        duplex: 'half',
      } as RequestInit)
      assert.deepEqual([put.status, (await put.json()).data], [200, { done: 'log: 3000000' }])
      const download = await request(service, 'GET', `/sites/${world.ids.site}/file`, { token })
      assert.equal(download.text, 'line 0\nline 1\n')
      assert.deepEqual(
        ['content-type', 'content-length', 'content-disposition', 'cache-control'].map(name => download.headers.get(name)),
        ['text/csv', '14', "attachment; filename*=UTF-8''Z%C3%BCrich.csv", 'private, no-store'],
      )
      const lines = await request(service, 'GET', `/sites/${world.ids.site}/lines`, { token })
      assert.deepEqual([lines.text, lines.headers.get('content-disposition')], ['line 0\nline 1\nline 2\n', null])
      const feed = await request(service, 'GET', `/sites/${world.ids.site}/feed`, { token })
      assert.deepEqual([feed.text, feed.headers.get('content-type')], ['<feed/>', 'application/atom+xml; charset=utf-8'])

      const hook = await service.web.request('/hooks/blue', { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: 'bits' })
      assert.deepEqual([hook.status, hook.headers.get('x-by'), await hook.text(), given.taken], [202, 'api_token blue', 'line 0\n', 'bits'])
      assert.equal(
        (await service.web.request('/hooks/blue', { method: 'POST', body: 'bits' })).status,
        401,
        'endpoints are checked at entry too',
      )
    }))

  test('an upload is stored for who may, and once for one Idempotency-Key', () =>
    served(async ({ service, world, given }) => {
      const put = async (name: string, key: string, token = world.token) => {
        const reply = await service.web.request(`/sites/${world.ids.site}/files.json?name=${name}`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Idempotency-Key': key },
          body: 'log',
        })
        return [reply.status, await reply.text()]
      }
      assert.equal((await put('forbidden', 'k1'))[0], 403)
      assert.equal((await put('mine', 'k1', await world.tokenFor('viewer')))[0], 403)
      assert.equal(given.stored, 0)
      const first = await put('log', 'k1')
      assert.deepEqual([await put('log', 'k1'), first[0]], [first, 200])
      assert.equal((await put('other', 'k1'))[0], 422, 'the key is that of another input')
      assert.equal(given.stored, 1)
      const both = await Promise.all([put('twice', 'k2'), put('twice', 'k2')])
      assert.deepEqual(both.map(([status]) => status).sort(), [200, 409])
      assert.equal(given.stored, 2)
    }))

  test('a surface that cannot carry a kind does not offer it', () =>
    served(async ({ service, world }) => {
      for (const id of ['doors_open', 'files_put', 'files_get', 'lines_follow', 'feeds_get']) {
        const { fault } = await callTool(service, id, { site_id: world.ids.site }, world.token)
        assert.match(fault?.message ?? '', /Unknown tool/, id)
      }
    }))
})
