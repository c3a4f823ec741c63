/** One operation of the table as an OpenAPI operation. */
import type { TSchema } from '@sinclair/typebox'
import type {
  ExamplesObject,
  HeaderObject,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  RequestBodyObject,
  ResponseObject,
  SchemaObject,
} from 'openapi3-ts/oas31'
import type { Authenticator } from '../../runtime/table/authenticator.ts'
import { type InputKind, isEnvelope } from '../../runtime/table/answer-kinds.ts'
import type { Access, Effect } from '../../runtime/table/access.ts'
import type { Permission } from '../../runtime/table/permissions.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { deprecationOf } from '../deprecation.ts'
import { requiredInputs } from '../json-schema.ts'
import { carriedBy, surfacesOf } from '../surfaces.ts'
import { refusals } from './errors.ts'
import { exampleName, unnamed } from './example-names.ts'
import type { SchemaBook } from './schemas.ts'

export const idempotencyKey: ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A key of yours. A repetition with the same key and input within 24 hours answers as the first did.',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
}

export const ifMatchHeader: ParameterObject = {
  name: 'If-Match',
  in: 'header',
  description:
    'The ETag of the record as you read it, or a list of them. If callers have changed it since, the answer is 412, and nothing is done.',
  schema: { type: 'string' },
}

/** Headers of operations on a record that can be changed. */
export const entityTag: HeaderObject = {
  description: 'The version of the record: send it as `If-Match` with a change, or as `If-None-Match` with the next read.',
  schema: { type: 'string', pattern: '^"[\\x21\\x23-\\x7e]+"$' },
}

/** The headers for versions in the file; empty unless the operation answers or changes a record that can be changed. */
export interface Versions {
  readonly takes: boolean
  readonly answers: boolean
}

/** The body of operations without fields, which may be omitted. */
export const noFields: RequestBodyObject = {
  description: 'This operation takes no fields: send an empty object, or nothing.',
  content: { 'application/json': { schema: { type: 'object', additionalProperties: false } } },
}

export function describeOperation(operation: NamedOperation, book: SchemaBook, versions: Versions): OperationObject {
  return {
    operationId: operation.id,
    tags: [operation.section],
    summary: operation.summary,
    ...(operation.deprecated && { deprecated: true }),
    description: descriptionOf(operation),
    'x-permission': operation.access,
    'x-surfaces': surfacesOf(operation),
    ...(operation.offered && { 'x-offered': operation.offered }),
    ...(operation.access === 'public' && { security: operation.credential ? [{ [operation.credential.name]: [] }] : [] }),
    parameters: parametersOf(operation, book, versions),
    ...(operation.method !== 'GET' && { requestBody: bodyOf(operation, book) }),
    responses: { [operation.status]: answerOf(operation, book, versions), ...refusals },
  }
}

function descriptionOf(operation: NamedOperation): string {
  const { description, access, needs, credential, answers, rate } = operation
  return [
    deprecationOf(operation),
    description,
    credential ? `Permission: none; it is called with a \`${shownAs(credential)}\` token.` : permissionIn(access, needs),
    !isEnvelope(answers) && 'The answer has no envelope `{ data, meta }`.',
    rate === 'costly' && 'It counts against a tighter rate limit.',
    !carriedBy('mcp', operation) && 'HTTP only: it is not an MCP tool.',
  ]
    .filter(Boolean)
    .join('\n\n')
}

const shownAs = ({ sentAs }: Authenticator): string => ('bearer' in sentAs ? `${sentAs.bearer}…` : sentAs.cookie)

function permissionIn(access: Access, needs: readonly Permission[]): string {
  switch (access) {
    case 'public':
      return 'Permission: none; public.'
    case 'member':
      return 'Permission: any token of the workspace.'
    case 'session':
      return 'Permission: none; a signed-in person, by the cookie of the session.'
    case 'account':
      return 'Permission: any token; to change something, one that is not restricted to sites.'
    default:
      return `Permission: ${[access, ...needs].map(name => `\`${name}\``).join(' and ')}.`
  }
}

function parametersOf(operation: NamedOperation, book: SchemaBook, { takes }: Versions): (ParameterObject | ReferenceObject)[] {
  const { method, access, pathInput, input } = operation
  const asked = requiredInputs(input)
  const parameter = (place: 'path' | 'query', name: string, schema: TSchema) => {
    const required = place === 'path' || asked.includes(name)
    return parameterOf({ named: { name, in: place, required }, schema, examples: examplesOf(operation, name), book })
  }
  const query: [string, TSchema][] = method === 'GET' || operation.accepts === 'upload' ? Object.entries(input.properties) : []
  const repeatable = (method === 'POST' || method === 'PATCH') && access !== 'public'
  return [
    ...Object.entries(pathInput).map(([name, schema]) => parameter('path', name, schema)),
    ...query.map(([name, schema]) => ({ ...parameter('query', name, schema), name: operation.wireFormat?.names[name] ?? name })),
    ...(repeatable ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(takes ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
  ]
}

interface ParameterOf {
  readonly named: Pick<ParameterObject, 'name' | 'in' | 'required'>
  readonly schema: TSchema
  /** By the names that the examples of the body have. */
  readonly examples: ExamplesObject
  readonly book: SchemaBook
}

/** Lists of text repeat the parameter; other lists are JSON in one parameter (docs/decisions.md §1). */
function parameterOf({ named, schema, examples, book }: ParameterOf): ParameterObject {
  const { description, ...rest } = schema
  const about = { ...named, description }
  const shown = { schema: book.of(rest), ...(Object.keys(examples).length > 0 && { examples }) }
  if (rest.type !== 'array') return { ...about, ...shown }
  if (rest.items.type === 'string') return { ...about, style: 'form', explode: true, ...shown }
  return { ...about, content: { 'application/json': shown } }
}

/** The media type that each kind of input is sent as. */
const sentAs: Readonly<Record<InputKind, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  upload: 'application/octet-stream',
}

function bodyOf({ input, pathInput, examples, accepts }: NamedOperation, book: SchemaBook): RequestBodyObject | ReferenceObject {
  if (accepts === 'upload') return { required: true, content: { [sentAs.upload]: { schema: { type: 'string', format: 'binary' } } } }
  if (Object.keys(input.properties).length === 0) return { $ref: '#/components/requestBodies/NoFields' }
  const { required: _, ...fields } = input
  const required = requiredInputs(input)
  // Unknown fields are refused. Fields of the record that cannot be changed are ignored, so that a record can be sent back.
  const schema = book.of({ ...fields, ...(required.length > 0 && { required }), additionalProperties: false })
  const shown: ExamplesObject = Object.fromEntries(
    examples.map(({ summary = unnamed, input }, i) => {
      const body = Object.fromEntries(Object.entries(input).filter(([name]) => !Object.hasOwn(pathInput, name)))
      return [exampleName(i), { summary, value: body }]
    }),
  )
  return { required: required.length > 0, content: { [sentAs[accepts]]: { schema, examples: shown } } }
}

function examplesOf({ examples }: NamedOperation, name: string): ExamplesObject {
  return Object.fromEntries(
    examples.flatMap(({ summary, input }, i) =>
      input[name] === undefined ? [] : [[exampleName(i), { ...(summary !== undefined && { summary }), value: input[name] }]],
    ),
  )
}

const outcomes: Readonly<Record<Effect, string>> = {
  read: 'The answer.',
  create: 'Made.',
  update: 'Done.',
  delete: 'Done.',
}

function answerOf(operation: NamedOperation, book: SchemaBook, { answers: isTagged }: Versions): ResponseObject {
  const { effect, output, meta, answers } = operation
  if (answers.kind === 'redirect') {
    return { description: 'Elsewhere.', headers: { Location: { schema: { type: 'string' }, description: output.description } } }
  }
  if (!isEnvelope(answers)) {
    const type = 'type' in answers ? answers.type : 'application/json'
    return { description: outcomes[effect], content: { [type]: { schema: book.of(output) } } }
  }
  const schema: SchemaObject = {
    type: 'object',
    required: ['data', 'meta'],
    properties: {
      data: book.of(output),
      meta: book.of(meta),
    },
  }
  const headers = isTagged && { headers: { ETag: { $ref: '#/components/headers/ETag' } } }
  return { description: outcomes[effect], ...headers, content: { 'application/json': { schema } } }
}
