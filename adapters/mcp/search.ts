/**
 * `?mode=search`: two tools for the whole table, for clients that can only take few. `tools_search` finds operations,
 * `tools_call` calls one.
 */
import { type TObject, Type } from '@sinclair/typebox'
import { refuseManyFields, withinBounds } from '../../runtime/bounds.ts'
import { fail, failWith, type Fault } from '../../runtime/errors.ts'
import { isObject } from '../../runtime/json.ts'
import { escaped } from '../../runtime/pointer.ts'
import { optional } from '../../runtime/schema.ts'
import type { NamedOperation } from '../../runtime/table.ts'
import { faultsOf, withDefaults } from '../../runtime/validate.ts'
import { shown } from './message.ts'
import type { Offer } from './offer.ts'
import { inputSchema, outputSchema, type Tool } from './tools.ts'

const searchInput = Type.Object({
  query: Type.String({ default: '', maxLength: 200, description: 'Words to look for; empty: every tool, by name.' }),
  limit: Type.Integer({ default: 10, minimum: 1, maximum: 50, description: 'Tools at most.' }),
})
const callInput = Type.Object({
  name: Type.String({ maxLength: 100, description: 'Name of the tool, as tools_search gives it.' }),
  arguments: optional(Type.Object({}, { additionalProperties: true, description: 'What its input_schema asks for.' })),
})

const found = {
  type: 'array',
  description: 'What was found, best first.',
  items: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Name to call it by.' },
      summary: { type: 'string', description: 'What it does.' },
      description: { type: 'string', description: 'More about it, and the permission it needs.' },
      input_schema: { type: 'object', description: 'JSON Schema of its arguments.' },
    },
  },
}

const foundMeta = { type: 'object', properties: { total: { type: 'integer', description: 'Tools that match.' } } }
const anyAnswer = { description: 'What the tool answers.' }
const anyMeta = { type: 'object', description: 'Paging, or what was applied.' }

export function searchTools({ readonly }: Offer): Tool[] {
  return [
    {
      name: 'tools_call',
      title: 'Call a tool',
      description: "Calls a tool that tools_search found. The answer is the tool's own.",
      inputSchema: inputSchema(callInput),
      outputSchema: outputSchema(anyAnswer, anyMeta),
      annotations: { readOnlyHint: readonly, destructiveHint: !readonly, idempotentHint: readonly, openWorldHint: false },
    },
    {
      name: 'tools_search',
      title: 'Find tools',
      description: 'Finds tools by what they do, best first, with the schema of their arguments.',
      inputSchema: inputSchema(searchInput),
      outputSchema: outputSchema(found, foundMeta),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
  ]
}

/** @throws Failure `invalid_json`, `validation_failed` */
export function search(operations: readonly NamedOperation[], given: unknown, tools: ReadonlyMap<string, Tool>) {
  const { query, limit } = checked(searchInput, given)
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const ranked = operations
    .map(operation => ({ operation, score: words.reduce((sum, word) => sum + relevance(operation, word), 0) }))
    .filter(({ score }) => score > 0 || words.length === 0)
    .sort((a, b) => b.score - a.score) // stable: equals stay sorted by name
  const data = ranked.slice(0, limit).map(({ operation: { id, summary } }) => ({
    name: id,
    summary,
    description: tools.get(id)?.description,
    input_schema: tools.get(id)?.inputSchema,
  }))
  return { data, meta: { total: ranked.length } }
}

/** The operation a `tools_call` is for. @throws Failure `invalid_json`, `validation_failed` */
export function calledBySearch(offer: Offer, given: unknown): { operation: NamedOperation; args: unknown } {
  const { name, arguments: args } = checked(callInput, given)
  const operation = offer.find(name)
  const message = `There is no tool ${shown(name)} here; tools_search finds tools.`
  if (!operation) return fail('validation_failed', undefined, [{ pointer: '/name', code: 'not_found', message }])
  return { operation, args }
}

/** Weighted by the term's place: highest in the name, lowest in the fields. A final `s` is ignored. */
function relevance({ id, summary, description, area, pathInput, input }: NamedOperation, word: string): number {
  const stem = word.length > 3 ? word.replace(/s$/, '') : word
  const fields = Object.keys({ ...pathInput, ...input.properties }).join(' ')
  const places: ReadonlyArray<readonly [number, string]> = [
    [6, id],
    [4, summary],
    [3, area],
    [2, description ?? ''],
    [1, fields],
  ]
  return places.reduce((sum, [weight, text]) => sum + (text.toLowerCase().includes(stem) ? weight : 0), 0)
}

function checked<T extends TObject>(schema: T, given: unknown): T['static'] {
  if (!isObject(given)) fail('invalid_json', 'The arguments must be a JSON object.')
  refuseManyFields(given)
  const { input, unknown } = withDefaults(schema, given)
  const { faults, rest } = withinBounds(schema.properties, input)
  const names = Object.keys(schema.properties).join(', ')
  failWith([
    ...faults,
    ...(faults.length > 0 ? [] : faultsOf(schema, rest)),
    ...unknown.map(
      (name): Fault => ({
        pointer: `/${escaped(name)}`,
        code: 'unknown_field',
        message: `${shown(name)} is not a field here; fields are ${names}.`,
      }),
    ),
  ])
  return input
}
