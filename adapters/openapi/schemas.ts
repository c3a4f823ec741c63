/** TypeBox schemas in OpenAPI 3.1: records become named components, everything else is written in place. */
import type { TSchema } from '@sinclair/typebox'
import type { ReferenceObject, SchemaObject } from 'openapi3-ts/oas31'
import { extensions, orLikeAsUnion } from '../json-schema.ts'

export type Described = SchemaObject | ReferenceObject

export interface SchemaBook {
  /** A schema with a `title` is a record: it becomes a component of that name, and the result refers to it. */
  of(schema: TSchema): Described
  /** All records so far, sorted by name. */
  components(): Record<string, SchemaObject>
}

/** `of` throws an Error when two different records have one name, or a schema has no plain form. */
export function schemaBook(): SchemaBook {
  const records = new Map<string, SchemaObject>()

  function of(schema: TSchema): Described {
    const plain = inPlace(schema)
    if (schema.title === undefined) return plain
    if (plain.additionalProperties === false) delete plain.additionalProperties // a record may gain fields later
    const known = records.get(schema.title) ?? plain
    if (shape(known) !== shape(plain)) throw new Error(`Two different records are both named "${schema.title}"`)
    records.set(schema.title, known)
    // A reference may have its own description (OpenAPI 3.1 §4.8.23).
    const own = plain.description !== known.description && { description: plain.description }
    return { $ref: `#/components/schemas/${schema.title}`, ...own }
  }

  function inPlace(schema: TSchema): SchemaObject {
    const { properties, items, additionalItems: _, anyOf, allOf, patternProperties, additionalProperties, ...rest } = orLikeAsUnion(schema)
    if (rest.$ref !== undefined) throw new Error(`A schema refers to "${rest.$ref}" by id: declare it in place`)
    // TypeBox represents a map as one pattern that matches every key.
    const values: unknown = patternProperties ? Object.values(patternProperties)[0] : additionalProperties
    const isAny = Object.keys(schema).every(keyword => keyword === 'description')
    return {
      ...(isAny && { type: anyType, items: {} }),
      ...Object.fromEntries(Object.entries(rest).map(([keyword, value]) => [extensions.has(keyword) ? `x-${keyword}` : keyword, value])),
      ...(properties && { properties: each(properties) }),
      ...(Array.isArray(items) ? { prefixItems: items.map(of) } : items && { items: of(items) }),
      ...(anyOf && union(anyOf.map(of))),
      ...(allOf && { allOf: allOf.map(of) }),
      ...(isSchema(values) && { additionalProperties: of(values) }),
      ...(typeof values === 'boolean' && { additionalProperties: values }),
      ...(rest.description !== undefined && { description: rest.description }),
    }
  }

  function each(properties: Readonly<Record<string, TSchema>>): Record<string, Described> {
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, of(schema)]))
  }

  const components = () => Object.fromEntries([...records].sort(([a], [b]) => (a < b ? -1 : 1)))
  return { of, components }
}

/** `T | null` becomes a list of types if T is a plain one; other unions stay unions. */
function union(variants: readonly Described[]): SchemaObject {
  const [one, other, ...more] = variants
  const orNull = other && isPlain(other) && other.type === 'null' && more.length === 0
  if (orNull && one && isPlain(one) && typeof one.type === 'string' && one.const === undefined) {
    return { ...one, type: [one.type, 'null'], ...(one.enum && { enum: [...one.enum, null] }) }
  }
  const types = new Set(variants.flatMap(typesOf))
  // Spectral requires `items` wherever `type` has `array`. Here the variants describe the items.
  return { ...(!types.has(undefined) && { type: typeList(types), ...(types.has('array') && { items: {} }) }), anyOf: [...variants] }
}

type TypeName = Extract<SchemaObject['type'], string>
/** Adds a type to a schema even if it follows from its variants: readers of the document expect one. Components are records. */
function typesOf(schema: Described): readonly (TypeName | undefined)[] {
  if (!isPlain(schema)) return ['object']
  return Array.isArray(schema.type) ? schema.type : [schema.type]
}
function typeList(types: ReadonlySet<TypeName | undefined>): TypeName | TypeName[] {
  const named = [...types].filter(type => type !== undefined)
  const [only] = named
  return only !== undefined && named.length === 1 ? only : named
}
/** The types of a schema that allows any value. */
const anyType: TypeName[] = ['null', 'boolean', 'string', 'number', 'object', 'array']

function isPlain(schema: Described): schema is SchemaObject {
  return schema.$ref === undefined
}

function isSchema(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null
}

function shape({ description: _, ...schema }: SchemaObject): string {
  return JSON.stringify(schema)
}
