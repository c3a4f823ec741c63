/**
 * TypeBox schemas as plain JSON Schema 2020-12, for the descriptions of operations (MCP tools, the OpenAPI file):
 *
 *   plainSchema(schema, 'input' | 'answer')   a copy without symbols and `$id`. Answers may gain fields later, so
 *                                             `additionalProperties: false` is removed from their objects
 *   requiredInputs(input)                     the fields a caller must send: required and without a default
 */
import type { TObject, TSchema } from '@sinclair/typebox'
import { orLike } from '../runtime/table/schema.ts'
import { isObject } from '../runtime/values/json.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }

/** Keywords whose value is data, and keywords whose value maps names to schemas: neither contains keywords directly. */
const data: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples'])
const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties'])
/** Keywords outside JSON Schema: a number's unit, and whether less or more is better. */
export const extensions: ReadonlySet<string> = new Set(['unit', 'better'])

export function plainSchema(schema: TSchema, use: 'input' | 'answer'): JsonSchema {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain)
    return isObject(value) ? keywords(value) : value
  }
  const schemas = (byName: JsonSchema) => Object.fromEntries(Object.entries(byName).map(([name, inner]) => [name, plain(inner)]))
  const closes = (keyword: string, value: unknown) => use === 'answer' && keyword === 'additionalProperties' && value === false
  const keywords = (node: JsonSchema): JsonSchema =>
    Object.fromEntries(
      Object.entries(orLikeAsUnion(node))
        .filter(([keyword, value]) => value !== undefined && keyword !== '$id' && !closes(keyword, value))
        .map(([keyword, value]) => {
          if (extensions.has(keyword)) return [`x-${keyword}`, value]
          if (data.has(keyword)) return [keyword, value]
          return [keyword, maps.has(keyword) && isObject(value) ? schemas(value) : plain(value)]
        }),
    )
  return keywords(schema)
}

/** A `OneOf` that also accepts texts of a form, as a union of the two. */
export function orLikeAsUnion<Node extends JsonSchema>(node: Node): Node {
  const like = node[orLike as never] as TSchema[typeof orLike]
  if (!like) return node
  const { enum: values, ...rest } = node
  const examples = [...like.examples]
  return {
    ...rest,
    anyOf: [
      { type: 'string', enum: values },
      { type: 'string', pattern: like.form.source, examples },
    ],
  } as JsonSchema as Node
}

export function requiredInputs(input: TObject): string[] {
  return (input.required ?? []).filter(name => input.properties[name]?.default === undefined)
}
