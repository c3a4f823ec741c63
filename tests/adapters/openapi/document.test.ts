/** The OpenAPI document of a small table and of the whole one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carriedBy } from '../../../adapters/surfaces.ts'
import { Type } from '@sinclair/typebox'
import { describeApi, specText } from '../../../adapters/openapi/describe.ts'
import { table } from '../../../operations/index.ts'
import { detailCodes, errors } from '../../../runtime/table/errors.ts'
import { event } from '../../../runtime/events/event.ts'
import { text } from '../../../runtime/table/answer-kinds.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { Nullable, OneOf, optional, record } from '../../../runtime/table/schema.ts'
import { area } from '../../../runtime/table/area.ts'
import { defineTable } from '../../../runtime/table/table.ts'
import { idKind } from '../../../runtime/values/ids.ts'

const Card = record(
  'Card',
  {
    id: Type.String({ description: 'Id.' }),
    note: Nullable(Type.String(), { description: 'Text.' }),
  },
  'A card.',
)
const Deck = record(
  'Deck',
  {
    top: Nullable(Card, { description: 'The first card.' }),
    cards: Type.Array(Card, { description: 'All.' }),
  },
  'A deck.',
)

const cards_list = list({
  route: 'GET /cards',
  summary: 'List cards',
  access: 'analytics.read',
  effect: 'read',
  of: Card,
  input: {
    colors: Type.Array(Type.String(), { default: [], description: 'Only these.' }),
    filters: Type.Array(Type.Array(Type.String()), { default: [], description: 'Conditions.' }),
    suit: OneOf(['hearts', 'spades'], { description: 'Only this suit.' }),
  },
  examples: [{ input: { suit: 'hearts', colors: ['red'], filters: [['country', 'is', 'DE']] } }],
  run: async () => ({ rows: [], total: 0 }),
})
const cards_make = operation({
  route: 'POST /sites/{site_id}/cards',
  summary: 'Make a deck',
  access: 'content.write',
  effect: 'create',
  output: Deck,
  surfaces: ['http'],
  path: { site_id: Type.String({ description: 'Id of the site.' }) },
  input: {
    name: Type.String({ description: 'Name.' }),
    size: Type.Integer({ default: 52, description: 'Cards in it.' }),
    note: optional(Type.String({ description: 'Text.' })),
  },
  examples: [{ summary: 'A small one', input: { site_id: '{{site}}', name: 'Skat', size: 32 } }],
  run: async () => ({ top: null, cards: [] }),
})
const cards_burn = operation({
  route: 'DELETE /cards',
  summary: 'Burn all',
  access: 'public',
  effect: 'delete',
  input: {},
  output: Card,
  examples: [{ input: {} }],
  run: async () => ({ id: '1', note: null }),
})
const cards_ask = operation({
  route: 'POST /cards/ask',
  summary: 'Ask',
  access: 'member',
  effect: 'update',
  input: {},
  output: Card,
  surfaces: ['mcp'],
  examples: [{ input: {} }],
  run: async () => ({ id: '1', note: null }),
})
const card_made = event({ type: 'card.made', summary: 'A card was made.', data: Card })
const site = { site: idKind('pa_') }
const operations = { cards_list, cards_make, cards_burn, cards_ask }
const cards = area({ name: 'Cards', description: 'Cards and decks.', operations, events: { card_made }, ids: site })
// Serialised, as readers of the file get it.
const document = JSON.parse(specText(describeApi(defineTable([cards]))))
const { paths, components } = document
const answerOf = ({ responses }: any, status: number) => responses[status].content['application/json'].schema.properties

test('an operation is found under its path with .json, by its id, with its area and permission', () => {
  const { get } = paths['/cards.json']
  assert.equal(get.operationId, 'cards_list')
  assert.deepEqual(get.tags, ['Cards'])
  assert.equal(get['x-permission'], 'analytics.read')
  assert.match(get.description, /Permission: `analytics\.read`/)
  assert.equal('security' in get, false)
  assert.equal('requestBody' in get, false)
  assert.deepEqual(document.tags, [{ name: 'Cards', description: 'Cards and decks.' }])
})

test('a public operation requires no token', () => {
  assert.deepEqual(paths['/cards.json'].delete.security, [])
  assert.deepEqual(document.security, [{ bearer: [] }])
})

test('a picture is described as what it is', () => {
  const pictures_show = operation({
    route: 'GET /picture',
    summary: 'Show it',
    access: 'public',
    effect: 'read',
    input: {},
    output: Type.String({ description: 'SVG.' }),
    answers: text('image/svg+xml'),
    examples: [{ input: {} }],
    run: async () => '<svg/>',
  })
  const { paths } = JSON.parse(
    specText(describeApi(defineTable([area({ name: 'Pictures', description: 'Pictures.', operations: { pictures_show } })]))),
  )
  assert.deepEqual(paths['/picture.json'].get.responses[200].content, {
    'image/svg+xml': { schema: { type: 'string', description: 'SVG.' } },
  })
})

test('an operation for HTTP only says so, and an operation without HTTP is absent', () => {
  assert.deepEqual(paths['/sites/{site_id}/cards.json'].post['x-surfaces'], ['http'])
  assert.match(paths['/sites/{site_id}/cards.json'].post.description, /HTTP only/)
  assert.doesNotMatch(paths['/cards.json'].get.description, /HTTP only/)
  assert.deepEqual(Object.keys(paths), ['/cards.json', '/sites/{site_id}/cards.json'])
})

test('lists of text repeat the parameter, other lists are JSON in one, and each carries its example', () => {
  const [colors, filters, suit] = paths['/cards.json'].get.parameters
  assert.deepEqual(
    [colors.style, colors.explode, colors.examples, colors.required],
    ['form', true, { example_1: { value: ['red'] } }, false],
  )
  assert.deepEqual(Object.keys(filters.content), ['application/json'])
  assert.deepEqual(filters.content['application/json'].examples, { example_1: { value: [['country', 'is', 'DE']] } })
  assert.equal('schema' in filters, false)
  assert.deepEqual([suit.required, suit.schema.enum], [true, ['hearts', 'spades']])
})

test('a body asks for what has no default, and its examples hold plausible ids in place of the test world', () => {
  const { post } = paths['/sites/{site_id}/cards.json']
  const { schema, examples } = post.requestBody.content['application/json']
  assert.deepEqual(schema.required, ['name'])
  assert.equal(schema.properties.size.default, 52)
  assert.deepEqual(examples, { example_1: { summary: 'A small one', value: { name: 'Skat', size: 32 } } })
  assert.match(post.parameters[0].examples.example_1.value, /^pa_[0-9a-z]{23}$/)
  assert.deepEqual(post.parameters[1], { $ref: '#/components/parameters/IdempotencyKey' })
})

test('a write without fields takes an empty object or nothing', () => {
  assert.deepEqual(paths['/cards.json'].delete.requestBody, { $ref: '#/components/requestBodies/NoFields' })
  assert.equal('required' in components.requestBodies.NoFields, false)
  assert.equal(components.requestBodies.NoFields.content['application/json'].schema.additionalProperties, false)
})

test('records are components that are referred to, also where they may be null', () => {
  assert.deepEqual(Object.keys(components.schemas), ['Card', 'Deck', 'ErrorDetail'])
  const { data, meta } = answerOf(paths['/cards.json'].get, 200)
  assert.deepEqual(data, { type: 'array', items: { $ref: '#/components/schemas/Card' } })
  assert.deepEqual(Object.keys(meta.properties), ['page', 'per_page', 'total', 'total_pages'])
  assert.deepEqual(answerOf(paths['/sites/{site_id}/cards.json'].post, 201).data, { $ref: '#/components/schemas/Deck' })
  assert.deepEqual(components.schemas.Deck.properties.top, {
    type: ['object', 'null'],
    anyOf: [{ $ref: '#/components/schemas/Card' }, { type: 'null' }],
    description: 'The first card.',
  })
  assert.deepEqual(components.schemas.Card.properties.note, { type: ['string', 'null'], description: 'Text.' })
})

test('every operation may answer 401, 403, 404, 422 and the rest, and every code of the registry is named once', () => {
  for (const each of [paths['/cards.json'].get, paths['/cards.json'].delete]) {
    assert.deepEqual(Object.keys(each.responses), ['200', '401', '403', '404', '422', 'default'])
  }
  const codes = Object.values<any>(components.responses).map(
    each => each.content['application/json'].schema.properties.error.properties.code,
  )
  assert.deepEqual(codes.flatMap(code => code.enum).sort(), Object.keys(errors).sort())
  for (const code of codes) assert.deepEqual(Object.keys(code['x-enumDescriptions']), code.enum)
  assert.deepEqual(components.schemas.ErrorDetail.properties.code.enum, detailCodes)
})

test('events are webhooks with their envelope and signatures', () => {
  const { post } = document.webhooks['card.made']
  const { properties, required } = post.requestBody.content['application/json'].schema
  assert.deepEqual(required, ['id', 'type', 'created_at', 'timestamp', 'workspace_id', 'site_id', 'data'])
  assert.equal(properties.type.const, 'card.made')
  assert.deepEqual(properties.data, { $ref: '#/components/schemas/Card' })
  const names = post.parameters.map(({ $ref }: any) => components.parameters[$ref.split('/').at(-1)].name)
  assert.deepEqual(names, ['Service-Signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'])
})

test('two different records with one name stop the start, and so does a reserved name', () => {
  const clash = (title: string) =>
    operation({
      route: 'GET /clash',
      summary: 'Clash',
      access: 'public',
      effect: 'read',
      input: {},
      examples: [{ input: {} }],
      output: record(title, { other: Type.String({ description: 'Other.' }) }, 'Another.'),
      run: async () => ({ other: '' }),
    })
  const withClash = (title: string) =>
    defineTable([area({ name: 'Cards', description: 'Cards.', operations: { cards_list, cards_clash: clash(title) } })])
  assert.throws(() => describeApi(withClash('Card')), /"Card"/)
  assert.throws(() => describeApi(withClash('ErrorDetail')), /"ErrorDetail"/)
  assert.doesNotThrow(() => describeApi(withClash('Else')))
})

test('every HTTP operation of the service is in the document exactly once, and nothing else is', () => {
  const whole = JSON.parse(specText(describeApi(table)))
  const found = Object.entries<object>(whole.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
  )
  const declared = [...table.operations.values()]
    .filter(row => carriedBy('http', row))
    .map(({ id, method, path }) => `${id} ${method} ${path}.json`)
  assert.deepEqual(found.sort(), declared.sort())
})

test('the document of the service has no placeholder left, and no description is missing', () => {
  const text = specText(describeApi(table))
  assert.doesNotMatch(text, /\{\{\w+\}\}/)
  assert.doesNotMatch(text, /"description": ""/)
  assert.equal(specText(describeApi(table)), text)
})

test('every schema that allows a list says what is in it, and the document names a contact, as the rules of Spectral require', () => {
  const whole = JSON.parse(specText(describeApi(table)))
  assert.ok(whole.info.contact.name)
  const without: string[] = []
  let lists = 0
  const walk = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return
    const { type, items, prefixItems } = value as Record<string, unknown>
    if ([type].flat().includes('array')) {
      lists++
      if (items === undefined && prefixItems === undefined) without.push(place)
    }
    for (const [name, inner] of Object.entries(value)) walk(inner, `${place}/${name}`)
  }
  walk(whole, '')
  assert.ok(lists > 200, String(lists))
  assert.deepEqual(without, [])
})
