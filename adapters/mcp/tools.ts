/** Operations as MCP tools. The root of a schema is a plain object: several clients reject the whole list otherwise. */
import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'
import { fieldWords } from '../../runtime/ui/words.ts'
import { mayBeLeftOut } from '../../runtime/call/complete-path.ts'
import { deprecationOf } from '../deprecation.ts'
import { carriedBy } from '../surfaces.ts'
import { type JsonSchema, plainSchema, requiredInputs } from '../json-schema.ts'

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly annotations: Annotations
}

export interface Annotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  /** Whether a host or a person outside of this service may notice the call. */
  readonly openWorldHint: boolean
}

/** Every tool in full, sorted by name: the content of `spec/tools.json`. The list of `tools/list` is shorter (compact-tools.ts). */
export function describeTools(table: Table): Tool[] {
  return [...table.operations.values()].filter(isTool).sort(byId).map(describe)
}

export function isTool(operation: NamedOperation): boolean {
  return carriedBy('mcp', operation)
}

export function byId(a: NamedOperation, b: NamedOperation): number {
  return a.id < b.id ? -1 : 1
}

function describe(operation: NamedOperation): Tool {
  const { id, summary, description } = operation
  const sentences = [`${summary}.`, deprecationOf(operation), description, needsOf(operation)]
  return Object.freeze({
    name: id,
    title: summary,
    description: sentences.filter(Boolean).join(' '),
    inputSchema: inputSchema(Type.Object(inputsOf(operation)), requiredArguments(operation)),
    outputSchema: outputSchemaOf(operation),
    annotations: annotationsOf(operation),
  })
}

/** Path and input are one flat object over MCP. */
export function inputsOf({ pathInput, input }: NamedOperation): Record<string, TSchema> {
  return { ...pathInput, ...input.properties }
}

/** Required arguments. Over MCP the site and the workspace may be omitted if there is only one (complete-path.ts). */
export function requiredArguments(operation: NamedOperation): string[] {
  const inPath = Object.keys(operation.pathInput).filter(name => !mayBeLeftOut(operation, name))
  return [...inPath, ...requiredInputs(operation.input)]
}

export function outputSchemaOf({ output, meta }: NamedOperation): JsonSchema {
  return outputSchema(plainSchema(output, 'answer'), plainSchema(meta, 'answer'))
}

/**
 * One flat object without further properties, so that a misspelt argument is refused. Clients show the titles of its arguments to people;
 * they are the labels of forms: `site_id` → `Site`.
 */
export function inputSchema(input: TObject, required = requiredInputs(input)): JsonSchema {
  const properties = Object.entries(input.properties).map(([name, field]) => [name, { ...field, title: fieldWords(name) }])
  const { required: _, ...schema } = plainSchema({ ...input, properties: Object.fromEntries(properties) }, 'input')
  return { ...schema, ...(required.length > 0 ? { required } : {}), additionalProperties: false }
}

/** Nothing is `required`: SDK 1.x also validates failures, which have `error` instead, against this schema. */
export function outputSchema(data: JsonSchema, meta: JsonSchema): JsonSchema {
  const error = { type: 'object', description: 'Instead of data, where the call failed: code, message and details.' }
  return { type: 'object', properties: { data, meta, error } }
}

function needsOf({ access, effect, needs }: NamedOperation): string {
  switch (access) {
    case 'public':
      return 'Needs no permission.'
    case 'member':
      return 'Any token of the workspace may.'
    case 'session':
      return 'Needs a signed-in person.'
    case 'account':
      return effect === 'read' ? 'Any token may.' : 'Any token may that is not restricted to sites.'
    default:
      return `Needs the permission ${[access, ...needs].join(', and ')}.`
  }
}

/**
 * Repeating a PATCH or DELETE changes nothing more; repeating a POST (mute for an hour, rotate a secret) may. A PATCH replaces
 * values, which the protocol calls destructive: only additions are not (MCP 2025-11-25, ToolAnnotations).
 */
export function annotationsOf({ effect, method, discards, contacts }: NamedOperation): Annotations {
  return {
    readOnlyHint: effect === 'read',
    destructiveHint: discards,
    idempotentHint: effect === 'read' || effect === 'delete' || method === 'PATCH',
    openWorldHint: contacts,
  }
}
