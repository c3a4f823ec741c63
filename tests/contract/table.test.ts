/** The table as a whole, without a database: what every row must be, and what a wrong one does. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from '@sinclair/typebox'
import { table } from '../../operations/index.ts'
import { carriedBy } from '../../adapters/surfaces.ts'
import { authenticator } from '../../runtime/authenticator.ts'
import { text } from '../../runtime/kinds.ts'
import { operation } from '../../runtime/operation.ts'
import { isPermission } from '../../runtime/permissions.ts'
import { locked, subject } from '../../runtime/subject.ts'
import { area, defineTable } from '../../runtime/table.ts'

describe('every row', () => {
  for (const row of table.operations.values()) {
    test(`${row.id} is whole`, () => {
      assert.match(row.summary, /^[A-Z].*[^.]$/, 'a summary is a sentence without its stop')
      assert.ok(isPermission(row.access) || ['member', 'account', 'public'].includes(row.access))
      assert.equal(row.status, row.effect === 'create' ? 201 : 200)
      assert.ok(row.examples.length > 0)
      assert.ok(carriedBy('http', row))
      for (const [name, property] of Object.entries(row.input.properties)) assert.match(name, /^[a-z][a-z0-9_]*$/, `${name} is snake_case: ${property.description}`)
    })
  }
})

describe('a wrong declaration stops the start with its name', () => {
  const thing = subject({ name: 'thing', kind: 'site', find: async () => undefined })
  const badge = authenticator({ name: 'badge', shown: { bearer: 'bdg_' }, taken: 'asked', find: async () => undefined, callerOf: () => { throw new Error('nobody') } })
  const right = {
    route: 'GET /things/{id}', summary: 'Get a thing', access: 'analytics.read', on: thing, effect: 'read', input: {},
    output: Type.Object({}), examples: [{ input: { id: 'pa_1' } }], run: async () => ({}),
  } as const
  const start = (...rows: Array<ReturnType<typeof operation>>) => () => defineTable([area('Things', 'Things.', Object.fromEntries(rows.map((row, i) => [['things_get', 'things_find', 'things_see'][i] ?? '', row])))])

  test('the right one does not', () => assert.doesNotThrow(start(operation(right))))
  const wrong: ReadonlyArray<readonly [string, RegExp, Parameters<typeof start>]> = [
    ['two rows with one route', /things_find: GET \/things\/\{id\} is already things_get/, [operation(right), operation(right)]],
    ['a route that differs only in the name of a parameter', /is already things_get/, [operation(right), operation({ ...right, route: 'GET /things/{thing_id}', examples: [{ input: { thing_id: 'x' } }] })]],
    ['an input that collides with a path parameter', /things_get: input "id" collides/, [operation({ ...right, input: { id: Type.String({ description: 'x' }) } })]],
    ['an example that fails its schema', /things_get: example 0: limit must be an integer/, [operation({ ...right, input: { limit: Type.Integer({ description: 'x' }) }, examples: [{ input: { id: 'pa_1', limit: 'many' } }] })]],
    ['an example with a field that is not there', /example 0 has the unknown field "nope"/, [operation({ ...right, examples: [{ input: { id: 'pa_1', nope: 1 } }] })]],
    ['an example without its path parameter', /example 0 lacks the path parameter "id"/, [operation({ ...right, examples: [{ input: {} }] })]],
    ['no example', /has no example/, [operation({ ...right, examples: [] })]],
    ['a missing description', /input "limit" has no description/, [operation({ ...right, input: { limit: Type.Integer() }, examples: [{ input: { id: 'pa_1', limit: 1 } }] })]],
    ['a field of the answer without description', /field "name" of the answer has no description/, [operation({ ...right, output: Type.Object({ name: Type.String() }), run: async () => ({ name: '' }) })]],
    ['no summary', /has no summary/, [operation({ ...right, summary: '' })]],
    ['a method that does not go with the effect', /GET does not go with the effect "update"/, [operation({ ...right, effect: 'update' })]],
    ['a token of its own beside API tokens', /asks for a credential of its own \(badge\), so its access is "public"/, [operation({ ...right, credential: badge })]],
    ['a picture that is no text', /answers image\/svg\+xml, so its output is a string/, [operation({ ...right, answers: text('image/svg+xml') })]],
    ['a form that a GET cannot have', /accepts a form, so it is no GET/, [operation({ ...right, accepts: 'form' })]],
    ['an upload that is stored inside of the transaction', /has a `prepare` that stores it/, [operation({ ...right, route: 'POST /things/{id}', effect: 'update', accepts: 'upload' })]],
    ['a subject that cannot be locked', /asks for "thing" locked, which its subject cannot be/, [operation({ ...right, on: locked(thing) })]],
    ['a subject the path does not name', /does not name the subject "thing"/, [operation({ ...right, route: 'GET /things', examples: [{ input: {} }] })]],
  ]
  for (const [what, message, rows] of wrong) test(what, () => assert.throws(start(...rows), message))
})
