/** Error responses: one for each status that every operation may answer, and `default` for the others. */
import type { HeaderObject, ReferenceObject, ResponseObject, SchemaObject } from 'openapi3-ts/oas31'
import { detailCodes, type DetailCode, type ErrorCode, errors } from '../../runtime/table/errors.ts'

const text = { type: 'string' } as const
export const errorHeaders = {
  'X-Request-Id': { description: 'Id of this request, to find it in the log.', schema: text },
  'WWW-Authenticate': { description: 'How to authenticate, or what is missing (RFC 6750 §3).', schema: text },
  'Retry-After': { description: 'Seconds to wait before trying again.', schema: { type: 'integer' } },
  RateLimit: { description: 'Remaining requests of the limit, and the time until it is reset (IETF draft).', schema: text },
  Allow: { description: 'Methods this path answers.', schema: text },
} as const satisfies Record<string, HeaderObject>

interface Refusal {
  /** `default` is every status that has no row of its own. */
  readonly status: '401' | '403' | '404' | '422' | 'default'
  readonly name: string
  readonly description: string
  readonly headers?: readonly (keyof typeof errorHeaders)[]
}

const refused: readonly Refusal[] = [
  {
    status: '401',
    name: 'Unauthorized',
    headers: ['WWW-Authenticate'],
    description: 'The token is missing, unknown, expired or revoked.',
  },
  {
    status: '403',
    name: 'Forbidden',
    headers: ['WWW-Authenticate'],
    description: 'The token may not do this, or not from here.',
  },
  {
    status: '404',
    name: 'NotFound',
    description: 'Nothing this caller may see. A foreign and an unknown id answer alike.',
  },
  {
    status: '422',
    name: 'Unprocessable',
    description: 'The input is not valid, or the state does not allow this. Every fault of the input is in `details`.',
  },
  {
    status: 'default',
    name: 'TransportError',
    headers: ['RateLimit', 'Retry-After', 'Allow'],
    description:
      'Not taken: wrong method or media type, too large, too many requests, a fault on our side, or nothing can be kept for now.',
  },
]

/** The components. */
export const errorResponses: Readonly<Record<string, ResponseObject>> = Object.fromEntries(
  refused.map(refusal => [refusal.name, response(refusal)]),
)

/** The error responses of every operation, by status. */
export const refusals: Readonly<Record<string, ReferenceObject>> = Object.fromEntries(
  refused.map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
)

const meanings: Readonly<Record<DetailCode, string>> = {
  required: 'It is missing.',
  unknown_field: 'There is no such field here.',
  invalid_type: 'It has another type.',
  invalid_format: 'It does not have the form that is asked for.',
  not_in_enum: 'It is none of the values that are allowed.',
  too_small: 'The number is too small.',
  too_large: 'The number is too large.',
  too_short: 'The text or list is too short.',
  too_long: 'The text is too long.',
  too_many_items: 'The list is too long.',
  not_found: 'The id names nothing that this caller may see.',
  mismatch: 'It does not go with another field.',
  permission_required: 'The caller lacks a permission that this value needs.',
}

export const errorDetail: SchemaObject = {
  title: 'ErrorDetail',
  description: 'One fault of an input.',
  type: 'object',
  required: ['in', 'pointer', 'code', 'message'],
  properties: {
    in: { ...text, enum: ['path', 'query', 'body', 'header'], description: 'Part of the request it is in.' },
    pointer: { ...text, description: 'Where it is there: a JSON Pointer (RFC 6901).' },
    code: { ...text, enum: [...detailCodes], description: 'Kind of the fault.', 'x-enumDescriptions': meanings },
    message: { ...text, description: 'Says what failed, the received value and the accepted values.' },
  },
}

function response({ status, description, headers = [] }: Refusal): ResponseObject {
  const codes = Object.keys(errors)
    .filter(isCode)
    .filter(code => rowOf(errors[code].status) === status)
  const code: SchemaObject = {
    ...text,
    enum: codes,
    description: 'Kind of the error.',
    'x-enumDescriptions': Object.fromEntries(codes.map(each => [each, errors[each].message])),
  }
  const details: SchemaObject = {
    type: 'array',
    items: { $ref: '#/components/schemas/ErrorDetail' },
    description: 'Every fault of the input; empty for other errors.',
  }
  const error: SchemaObject = {
    type: 'object',
    required: ['code', 'message', 'details'],
    properties: { code, message: { ...text, description: 'The same, for people.' }, details },
  }
  const named = ['X-Request-Id', ...headers].map(name => [name, { $ref: `#/components/headers/${name}` }])
  const schema: SchemaObject = { type: 'object', required: ['error'], properties: { error } }
  const example = codes.slice(0, 1).map(code => ({ error: { code, message: errors[code].message, details: [] } }))[0]
  return { description, headers: Object.fromEntries(named), content: { 'application/json': { schema, example } } }
}

function rowOf(status: number): Refusal['status'] {
  return refused.find(row => row.status === String(status))?.status ?? 'default'
}

function isCode(name: string): name is ErrorCode {
  return Object.hasOwn(errors, name)
}
