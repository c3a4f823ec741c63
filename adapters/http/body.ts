/** Reads request bodies, up to a limit. */
import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { Context } from 'hono'
import { fail, Failure } from '../../runtime/table/errors.ts'
import { isObject } from '../../runtime/values/json.ts'
import { parseJson } from '../../runtime/call/parse-json.ts'
import { type Env, headerOf } from './web.ts'

export const maxBytes = 1024 * 1024
/** Bodies longer than this yield to other requests before they are processed. */
const manyCharacters = 64 * 1024

/** @throws Failure `payload_too_large`; `invalid_json` if it is not UTF-8, or the client disconnects */
export function readText(c: Context<Env>, limit = maxBytes): Promise<string> {
  return read(c, limit).then(decoded, refused)
}

/** @throws Failure `payload_too_large`; `invalid_json` if the client disconnects */
export function readWhole(c: Context<Env>, limit = maxBytes): Promise<Uint8Array> {
  return read(c, limit).then(bytes => (bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)), refused)
}

function refused(thrown: unknown): never {
  if (thrown instanceof Failure) throw thrown
  endedEarly() // only the connection can fail here
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Refuses bytes that are not UTF-8: they would be stored as U+FFFD. */
function decoded(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    fail('invalid_json', 'The request body is not UTF-8.')
  }
}

function endedEarly(): never {
  fail('invalid_json', 'The request ended before its body did.')
}

function read(c: Context<Env>, limit: number): Promise<ArrayBuffer | Uint8Array> {
  const declared = Number(headerOf(c, 'content-length') ?? Number.NaN)
  if (declared > limit) return Promise.reject(tooLarge(limit))
  // The server never passes on more than Content-Length says; without that header the stream is counted.
  const { raw: request } = c.req
  if (Number.isNaN(declared) && request.body) return readCounting(request.body, limit)
  const incoming = c.env?.incoming
  return incoming && !incoming.destroyed && !incoming.readableDidRead ? readIncoming(incoming) : request.arrayBuffer()
}

/** Reads Node's stream directly, because a `Request` copies the body and adds listeners. */
function readIncoming(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const [first] = chunks
      resolve(first && chunks.length === 1 ? first : Buffer.concat(chunks))
    })
    incoming.on('close', reject) // `close` also follows the end
  })
}

async function readCounting(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const tooLarge = (limit: number): Failure => new Failure('payload_too_large', `The request body may have at most ${limit} bytes.`)

/** Parses a JSON object; an empty body is `{}`. @throws Failure 413, 415, 422 `invalid_json` */
export async function readObject(c: Context<Env>): Promise<Record<string, unknown>> {
  const text = await readText(c)
  if (text === '') return {}
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(headerOf(c, 'content-type') ?? ''))
    fail('unsupported_media_type', undefined, { headers: acceptable(c.req.method, 'application/json') })
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    if (error instanceof Failure) throw error
    fail('invalid_json', `The request body is not JSON: ${error instanceof Error ? error.message.slice(0, 120) : 'unreadable'}.`)
  }
  if (text.length > manyCharacters) await setImmediate()
  if (!isObject(value))
    fail(
      'invalid_json',
      `The request body must be a JSON object; received ${Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`}.`,
    )
  return value
}

/** The accepted type: `Accept` (RFC 9110 §15.5.16), `Accept-Patch` (RFC 5789) or `Accept-Post` (Linked Data Platform 1.0 §7.1). */
const acceptable = (method: string, type: string): Record<string, string> => ({
  Accept: type,
  ...(method === 'PATCH' && { 'Accept-Patch': type }),
  ...(method === 'POST' && { 'Accept-Post': type }),
})

/** Fields of an HTML form without files. @throws Failure 413, 415 */
export async function readForm(c: Context<Env>): Promise<URLSearchParams> {
  const text = await readText(c)
  if (text !== '' && !/^application\/x-www-form-urlencoded\s*(;|$)/i.test(headerOf(c, 'content-type') ?? '')) {
    fail('unsupported_media_type', 'Send the body as application/x-www-form-urlencoded.', {
      headers: acceptable(c.req.method, 'application/x-www-form-urlencoded'),
    })
  }
  return new URLSearchParams(text)
}

/** The body as a stream, empty if there is none. @throws Failure `invalid_json` if the client disconnects */
export async function* bytesOf(request: Request): AsyncGenerator<Uint8Array> {
  if (!request.body) return
  const reader = request.body.getReader()
  try {
    for (;;) {
      // Catches only errors of the connection, not errors of the reader.
      const { done, value } = await reader.read().catch(endedEarly)
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {}) // a connection that failed has nothing to cancel
  }
}
