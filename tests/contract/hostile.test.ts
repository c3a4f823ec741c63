/** Every operation with hostile input, over both surfaces: never a 5xx, always the envelope, nothing changed. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { carriedBy } from '../../adapters/surfaces.ts'
import { isEnvelope } from '../../runtime/table/answer-kinds.ts'
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import fc from '../support/properties.ts'
import { table } from '../../operations/index.ts'
import { detailCodes, errors } from '../../runtime/table/errors.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { onAnyEngine } from '../support/engines.ts'
import { isFull, someOf } from '../support/full.ts'
import { callTool } from '../support/mcp.ts'
import {
  callHttp,
  fill,
  makeWorld,
  ownPage,
  type Reply,
  request,
  startService,
  type TestService,
  tokenOf,
  type World,
} from '../support/world.ts'

const deep: unknown = JSON.parse('['.repeat(500) + ']'.repeat(500))
const junk: readonly unknown[] = [
  deep,
  null,
  true,
  -1,
  1e308,
  0.5,
  '',
  ' ',
  'x'.repeat(5_000),
  '\u0000',
  '\ud800',
  '\u202e',
  "' or 1=1 --",
  '{{site}}',
  [],
  [null],
  [[]],
  {},
  { a: { b: [1] } },
  ['a'.repeat(2_000)],
  Array.from({ length: 500 }, (_, i) => i),
  '2026-02-30',
  '__proto__',
  9007199254740993,
]

/**
 * The values for a field. A normal run sends every twelfth value that the schema lets through to the handler, and every 48th that
 * the schema refuses, which is the same code for all. Each field begins at another one, so over the table each kind of field
 * gets all of them. Every second field of a row is sent by MCP as well, which has the same checks.
 */
let fields = 0
function junkFor(schema: TSchema): readonly (readonly [number, unknown])[] {
  const from = fields++
  return [...junk.entries()].filter(([i, value]) => isFull || (i + from) % (Value.Check(schema, value) ? 12 : 48) === 0)
}

/** Bodies that are no JSON object. Rows of a normal run take turns. */
const bodies = ['{', '[]', '"x"', 'null', '1', '{"a":', '\u0000']
let turns = 0
function bodiesFor(): readonly string[] {
  const turn = turns++
  return bodies.filter((_, i) => isFull || (i + turn) % 4 === 0)
}

/** Rows that get bodies of megabytes as well: what reads bodies is the same for all. */
const largeBodies = new Set(
  someOf(
    [...table.operations.values()].filter(({ method }) => method !== 'GET'),
    20,
  ),
)

/** What the first engine's calls were refused for by the schema alone: no database has a part in it, so it is sent once. */
const refused = new Set<string>()

onAnyEngine('hostile input', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
  })
  after(() => service.close())

  for (const row of table.operations.values()) {
    // Deletions get an unknown id, so that the world stays.
    const ids = row.effect === 'delete' ? Object.keys(row.pathInput).filter(name => name === 'id' || row.path.endsWith(`{${name}}`)) : []
    const ofObject = ids.length > 0
    const input = (): Record<string, unknown> => ({
      ...fill(row.examples[0]?.input ?? {}, world),
      ...Object.fromEntries(ids.map(name => [name, 'gone'])),
    })

    test(`${row.id}: each field with each wrong value`, async () => {
      const valid = input()
      for (const [at, [name, schema]] of Object.entries<TSchema>(row.input.properties).entries()) {
        for (const [i, value] of junkFor(schema)) {
          const args = { ...valid, [name]: value }
          const [overHttp, overMcp] = [`${row.id} ${name} ${i} http`, `${row.id} ${name} ${i} mcp`]
          if (!refused.has(overHttp)) {
            const http = await callHttp(service, row, args, tokenOf(world, row))
            envelope(row, http)
            if (isRefused(row, args, http.body?.error)) refused.add(overHttp)
          }
          if (carriedBy('mcp', row) && !refused.has(overMcp) && (isFull || at % 2 === 0)) {
            const mcp = await callTool(service, row.id, args, world.token)
            assert.ok(mcp.status < 500 && (mcp.body.error || 'data' in mcp.body), JSON.stringify(mcp.body))
            if (mcp.fault) assert.equal(mcp.fault.code, -32700, 'too much JSON to be read at all')
            else if (mcp.body.error) assert.ok(errors[mcp.body.error.code as keyof typeof errors].status < 500, JSON.stringify(mcp.body))
            if (isRefused(row, args, mcp.body.error)) refused.add(overMcp)
          }
        }
      }
    })

    const required: readonly string[] = row.input.required?.filter(name => row.input.properties[name]?.default === undefined) ?? []
    if (required.length > 0) {
      test(`${row.id}: every missing field is named at once`, async () => {
        const args = Object.fromEntries(Object.entries(input()).filter(([name]) => name in row.pathInput))
        if (ofObject) return
        const { status, body } = await callHttp(service, row, args, tokenOf(world, row))
        assert.equal(status, 422)
        const missing = body.error.details
          .filter((detail: { code: string }) => detail.code === 'required')
          .map((detail: { pointer: string }) => detail.pointer)
        assert.deepEqual(missing.sort(), required.map(name => `/${name}`).sort())
      })
    }

    if (row.method !== 'GET') {
      test(`${row.id}: a body that is no JSON object`, async () => {
        const path = pathOf(row, input())
        const send = (body: string, headers: Record<string, string> = {}) =>
          request(service, row.method, path, { token: tokenOf(world, row), body, headers: { ...ownPage, ...headers } })
        const expected = ofObject ? 404 : 422
        const isLarge = largeBodies.has(row)
        const nested = `{"name":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
        for (const body of [...(isLarge ? [nested] : []), ...bodiesFor()]) {
          const answer = await send(body)
          envelope(row, answer)
          assert.equal(answer.status, expected, `${body}: ${answer.text}`)
        }
        if (ofObject) return
        assert.equal((await send('{}', { 'Content-Type': 'text/plain' })).status, 415)
        if (isLarge) assert.equal((await send(`{"a":"${'x'.repeat(1024 * 1024)}"}`)).status, 413)
        if (row.wireFormat) return // protocols have extensions
        const unknown = await send('{"no_such_field":1,"__proto__":{"a":1}}')
        assert.ok(
          unknown.body.error.details.some(
            (detail: { code: string; pointer: string }) => detail.code === 'unknown_field' && detail.pointer === '/no_such_field',
          ),
          unknown.text,
        )
      })
    }
  }

  test('anything at all as the arguments of any tool', async () => {
    const ids = [...table.operations.values()].filter(row => carriedBy('mcp', row) && row.effect === 'read').map(row => row.id)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ids), fc.jsonValue(), async (id, args) => {
        const { status, body } = await callTool(service, id, args, world.token)
        assert.ok(status < 500)
        assert.notEqual(body.error?.code, 'internal_error', JSON.stringify(body))
      }),
      { numRuns: 200 },
    )
  })
})

function isRefused(row: NamedOperation, args: Readonly<Record<string, unknown>>, error: { code: string } | undefined): boolean {
  return error?.code === 'validation_failed' && !Value.Check(row.input, args)
}

function envelope(row: NamedOperation, { status, body, text }: Reply): void {
  assert.ok(status < 500, `${row.id}: ${text}`)
  if (status < 400) return assert.ok(!isEnvelope(row.answers) || 'data' in body)
  assert.deepEqual(Object.keys(body).slice(row.wireFormat ? -1 : 0), ['error'])
  const { code, message, details } = body.error
  assert.equal(errors[code as keyof typeof errors]?.status, status)
  assert.ok(message.length > 0)
  for (const detail of details) {
    assert.ok(
      ['path', 'query', 'body', 'header'].includes(detail.in) &&
        detail.pointer.startsWith('/') &&
        detailCodes.includes(detail.code) &&
        detail.message.length > 0,
      text,
    )
  }
}

function pathOf(row: NamedOperation, input: Readonly<Record<string, unknown>>): string {
  return row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name]))) + '.json'
}
