/**
 * The commands, one for each operation, from the OpenAPI file: reading it takes milliseconds, and a call needs nothing else
 * of the service.
 */
import type { TSchema } from '@sinclair/typebox'
import type {
  ExamplesObject,
  MediaTypeObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  SchemaObject,
} from 'openapi3-ts/oas31'
import { exampleName, unnamed } from '../openapi/example-names.ts'
import { plainWords } from './common-flags.ts'

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
  readonly examples: readonly CommandExample[]
  /** The schema of the JSON answer; undefined for other answers. */
  readonly answer: SchemaObject | undefined
  /** The schema that a reference leads to; any other schema as it is. */
  resolve(schema: SchemaObject | ReferenceObject): SchemaObject
}

export interface CommandExample {
  /** Undefined unless it says more than the summary of the command. */
  readonly summary: string | undefined
  readonly input: Readonly<Record<string, unknown>>
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
    const content = operation.requestBody && whole(operation.requestBody, requestBodies).content['application/json']
    const body = content?.schema && whole<SchemaObject>(content.schema, schemas)
    const { 200: done, 201: made } = operation.responses ?? {}
    const answer: SchemaObject | undefined = (done ?? made ?? {}).content?.['application/json']?.schema
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
      examples: examplesOf(parameters, content),
      answer,
      resolve: schema => whole<SchemaObject>(schema, schemas),
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

const exampleNames = Array.from({ length: 50 }, (_, i) => exampleName(i))

/** Examples by name, each with its values of the path, the query and the body. */
function examplesOf(parameters: readonly ParameterObject[], body: MediaTypeObject | undefined): CommandExample[] {
  const inputs = new Map<string, { summary: string | undefined; input: Record<string, unknown> }>()
  const add = (examples: ExamplesObject = {}, put: (value: unknown) => Readonly<Record<string, unknown>>) => {
    for (const [name, given] of Object.entries(examples)) {
      if ('$ref' in given) continue
      const { input, summary } = inputs.get(name) ?? { input: {}, summary: undefined }
      inputs.set(name, {
        summary: summary ?? (given.summary === unnamed ? undefined : given.summary),
        input: { ...input, ...put(given.value) },
      })
    }
  }
  for (const { name, examples, content } of parameters)
    add(examples ?? content?.['application/json']?.examples, value => ({ [name]: value }))
  add(body?.examples, value => ({ ...(value as object) }))
  // An example without values is in none of these places.
  const last = Math.max(1, ...[...inputs.keys()].map(name => exampleNames.indexOf(name) + 1))
  return exampleNames.slice(0, last).map(name => inputs.get(name) ?? { summary: undefined, input: {} })
}

/** Like isCalledByClients (surfaces.ts), from the fields of the file. */
function isCallable({ requestBody, responses, 'x-permission': access }: OperationObject & { 'x-permission'?: unknown }): boolean {
  const takesJson = requestBody === undefined || '$ref' in requestBody || requestBody.content['application/json'] !== undefined
  return access !== 'session' && takesJson && responses?.['303'] === undefined
}

const flagOf = (name: string): string => name.replaceAll('_', '-')

/** `webhook_deliveries_list` → `webhook-deliveries list` */
const nameOf = (id: string): string => id.replace(/_(?=[^_]+$)/, ' ').replaceAll('_', '-')

/** @returns the command that the first words name, and all words but these; `alerts_create` is one word */
export function commandIn(
  commands: readonly Command[],
  words: readonly string[],
): { command: Command; rest: readonly string[] } | undefined {
  const plain = plainWords(words).slice(0, 6)
  for (let taken = plain.length; taken > 0; taken--) {
    const places = new Set(plain.slice(0, taken))
    const id = words
      .filter((_, at) => places.has(at))
      .join('_')
      .replaceAll('-', '_')
    const command = commands.find(each => each.id === id)
    if (command) return { command, rest: words.filter((_, at) => !places.has(at)) }
  }
  return amongFlags(commands, words)
}

/** `--period 7d stats aggregate`, `stats --period 7d aggregate`: flags of the command itself precede its last word. */
function amongFlags(commands: readonly Command[], words: readonly string[]): ReturnType<typeof commandIn> {
  const end = words.indexOf('--')
  const plain = [...words.slice(0, end === -1 ? 30 : Math.min(end, 30)).entries()].filter(([, word]) => !word.startsWith('-'))
  const placesOf = (name: string): readonly number[] | undefined => {
    const places: number[] = []
    for (const part of name.split(' ')) {
      const [at] = plain.find(([at, word]) => at > (places.at(-1) ?? -1) && word === part) ?? []
      if (at === undefined) return undefined
      places.push(at)
    }
    return words[0]?.startsWith('-') || places[0] === 0 ? places : undefined
  }
  const found = commands.flatMap(command => {
    const places = placesOf(command.name)
    return places ? [{ command, places }] : []
  })
  const [nearest] = found.sort((a, b) => (a.places.at(-1) ?? 0) - (b.places.at(-1) ?? 0))
  return nearest && { command: nearest.command, rest: words.filter((_, at) => !nearest.places.includes(at)) }
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
