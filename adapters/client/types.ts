/** TypeBox schemas as TypeScript. Records become interfaces of their own, by their titles. */
import type { TSchema } from '@sinclair/typebox'
import { orLike } from '../../runtime/table/schema.ts'
import { isObject } from '../../runtime/values/json.ts'

export interface TypeBook {
  of(schema: TSchema): string
  /** Fields of an object, a line or more each. @param required names that must be given; default: as the schema says */
  fields(properties: Readonly<Record<string, TSchema>>, required: readonly string[]): string
  /** All records so far, as exported interfaces, sorted by name. */
  declarations(): string
}

/** A record that is named like another is refused by the OpenAPI file already (openapi/schemas.ts). */
export function typeBook(): TypeBook {
  const records = new Map<string, string>()

  function of(schema: TSchema): string {
    const { title, description } = schema
    if (title === undefined || schema.type !== 'object') return inPlace(schema)
    if (!records.has(title)) {
      records.set(title, '') // its fields may refer to it
      records.set(title, `${comment([description])}export interface ${title} ${inPlace(schema)}\n`)
    }
    return title
  }

  function inPlace(schema: TSchema): string {
    const { type, enum: values, const: only, anyOf, allOf, items, properties = {}, patternProperties, additionalProperties } = schema
    if (only !== undefined) return JSON.stringify(only)
    if (Array.isArray(values))
      return [...values.map(value => JSON.stringify(value)), ...(schema[orLike] ? ['(string & {})'] : [])].join(' | ')
    if (Array.isArray(anyOf)) return [...new Set(anyOf.map(of))].join(' | ')
    if (Array.isArray(allOf)) return allOf.map(each => `(${of(each)})`).join(' & ')
    if (type === 'integer') return 'number'
    if (type === 'string' || type === 'number' || type === 'boolean' || type === 'null') return type
    if (type === 'array') return items === undefined ? 'unknown[]' : listOf(of(items))
    if (type !== 'object') return 'unknown'
    if (Object.keys(properties).length > 0) return `{\n${indented(fields(properties, schema.required ?? []))}}`
    const value: unknown = patternProperties ? Object.values(patternProperties)[0] : additionalProperties
    return `Record<string, ${isObject(value) ? of(value as TSchema) : 'unknown'}>` // schemas hold schemas
  }

  function fields(properties: Readonly<Record<string, TSchema>>, required: readonly string[]): string {
    return Object.entries(properties)
      .map(([name, schema]) => {
        const lines = [
          schema.description,
          unitOf(schema),
          schema.default !== undefined && `Default: \`${JSON.stringify(schema.default)}\`.`,
        ]
        const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
        return `${comment(lines)}${key}${required.includes(name) ? '' : '?'}: ${of(schema)}\n`
      })
      .join('')
  }

  const declarations = () =>
    [...records]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, text]) => text)
      .join('\n')
  return { of, fields, declarations }
}

/** A doc comment of the parts that say something. */
export function comment(parts: readonly (string | undefined | false)[]): string {
  const lines = parts.flatMap(part => (part ? part.replaceAll('*/', '*\\/').split('\n') : []))
  if (lines.length === 0) return ''
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map(line => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

export const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ')

const listOf = (type: string): string => (/^\w+$/.test(type) ? `${type}[]` : `(${type})[]`)
const unitOf = ({ unit, description = '' }: TSchema): string | undefined =>
  typeof unit === 'string' && !description.includes(unit) ? `Unit: ${unit}.` : undefined
