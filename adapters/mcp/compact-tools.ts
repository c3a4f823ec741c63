/**
 * The tools of `tools/list`. A model reads the whole list before its first question, so the list contains only the parts that
 * are needed to call a tool. It omits bounds, because a call that breaks one is refused with the reason; permissions, because
 * the list has only the tools that the token may call; `additionalProperties: false`, because a call with an unknown argument
 * is refused with the nearest one; and output schemas, 70 % of a list, unless they are requested.
 */
import { brief } from '../../runtime/table/schema.ts'
import type { TSchema } from '@sinclair/typebox'
import { isObject } from '../../runtime/values/json.ts'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import { fieldWords } from '../../runtime/ui/words.ts'
import { deprecationOf } from '../deprecation.ts'
import { extensions, type JsonSchema } from '../json-schema.ts'
import { type Annotations, annotationsOf, inputsOf, isTool, outputSchemaOf, requiredArguments } from './tools.ts'

export interface BriefTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations: Partial<Annotations>
}

/** @param operations of one list, sorted by name */
export type Listing = (operations: readonly NamedOperation[], asked: { readonly outputSchemas: boolean }) => BriefTool[]

/** Lists of the tools of a table; each is described once. */
export function listingOf(table: Table): Listing {
  const described = new Map([...table.operations.values()].filter(isTool).map(operation => [operation.id, briefTool(operation)]))
  return (operations, { outputSchemas }) =>
    operations.flatMap(operation => {
      const tool = described.get(operation.id)
      if (!tool) return []
      return outputSchemas ? { ...tool, outputSchema: outputSchemaOf(operation) } : tool
    })
}

function briefTool(operation: NamedOperation): BriefTool {
  const { id, summary, description, method } = operation
  const required = requiredArguments(operation)
  const inputs = Object.entries(inputsOf(operation)).map(([name, schema]) => [
    name,
    { title: fieldWords(name), ...briefSchema(schema, { clears: method === 'PATCH' }) },
  ])
  return Object.freeze({
    name: id,
    title: titleOf(summary),
    description: [`${summary}.`, deprecationOf(operation), description].filter(Boolean).join(' '),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(inputs),
      ...(required.length > 0 && { required }),
    },
    annotations: briefAnnotations(annotationsOf(operation)),
  })
}

const maxTitleLength = 48
/** For people; the description begins with the whole summary. `Create a goal: a page or event that …` → `Create a goal` */
export function titleOf(summary: string): string {
  const [first = summary] = summary.split(/[:?] /)
  return first.length > maxTitleLength ? (first.split(', ')[0] ?? first) : first
}

/** Omits hints that equal the defaults of the protocol (MCP 2025-11-25, ToolAnnotations). */
function briefAnnotations({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: Annotations): Partial<Annotations> {
  const world = { ...(!openWorldHint && { openWorldHint }) }
  if (readOnlyHint) return { readOnlyHint, ...world }
  return { ...(!destructiveHint && { destructiveHint }), ...(idempotentHint && { idempotentHint }), ...world }
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

interface Brief {
  /** Whether `null` clears a field of an existing record. When a record is created, it equals omitting the field. */
  readonly clears: boolean
}

function briefSchema(schema: TSchema, use: Brief): JsonSchema {
  const own = schema[brief]
  const { description, ...rest } = withoutBounds(use.clears ? schema : withoutNull(schema), use)
  return { ...rest, ...(description !== undefined && { description }), ...own }
}

/** The schema of the other values, for a field that may also be null or empty. */
function withoutNull(schema: TSchema): TSchema {
  const variants: readonly TSchema[] = schema.anyOf ?? []
  const [only, ...others] = variants.filter(({ type, const: value }) => type !== 'null' && value !== '')
  if (!only || others.length > 0) return schema
  const { anyOf: _, ...own } = schema
  return { ...only, ...own }
}

/** Follows plainSchema (json-schema.ts): `properties` maps names to schemas, `patternProperties` maps patterns to schemas. */
function withoutBounds(node: JsonSchema, use: Brief): JsonSchema {
  const inner = (value: unknown): unknown => (isObject(value) ? briefSchema(value as TSchema, use) : value) // inside a schema there are only schemas
  const kept: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(node)) {
    if (value === undefined || bounds.has(keyword)) continue
    if ((keyword === 'properties' || keyword === 'patternProperties') && isObject(value)) {
      kept[keyword] = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each)]))
    } else if (keyword === 'anyOf' && Array.isArray(value))
      kept.anyOf = value.filter(variant => variant.const !== '').map(each => undescribed(inner(each)))
    else if (keyword === 'items') kept.items = node.description === undefined ? inner(value) : undescribed(inner(value))
    else if (keyword !== 'default' || isTelling(value)) kept[keyword] = value
  }
  return kept
}

/** The field itself is described. */
function undescribed(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const { description: _, ...rest } = schema
  return rest
}

/** Omits defaults that a reader expects of an omitted argument. */
const expected: ReadonlySet<unknown> = new Set([false, 1, 'none', 'auto', ''])
const isTelling = (value: unknown): boolean => !expected.has(value) && !(Array.isArray(value) && value.length === 0)
