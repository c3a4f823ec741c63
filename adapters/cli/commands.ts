/**
 * The commands, one for each operation, from the OpenAPI file: reading it takes milliseconds, and a call needs nothing else
 * of the service.
 */
import type { TSchema } from '@sinclair/typebox'
import type { OpenAPIObject, OperationObject, ParameterObject, ReferenceObject, SchemaObject } from 'openapi3-ts/oas31'

export interface Field {
  /** Name in the API: `site_id`. */
  readonly name: string
  /** Name of the flag, without the dashes: `site-id`. */
  readonly flag: string
  readonly schema: SchemaObject
  readonly description: string
  readonly required: boolean
  readonly inPath: boolean
}

export interface Command {
  readonly id: string
  /** The words of the command: `webhook-deliveries list`. */
  readonly name: string
  readonly section: string
  readonly summary: string
  readonly description: string
  /** The route for the client's core: `GET /sites/{site_id}`. */
  readonly route: string
  readonly isList: boolean
  readonly fields: readonly Field[]
}

const methods = ['get', 'post', 'patch', 'delete'] as const

/** All operations but those that need a session of a browser. */
export function commandsOf(document: OpenAPIObject): Command[] {
  const { schemas = {}, parameters: shared = {}, requestBodies = {} } = document.components ?? {}
  const whole = <T extends object>(given: T | ReferenceObject, from: Readonly<Record<string, T | ReferenceObject>>): T => {
    const at = '$ref' in given ? from[given.$ref.split('/').at(-1) ?? ''] : given
    if (at === undefined || '$ref' in at) throw new Error('The OpenAPI file refers to what it does not have')
    const description = '$ref' in given ? given.description : undefined
    return description === undefined ? at : { ...at, description }
  }
  const fieldOf = (
    name: string,
    given: SchemaObject | ReferenceObject,
    of: { required: boolean; inPath: boolean; description?: string },
  ): Field => {
    const schema = whole<SchemaObject>(given, schemas)
    return { name, flag: flagOf(name), schema, ...of, description: of.description ?? schema.description ?? '' }
  }
  const commandOf = (path: string, method: string, operation: OperationObject): Command => {
    const parameters = (operation.parameters ?? []).map(each => whole<ParameterObject>(each, shared)).filter(each => each.in !== 'header')
    const content = operation.requestBody && whole(operation.requestBody, requestBodies).content['application/json']?.schema
    const body = content && whole<SchemaObject>(content, schemas)
    const answer: ReferenceObject | SchemaObject | undefined = (operation.responses?.['200'] ?? {}).content?.['application/json']?.schema
    const meta = answer && 'properties' in answer && answer.properties?.meta
    return {
      id: operation.operationId ?? '',
      name: nameOf(operation.operationId ?? ''),
      section: operation.tags?.[0] ?? '',
      summary: operation.summary ?? '',
      description: operation.description ?? '',
      route: `${method.toUpperCase()} ${path.replace(/\.json$/, '')}`,
      isList: typeof meta === 'object' && 'properties' in meta && meta.properties?.total_pages !== undefined,
      fields: [
        ...parameters.map(({ name, schema, content, required = false, description, in: place }) => {
          const given = schema ?? content?.['application/json']?.schema ?? {}
          return fieldOf(name, given, { required, inPath: place === 'path', ...(description !== undefined && { description }) })
        }),
        ...Object.entries(body?.properties ?? {}).map(([name, schema]) =>
          fieldOf(name, schema, { required: body?.required?.includes(name) === true, inPath: false }),
        ),
      ],
    }
  }
  return Object.entries(document.paths ?? {})
    .flatMap(([path, item]) =>
      methods.flatMap(method => {
        const operation = item[method]
        return operation && isCallable(operation) ? [commandOf(path, method, operation)] : []
      }),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Like isCalledByClients (surfaces.ts), from the fields of the file. */
function isCallable({ requestBody, responses, 'x-permission': access }: OperationObject & { 'x-permission'?: unknown }): boolean {
  const takesJson = requestBody === undefined || '$ref' in requestBody || requestBody.content['application/json'] !== undefined
  return access !== 'session' && takesJson && responses?.['303'] === undefined
}

const flagOf = (name: string): string => name.replaceAll('_', '-')

/** `webhook_deliveries_list` → `webhook-deliveries list` */
const nameOf = (id: string): string => id.replace(/_(?=[^_]+$)/, ' ').replaceAll('_', '-')

/** @returns the command that the first words name, and how many they are; `alerts_create` is one word */
export function commandIn(commands: readonly Command[], words: readonly string[]): { command: Command; taken: number } | undefined {
  const named = words.findIndex(word => word.startsWith('-'))
  const most = Math.min(named < 0 ? words.length : named, 6)
  for (let taken = most; taken > 0; taken--) {
    const id = words.slice(0, taken).join('_').replaceAll('-', '_')
    const command = commands.find(each => each.id === id)
    if (command) return { command, taken }
  }
  return undefined
}

/** The types that a field's schema allows, without `null`. */
export function typesOf({ type, anyOf = [] }: SchemaObject): string[] {
  const own = Array.isArray(type) ? type : type === undefined ? [] : [type]
  return [...new Set([...own, ...anyOf.flatMap(each => ('$ref' in each ? ['object'] : typesOf(each)))])].filter(each => each !== 'null')
}

export function isNullable({ type, anyOf = [] }: SchemaObject): boolean {
  return [type].flat().includes('null') || anyOf.some(each => !('$ref' in each) && each.type === 'null')
}

/** The values of a field, if they can be listed. */
export function choicesOf({ enum: own, items, anyOf = [] }: SchemaObject): string[] {
  const within = [...(items ? [items] : []), ...anyOf].flatMap(each => ('$ref' in each ? [] : choicesOf(each)))
  return [...(own ?? []).filter(each => each !== null).map(String), ...within]
}

/** For `decode`, which knows one type. */
export function schemaOfType(schema: SchemaObject, type: string): TSchema {
  const variant = schema.anyOf?.find(each => !('$ref' in each) && [each.type].flat().includes(type as 'string')) ?? schema
  return { ...variant, type } as unknown as TSchema // both are JSON Schema; only type, enum, format and items are read
}
