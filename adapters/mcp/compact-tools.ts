/**
 * The tools of `tools/list`. A model reads the whole list before its first question, so the list contains only the parts that
 * are needed to call a tool. It omits bounds, because a call that breaks one is refused with the reason; permissions, because
 * the list has only the tools that the token may call; and output schemas, 70 % of a list, unless they are requested.
 */
import { brief } from '../../runtime/table/schema.ts'
import type { TSchema } from '@sinclair/typebox'
import { isObject } from '../../runtime/values/json.ts'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import { extensions, type JsonSchema } from '../json-schema.ts'
import { type Annotations, annotationsOf, inputsOf, isTool, outputSchemaOf, requiredArguments } from './tools.ts'

export interface BriefTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations: Partial<Annotations>
}

/** @param operations of one list, sorted by name */
export type Listing = (operations: readonly NamedOperation[], asked: { readonly outputSchemas: boolean }) => BriefTool[]

/** Lists of the tools of a table; each is described once. */
export function listingOf(table: Table): Listing {
  const all = [...table.operations.values()].filter(isTool)
  const described = new Map(
    all.map(operation => {
      const maker = makerOf(operation, all)
      return [operation.id, { full: briefTool(operation), maker, withMaker: maker && briefTool(operation, maker) }]
    }),
  )
  return (operations, { outputSchemas }) =>
    operations.flatMap(operation => {
      const { full, maker, withMaker } = described.get(operation.id) ?? {}
      const tool = maker && operations.includes(maker) ? withMaker : full
      if (!tool) return []
      return outputSchemas ? { ...tool, outputSchema: outputSchemaOf(operation) } : tool
    })
}

/** @param maker an operation in the same list: the descriptions of its arguments are not repeated */
function briefTool(operation: NamedOperation, maker?: NamedOperation): BriefTool {
  const { id, summary, description } = operation
  const said = maker && briefInputs(maker)
  let repeats = false
  const properties = Object.entries(briefInputs(operation)).map(([name, schema]) => {
    if (schema.description === undefined || said?.[name]?.description !== schema.description) return [name, schema]
    repeats = true
    return [name, undescribed(schema)]
  })
  const required = requiredArguments(operation)
  return Object.freeze({
    name: id,
    description: [`${summary}.`, description, repeats && `Arguments as in ${maker?.id}.`].filter(Boolean).join(' '),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    annotations: briefAnnotations(annotationsOf(operation)),
  })
}

/** The operation that creates the record that this one changes: their arguments are the same. */
function makerOf(operation: NamedOperation, operations: readonly NamedOperation[]): NamedOperation | undefined {
  if (operation.method !== 'PATCH') return undefined
  return operations.find(({ area, effect, output }) => effect === 'create' && area === operation.area && output === operation.output)
}

function briefInputs(operation: NamedOperation): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(inputsOf(operation)).map(([name, schema]) => [name, briefSchema(clearable(operation, schema))]))
}

/** `null` clears a field of an existing record. When a record is created, it equals omitting the field. */
function clearable({ method }: NamedOperation, schema: TSchema): TSchema {
  if (method === 'PATCH' || !schema.anyOf) return schema
  const variants = (schema.anyOf as readonly TSchema[]).filter(({ type, const: only }) => type !== 'null' && only !== '')
  const [only] = variants
  if (!only || variants.length > 1) return schema
  const { anyOf: _, ...own } = schema
  return { ...only, ...own }
}

function undescribed({ description: _, ...schema }: JsonSchema): JsonSchema {
  const inside = (value: unknown): unknown => (isObject(value) ? undescribed(value) : value)
  const { properties, items, anyOf } = schema
  return {
    ...schema,
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, inside(inner)])),
    }),
    ...(items !== undefined && { items: inside(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(inside) }),
  }
}

/** Omits hints that equal the defaults of the protocol (MCP 2025-11-25, ToolAnnotations). */
function briefAnnotations({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: Annotations): Partial<Annotations> {
  if (readOnlyHint) return { readOnlyHint, openWorldHint }
  return { ...(!destructiveHint && { destructiveHint }), ...(idempotentHint && { idempotentHint }), openWorldHint }
}

/** Keywords that bound a value, or that say what the field's description says. */
const bounds: ReadonlySet<string> = new Set([
  '$id',
  'title',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'pattern',
  'additionalProperties',
  'patternProperties',
  ...extensions,
])

function briefSchema(schema: TSchema): JsonSchema {
  const own = schema[brief]
  if (!own) return withoutBounds(schema)
  const { description: _, ...rest } = withoutBounds(schema)
  return { ...rest, ...own }
}

/** Follows plainSchema (json-schema.ts): `properties` maps names to schemas, `patternProperties` maps patterns to schemas. */
function withoutBounds(node: JsonSchema): JsonSchema {
  const kept: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(node)) {
    if (value === undefined || bounds.has(keyword)) continue
    if ((keyword === 'properties' || keyword === 'patternProperties') && isObject(value)) {
      kept[keyword] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]))
    } else if (keyword === 'anyOf' && Array.isArray(value)) kept.anyOf = value.filter(variant => variant.const !== '').map(plain)
    else if (keyword === 'items') kept.items = plain(value)
    else if (keyword !== 'default' || isTelling(value)) kept[keyword] = value
  }
  return kept
}

const plain = (value: unknown): unknown => (isObject(value) ? briefSchema(value as TSchema) : value) // inside a schema there are only schemas

/** Omits the defaults `false` and `[]`, which a reader expects of an omitted argument. */
const isTelling = (value: unknown): boolean => value !== false && !(Array.isArray(value) && value.length === 0)
