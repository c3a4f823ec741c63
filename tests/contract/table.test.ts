/** The table without a database: rules for every declaration, and the errors for faulty ones. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from '@sinclair/typebox'
import { table } from '../../operations/index.ts'
import { carriedBy } from '../../adapters/surfaces.ts'
import { type Area, area } from '../../runtime/table/area.ts'
import { authenticator } from '../../runtime/table/authenticator.ts'
import { checkTables } from '../../runtime/table/check-tables.ts'
import { event } from '../../runtime/events/event.ts'
import { idKind } from '../../runtime/values/ids.ts'
import { text } from '../../runtime/table/answer-kinds.ts'
import { counter } from '../../runtime/observability/metrics.ts'
import { operation } from '../../runtime/table/operation.ts'
import { isPermission } from '../../runtime/table/permissions.ts'
import { setting, whole } from '../../runtime/settings/setting.ts'
import { locked, subject } from '../../runtime/table/subject.ts'
import { defineTable, type Table } from '../../runtime/table/table.ts'
import { task } from '../../runtime/table/task.ts'
import { onAnyEngine } from '../support/engines.ts'

describe('every row', () => {
  for (const row of table.operations.values()) {
    test(`${row.id} is whole`, () => {
      assert.match(row.summary, /^[A-Z].*[^.]$/, 'a summary is a sentence without its stop')
      assert.ok(isPermission(row.access) || ['member', 'account', 'session', 'public'].includes(row.access))
      assert.equal(row.status, row.effect === 'create' ? 201 : 200)
      assert.ok(row.examples.length > 0)
      assert.ok(carriedBy('http', row))
      if (row.wireFormat) return // its names are those of the protocol
      for (const [name, property] of Object.entries(row.input.properties))
        assert.match(name, /^[a-z][a-z0-9_]*$/, `${name} is snake_case: ${property.description}`)
    })
  }
})

describe('a wrong declaration stops the start with its name', () => {
  const thing = subject({ name: 'thing', find: async () => undefined })
  const badge = authenticator({
    name: 'badge',
    sentAs: { bearer: 'bdg_' },
    acceptedBy: 'name',
    find: async () => undefined,
    callerOf: () => {
      throw new Error('nobody')
    },
  })
  const right = {
    route: 'GET /things/{id}',
    summary: 'Get a thing',
    access: 'analytics.read',
    on: thing,
    effect: 'read',
    input: {},
    output: Type.Object({}),
    examples: [{ input: { id: 'pa_1' } }],
    run: async () => ({}),
  } as const
  const start =
    (...rows: Array<ReturnType<typeof operation>>) =>
    () =>
      defineTable([
        area({
          name: 'Things',
          description: 'Things.',
          operations: Object.fromEntries(rows.map((row, i) => [['things_get', 'things_find', 'things_see'][i] ?? '', row])),
        }),
      ])

  test('the right one does not', () => assert.doesNotThrow(start(operation(right))))
  const wrong: ReadonlyArray<readonly [string, RegExp, Parameters<typeof start>]> = [
    [
      'two rows with one route',
      /things_find: GET \/things\/\{id\} is already the route of things_get/,
      [operation(right), operation(right)],
    ],
    [
      'a route that differs only in the name of a parameter',
      /is already the route of things_get/,
      [operation(right), operation({ ...right, route: 'GET /things/{thing_id}', examples: [{ input: { thing_id: 'x' } }] })],
    ],
    [
      'an input that collides with a path parameter',
      /things_get: input "id" collides/,
      [operation({ ...right, input: { id: Type.String({ description: 'x' }) } })],
    ],
    [
      'an example that fails its schema',
      /things_get: example 0: limit must be an integer/,
      [operation({ ...right, input: { limit: Type.Integer({ description: 'x' }) }, examples: [{ input: { id: 'pa_1', limit: 'many' } }] })],
    ],
    [
      'an example with a field that is not there',
      /example 0 has the unknown field "nope"/,
      [operation({ ...right, examples: [{ input: { id: 'pa_1', nope: 1 } }] })],
    ],
    [
      'an example without its path parameter',
      /example 0 lacks the path parameter "id"/,
      [operation({ ...right, examples: [{ input: {} }] })],
    ],
    ['no example', /has no example/, [operation({ ...right, examples: [] })]],
    [
      'a missing description',
      /input "limit" has no description/,
      [operation({ ...right, input: { limit: Type.Integer() }, examples: [{ input: { id: 'pa_1', limit: 1 } }] })],
    ],
    [
      'a field of the answer without description',
      /field "name" of the answer has no description/,
      [operation({ ...right, output: Type.Object({ name: Type.String() }), run: async () => ({ name: '' }) })],
    ],
    ['no summary', /has no summary/, [operation({ ...right, summary: '' })]],
    ['a method that does not go with the effect', /GET does not fit the effect "update"/, [operation({ ...right, effect: 'update' })]],
    [
      'a token of its own beside API tokens',
      /asks for a credential of its own \(badge\), so its access must be "public"/,
      [operation({ ...right, credential: badge })],
    ],
    [
      'a picture that is no text',
      /answers image\/svg\+xml, so its output must be a string/,
      [operation({ ...right, answers: text('image/svg+xml') })],
    ],
    ['a form that a GET cannot have', /accepts a form, so its method must not be GET/, [operation({ ...right, accepts: 'form' })]],
    [
      'an upload that is stored inside of the transaction',
      /must have a `prepare` that stores it/,
      [operation({ ...right, route: 'POST /things/{id}', effect: 'update', accepts: 'upload' })],
    ],
    [
      'a subject that cannot be locked',
      /asks for a locked "thing", but that subject has no `lock`/,
      [operation({ ...right, on: locked(thing) })],
    ],
    [
      'a subject the path does not name',
      /does not name the subject "thing"/,
      [operation({ ...right, route: 'GET /things', examples: [{ input: {} }] })],
    ],
  ]
  for (const [what, message, rows] of wrong) test(what, () => assert.throws(start(...rows), message))
})

describe('areas that do not go together stop the start with both names', () => {
  const thing = event({ type: 'thing.made', summary: 'A thing was made.', data: Type.Object({}) })
  const tick = task({ name: 'things_count', summary: 'Counts things', every: 1, lease: 1, run: async () => {} })
  const size = setting({ default: '1', description: 'Size of things', ...whole(1, 9) })
  const read = operation({
    route: 'GET /things',
    summary: 'List things',
    access: 'public',
    effect: 'read',
    input: {},
    output: Type.Object({}),
    examples: [{ input: {} }],
    run: async () => ({}),
  })
  const put = { ...read, path: '/others' }
  const made = counter('Things made.')
  const ids = { thing: idKind('thg_') }
  const two = (one: Partial<Area>, other: Partial<Area>) => () =>
    defineTable([area({ name: 'Things', description: 'Things.', ...one }), area({ name: 'Others', description: 'Others.', ...other })])

  const clashes: ReadonlyArray<readonly [string, () => Table, RegExp]> = [
    [
      'operations of one name',
      two({ operations: { things_list: read } }, { operations: { things_list: put } }),
      /things_list: two areas declare an operation of this name, Things and Others/,
    ],
    [
      'operations of one name in two modules of an area',
      two({ operations: [{ things_list: read }, { things_list: put }] }, {}),
      /things_list: two areas declare an operation of this name, Things and Things/,
    ],
    [
      'events of one name',
      two({ events: { thing } }, { events: { thing } }),
      /thing: two areas declare an event of this name, Things and Others/,
    ],
    ['events of one type', two({ events: { thing } }, { events: { other: thing } }), /event thing\.made: is declared twice/],
    ['tasks of one name', two({ tasks: { tick } }, { tasks: { tick } }), /tick: two areas declare a task of this name, Things and Others/],
    [
      'settings of one name',
      two({ settings: { SIZE: size } }, { settings: { SIZE: size } }),
      /SIZE: two areas declare a setting of this name, Things and Others/,
    ],
    ['a setting of the runtime’s name', two({ settings: { PORT: size } }, {}), /setting PORT: the runtime has a setting of this name/],
    [
      'meters of one name',
      two({ meters: { made } }, { meters: { made } }),
      /made: two areas declare a meter of this name, Things and Others/,
    ],
    ['kinds of ids of one name', two({ ids }, { ids }), /thing: two areas declare a kind of id of this name, Things and Others/],
    [
      'kinds of ids that begin alike',
      two({ ids }, { ids: { other: idKind('thg_') } }),
      /kind of id other: thing has its prefix thg_ already/,
    ],
    ['a table of both', two({ tables: ['notes'] }, { tables: ['notes'] }), /table notes: two areas write it, Things and Others/],
    [
      'rows of another that expire',
      two({}, { expiring: [{ table: 'notes', key: ['id'], from: 'created_at', afterMs: 1 }] }),
      /area Others: lets rows of notes expire, which is not one of its tables/,
    ],
    ['one name', two({}, { name: 'Things' }), /area Things: is declared twice/],
    ['a section that is no area', two({ section: 'Nowhere' }, {}), /area Things: its section "Nowhere" is not an area/],
  ]
  for (const [what, start, message] of clashes) {
    test(what, () => assert.throws(start, (thrown: Error) => message.test(thrown.message) && thrown.stack === thrown.message))
  }

  test('examples that are left out are named, not a TypeError', () => {
    const { examples: _, ...bare } = read
    assert.throws(two({ operations: { things_list: bare as typeof read } }, {}), /things_list: has no example/)
  })
})

onAnyEngine('a table that no migration makes', engine => {
  test('stops the start with its name and its area', async () => {
    const { store, drop } = await engine.create()
    await checkTables(store, table)
    const forgetful = area({ name: 'Things', description: 'Things.', tables: ['things' as 'notes'] })
    await assert.rejects(
      checkTables(store, { areas: [forgetful] }),
      /^Error: The database has no table things \(Things\): no step in storage/,
    )
    await drop()
  })
})
