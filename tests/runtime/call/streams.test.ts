/** Streamed bodies in both directions over real connections: aborted by either side, or refused. */
import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { serve } from '@hono/node-server'
import { createWeb } from '../../../adapters/http/http.ts'
import { site } from '../../../operations/sites/sites/records.ts'
import { createApp } from '../../../runtime/create-app.ts'
import { area } from '../../../runtime/table/area.ts'
import { endpoint } from '../../../runtime/table/endpoint.ts'
import { file, FileOutput, stream, text } from '../../../runtime/table/answer-kinds.ts'
import type { Log } from '../../../runtime/observability/log.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { defineTable } from '../../../runtime/table/table.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeSite, startService, type World } from '../../support/world.ts'
import { until } from '../tasks/tasks.ts'

const declared = {
  summary: 'Do it',
  access: 'analytics.read',
  on: site,
  effect: 'read',
  input: {},
  examples: [{ input: { site_id: '{{site}}' } }],
} as const

/** @param seen counts streams that were begun and ended */
function tableFor(seen: { begun: number; ended: number }, authenticators: object) {
  async function* lines(until: (i: number) => boolean, pause = 0) {
    seen.begun++
    try {
      for (let i = 0; ; i++) {
        if (pause) await sleep(pause)
        if (until(i)) return
        yield Buffer.from(`line ${i}\n`)
      }
    } finally {
      seen.ended++
    }
  }
  const breaking = (i: number) => {
    if (i === 3) throw new Error('secret of the inside')
    return false
  }
  const rows = {
    lines_break: operation({
      ...declared,
      route: 'GET /sites/{site_id}/breaking',
      answers: stream('text/plain'),
      output: FileOutput,
      run: async () => ({ body: lines(breaking, 5) }),
    }),
    lines_fail: operation({
      ...declared,
      route: 'GET /sites/{site_id}/failing',
      answers: stream('text/plain'),
      output: FileOutput,
      run: async () => ({
        body: lines(() => {
          throw new Error('secret of the inside')
        }),
      }),
    }),
    lines_follow: operation({
      ...declared,
      route: 'GET /sites/{site_id}/endless',
      answers: stream('text/plain'),
      output: FileOutput,
      run: async () => ({ body: lines(() => false, 5) }),
    }),
    files_get: operation({
      ...declared,
      route: 'GET /sites/{site_id}/file',
      answers: file('text/csv'),
      output: FileOutput,
      run: async () => ({ size: 14, body: lines(i => i === 2) }),
    }),
    feeds_get: operation({
      ...declared,
      route: 'GET /sites/{site_id}/feed',
      answers: text('application/atom+xml'),
      output: Type.String({ description: 'Atom.' }),
      run: async () => '<feed/>',
    }),
    files_put: operation({
      ...declared,
      access: 'content.write',
      route: 'POST /sites/{site_id}/files',
      effect: 'update',
      accepts: 'upload',
      output: Type.String({ description: 'Done.' }),
      async prepare({ body }) {
        for await (const chunk of body) seen.begun += chunk.byteLength > 0 ? 1 : 0
        return {}
      },
      run: async () => 'done',
    }),
  }
  const hooks_take = endpoint({
    route: 'POST /hooks/blue',
    summary: 'Takes it',
    access: 'content.write',
    crossOrigin: { headers: [] },
    handle: async () => ({ status: 202 }),
  })
  return defineTable([
    area({ name: 'Rooms', description: 'Rooms.', operations: rows, endpoints: { hooks_take }, authenticators: authenticators as never }),
  ])
}

interface Raw {
  status: number | undefined
  headers: http.IncomingHttpHeaders
  text: string
  whole: boolean
}

onAnyEngine('bodies bit by bit', engine => {
  async function served(
    run: (of: {
      world: World
      logged: object[]
      seen: { begun: number; ended: number }
      ask(path: string, method?: string, headers?: object): Promise<Raw>
      port: number
    }) => Promise<void>,
  ) {
    const service = await startService(engine)
    const logged: object[] = []
    const seen = { begun: 0, ended: 0 }
    const world = await makeSite(service)
    const log = {
      ...service.app.log,
      error: (of: object) => {
        logged.push(of)
      },
      warn() {},
      info() {},
    } as unknown as Log
    const table = tableFor(seen, Object.fromEntries(service.app.table.authenticators.map(each => [each.name, each])))
    const app = createApp({ ...service.app, log, table })
    const server = serve({ fetch: createWeb(app).fetch, port: 0, hostname: '127.0.0.1' }) as http.Server
    const said: unknown[] = []
    const { error, info } = console
    console.error = console.info = (...words: unknown[]) => {
      said.push(words)
    }
    try {
      await new Promise(resolve => (server.listening ? resolve(undefined) : server.once('listening', resolve)))
      const { port } = server.address() as AddressInfo
      const ask = (path: string, method = 'GET', headers = {}) =>
        new Promise<Raw>((resolve, reject) => {
          http
            .request({ port, path, method, headers: { Authorization: `Bearer ${world.token}`, ...headers } }, response => {
              let text = ''
              const end = () => resolve({ status: response.statusCode, headers: response.headers, text, whole: response.complete })
              response
                .on('data', chunk => {
                  text += chunk
                })
                .on('end', end)
                .on('error', end)
            })
            .on('error', reject)
            .end()
        })
      await run({ world, logged, seen, ask, port })
      assert.deepEqual(said, [], 'nothing is said past the log')
    } finally {
      Object.assign(console, { error, info })
      server.closeAllConnections()
      server.close()
      await service.close()
    }
  }

  test('a stream that fails half-way ends its connection, says nothing of the inside, and is logged once', () =>
    served(async ({ world, ask, logged, seen }) => {
      const broken = await ask(`/sites/${world.ids.site}/breaking`)
      assert.deepEqual([broken.status, broken.text, broken.whole], [200, 'line 0\nline 1\nline 2\n', false])
      assert.deepEqual([logged.length, seen], [1, { begun: 1, ended: 1 }])
      await assert.rejects(
        ask(`/sites/${world.ids.site}/failing`).then(({ whole }) => {
          if (!whole) throw new Error('cut')
        }),
      )
      assert.equal(logged.length, 2)
      assert.equal((await ask(`/sites/${world.ids.site}/file`)).text, 'line 0\nline 1\n', 'the next call is answered')
    }))

  test('a client that disconnects ends the stream', () =>
    served(async ({ world, logged, seen, port }) => {
      await new Promise<void>(resolve => {
        const asked = http
          .get({ port, path: `/sites/${world.ids.site}/endless`, headers: { Authorization: `Bearer ${world.token}` } }, response => {
            response
              .once('data', () => {
                asked.destroy()
                resolve()
              })
              .on('error', () => {})
          })
          .on('error', () => {})
      })
      await until(() => seen.ended > 0)
      assert.deepEqual([seen, logged], [{ begun: 1, ended: 1 }, []])
    }))

  test('HEAD makes no bytes, and has the headers of GET', () =>
    served(async ({ world, ask, seen }) => {
      const head = await ask(`/sites/${world.ids.site}/file`, 'HEAD')
      assert.deepEqual([head.status, head.headers['content-length'], head.text], [200, '14', ''])
      await ask(`/sites/${world.ids.site}/endless`, 'HEAD')
      assert.equal(seen.begun, seen.ended)
      const [feed, of] = [await ask(`/sites/${world.ids.site}/feed`), await ask(`/sites/${world.ids.site}/feed`, 'HEAD')]
      assert.ok(feed.headers.etag)
      assert.equal(of.headers.etag, feed.headers.etag)
      assert.equal((await ask(`/sites/${world.ids.site}/feed`, 'HEAD', { 'If-None-Match': feed.headers.etag })).status, 304)
    }))

  test('an upload whose sender goes away is no fault of ours', () =>
    served(async ({ world, logged, seen, port }) => {
      const asked = http.request({
        port,
        method: 'POST',
        path: `/sites/${world.ids.site}/files`,
        headers: { Authorization: `Bearer ${world.token}`, 'Content-Length': '1000000' },
      })
      asked.on('error', () => {})
      asked.write('x'.repeat(1000))
      await until(() => seen.begun > 0)
      asked.destroy()
      await sleep(200)
      assert.deepEqual(logged, [])
    }))

  test('an endpoint asks for its permission, and its refusals are readable from any page', () =>
    served(async ({ world, ask }) => {
      const viewer = (await world.join('viewer')).token
      const refused = await ask('/hooks/blue', 'POST', { Authorization: `Bearer ${viewer}` })
      assert.deepEqual([refused.status, refused.headers['access-control-allow-origin']], [403, '*'])
      assert.match(String(refused.headers['www-authenticate']), /insufficient_scope/)
      assert.equal((await ask('/hooks/blue', 'POST', { Authorization: 'Bearer pat_wrong' })).headers['access-control-allow-origin'], '*')
      assert.equal((await ask('/hooks/blue', 'POST')).status, 202)
    }))
})
