/** The registry of errors: every code that callers can receive, with its status and meaning. */
import { Message, messages, type Sentence } from '../texts/message.ts'
import { clipped } from '../values/clip.ts'

export const errors = {
  bad_request: { status: 400, message: 'This is not a readable HTTP request.' },
  authentication_required: { status: 401, message: 'Send an API token: "Authorization: Bearer pat_…".' },
  invalid_token: { status: 401, message: 'This API token is not known here.' },
  sign_in_failed: { status: 401, message: 'Sign-in failed. Check the e-mail address, and the password or code.' },
  password_required: { status: 401, message: 'This link asks for a password.' },
  token_expired: { status: 401, message: 'This API token has expired.' },
  token_revoked: { status: 401, message: 'This API token was revoked.' },
  account_deactivated: { status: 401, message: 'The member who owns this API token is deactivated.' },
  reauthentication_required: { status: 403, message: 'Sign in again: this wants a sign-in of the last 10 minutes.' },
  ip_not_allowed: { status: 403, message: 'This API token does not accept requests from this address.' },
  permission_denied: { status: 403, message: 'This API token lacks a permission that the operation needs.' },
  not_found: { status: 404, message: 'There is nothing here that this caller may see.' },
  method_not_allowed: { status: 405, message: 'This path does not answer that method; see the Allow header.' },
  request_timeout: { status: 408, message: 'The request did not arrive in time.' },
  idempotency_in_progress: { status: 409, message: 'The first request with this Idempotency-Key is still running.' },
  edit_conflict: { status: 409, message: 'This was changed by another request since the form was opened.' },
  precondition_failed: { status: 412, message: 'The record has changed since it was read.' },
  payload_too_large: { status: 413, message: 'The request body is larger than this endpoint accepts.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json.' },
  expectation_failed: { status: 417, message: 'The only expectation that is met is "100-continue"; send the request without it.' },
  invalid_json: { status: 422, message: 'The request body is not a JSON object.' },
  validation_failed: { status: 422, message: 'The input is not valid; each fault is listed in details.' },
  invalid_state: { status: 422, message: 'The record is not in a state that allows this.' },
  not_for_groups: { status: 422, message: 'A group of sites does not have this. Name one of its sites.' },
  already_exists: { status: 422, message: 'There is one like this already.' },
  confirmation_mismatch: { status: 422, message: 'The confirmation does not repeat the name.' },
  limit_reached: { status: 422, message: 'A limit of this installation is reached.' },
  idempotency_key_reused: { status: 422, message: 'This Idempotency-Key was used with another input.' },
  rate_limited: { status: 429, message: 'Too many requests; try again after the time in Retry-After.' },
  headers_too_large: { status: 431, message: 'The headers and the address of the request may have 16 KiB in all.' },
  internal_error: { status: 500, message: 'Something went wrong on our side.' },
  unavailable: { status: 503, message: 'The service cannot answer right now; try again shortly.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errors

messages('error', Object.fromEntries(Object.entries(errors).map(([code, { message }]) => [code, message])))
/** Messages of errors, unless the code that reports one has a more precise message. */
export const messageOf = (code: ErrorCode): Message => new Message(`error.${code}`)

export const detailCodes = [
  'required',
  'unknown_field',
  'invalid_type',
  'invalid_format',
  'not_in_enum',
  'too_small',
  'too_large',
  'too_short',
  'too_long',
  'too_many_items',
  'not_found',
  'mismatch',
  'permission_required',
] as const
export type DetailCode = (typeof detailCodes)[number]

/** One fault of an input: its place as a JSON pointer (RFC 6901), and what is accepted. */
export interface Detail {
  in: 'path' | 'query' | 'body' | 'header'
  pointer: string
  code: DetailCode
  message: Sentence
  /** On pages, whose `message` is in the language of the reader. */
  unsaid?: Sentence
}
/** A fault as operations report it; the runtime adds whether the input was query or body. */
export type Fault = Omit<Detail, 'in'> & { in?: Detail['in'] }

/** Most faults in one answer. Searches stop there as well: an input can have a million. */
export const maxFaults = 100
/** Characters of a fault that are returned: it may quote input of any length. */
const longest = { pointer: 200, message: 800 }

/** Faults and response headers of a failure. */
export interface FailureMore {
  readonly details?: readonly Fault[] | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** An error caused by the caller. Anything else that is thrown is an internal error: a 500. */
export class Failure extends Error {
  readonly code: ErrorCode
  /** The text; `message` is its English. */
  readonly sentence: Sentence
  readonly details: readonly Fault[]
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, sentence: Sentence = messageOf(code), { details = [], headers = {} }: FailureMore = {}) {
    const bounded = within(sentence)
    super(String(bounded))
    this.code = code
    this.sentence = bounded
    this.details = details
      .slice(0, maxFaults)
      .map(fault => ({ ...fault, pointer: clipped(fault.pointer, longest.pointer), message: within(fault.message) }))
    this.headers = headers
  }
}

/** A message of usual length stays one; what is too long becomes its English, clipped. */
function within(sentence: Sentence): Sentence {
  const english = String(sentence)
  return english.length <= longest.message ? sentence : clipped(english, longest.message)
}

/** Throws an error from the registry. */
export function fail(code: ErrorCode, message?: Sentence, more?: FailureMore): never {
  throw new Failure(code, message, more)
}

/** Throws all faults of an input at once, up to `maxFaults`; does nothing if there are none. */
export function failWith(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new Failure('validation_failed', undefined, { details: faults })
}

export interface ErrorBody {
  error: { code: ErrorCode; message: Sentence; details: Detail[] }
}
export function errorBody(failure: Failure, where: 'query' | 'body'): ErrorBody {
  const details = failure.details.map(({ pointer, code, message, ...rest }) => ({ in: rest.in ?? where, pointer, code, message }))
  return { error: { code: failure.code, message: failure.sentence, details } }
}
