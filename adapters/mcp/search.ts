/**
 * Two tools for the whole table: `tools_search` finds operations and describes the arguments of one; `tools_call` calls it.
 * `?mode=search` has only these, for clients that accept only a few. `?toolsets=everyday` has them for all that it does not list.
 */
import { type TObject, Type } from '@sinclair/typebox'
import { clipped } from '../../runtime/values/clip.ts'
import { withoutBlanks } from '../../runtime/call/blank-arguments.ts'
import { refuseManyFields, withinBounds } from '../../runtime/call/input-bounds.ts'
import { fail, failWith, type Fault } from '../../runtime/table/errors.ts'
import { isObject } from '../../runtime/values/json.ts'
import { escaped } from '../../runtime/values/pointer.ts'
import { optional } from '../../runtime/table/schema.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { faultsOf, withDefaults } from '../../runtime/table/validate.ts'
import { deprecationOf } from '../deprecation.ts'
import type { JsonSchema } from '../json-schema.ts'
import { shown } from './message.ts'
import type { Offer } from './tool-selection.ts'
import type { BriefTool } from './compact-tools.ts'
import { rank } from './relevance.ts'
import { inputSchema } from './tools.ts'

const searchInput = Type.Object({
  query: Type.String({ default: '', maxLength: 200, description: 'The task in plain words. If empty, every tool is listed by name.' }),
  limit: Type.Integer({ default: 5, minimum: 1, maximum: 50, description: 'Maximum number of tools.' }),
  name: optional(Type.String({ maxLength: 100, description: 'Name of a tool, instead of a query. Returns its arguments.' })),
})
const callInput = Type.Object({
  name: Type.String({ maxLength: 100, description: 'Name of the tool, as tools_search returns it.' }),
  arguments: optional(
    Type.Object({}, { additionalProperties: true, description: 'Arguments of the tool, as tools_search returns them for its `name`.' }),
  ),
})

/** Without it, a model takes the list for all there is, and answers that Footfall cannot do the rest. */
const beyondEveryDay =
  ' For example retention, attribution, single visits and people, erasing visits, traffic rules, exports, shared links and settings.'

export function searchTools({ readonly, search }: Offer): BriefTool[] {
  return [
    {
      name: 'tools_call',
      title: 'Call a tool',
      description: "Calls a tool that tools_search found. The answer is the tool's own.",
      inputSchema: inputSchema(callInput),
      annotations: readonly ? { readOnlyHint: true, openWorldHint: false } : {},
    },
    {
      name: 'tools_search',
      title: 'Find tools',
      description: `Finds${search ? '' : ' further'} tools by task, best first, in your own words; with \`name\`, returns the arguments of one tool.${search ? '' : beyondEveryDay}`,
      inputSchema: inputSchema(searchInput),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
  ]
}

/**
 * @param listed describes one tool as a list of tools does
 * @throws Failure `invalid_json`, `validation_failed`
 */
export function search(
  operations: readonly NamedOperation[],
  given: unknown,
  listed: (operation: NamedOperation) => BriefTool | undefined,
) {
  const { query, limit, name } = checked(searchInput, given)
  if (name !== undefined) return { data: [argumentsOf(operations, name, listed)], meta: { total: 1 } }
  const ranked = query.trim() === '' ? [...operations] : rank(operations, query)
  const data = ranked
    .slice(0, limit)
    .map(operation => ({ name: operation.id, description: clipped(whatItDoes(operation), maxDescriptionLength) }))
  return { data, meta: { total: ranked.length } }
}

/** Most characters of a description, so that an answer with ten stays under 3 KB. */
const maxDescriptionLength = 200
const whatItDoes = (operation: NamedOperation): string =>
  [`${operation.summary}.`, deprecationOf(operation), operation.description].filter(Boolean).join(' ')

function argumentsOf(
  operations: readonly NamedOperation[],
  name: string,
  listed: (operation: NamedOperation) => BriefTool | undefined,
): { name: string; description: string | undefined; input_schema: JsonSchema | undefined } {
  const operation = operations.find(({ id }) => id === name)
  const tool = operation && listed(operation)
  if (!tool) failWith([{ pointer: '/name', code: 'not_found', message: noTool(name) }])
  return { name, description: tool?.description, input_schema: tool?.inputSchema }
}

const noTool = (name: string): string => `There is no tool ${shown(name)} here; tools_search finds tools.`

/** The operation that a `tools_call` names. @throws Failure `invalid_json`, `validation_failed` */
export function calledBySearch(offer: Offer, given: unknown): { operation: NamedOperation; args: unknown } {
  const { name, arguments: args } = checked(callInput, given)
  const operation = offer.searched?.find(({ id }) => id === name)
  if (!operation) return fail('validation_failed', undefined, { details: [{ pointer: '/name', code: 'not_found', message: noTool(name) }] })
  return { operation, args }
}

function checked<T extends TObject>(schema: T, given: unknown): T['static'] {
  if (!isObject(given)) fail('invalid_json', 'The arguments must be a JSON object.')
  refuseManyFields(given)
  const { input, unknown } = withDefaults(schema, withoutBlanks(schema, given, { changes: false }))
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
