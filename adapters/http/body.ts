/** Reads request bodies, up to a limit. */
import { setImmediate } from 'node:timers/promises'
import { fail, Failure } from '../../runtime/errors.ts'
import { isObject, parseJson } from '../../runtime/json.ts'

export const maxBytes = 1024 * 1024
/** Bodies longer than this yield to other requests before they are processed. */
const manyCharacters = 64 * 1024

/**
 * @param length the Content-Length header
 * @throws Failure `payload_too_large`; `invalid_json` if it is not UTF-8, or the client disconnects
 */
export function readText(request: Request, length: string | undefined, limit = maxBytes): Promise<string> {
  return read(request, length, limit).then(decoded, (thrown: unknown) => {
    if (thrown instanceof Failure) throw thrown
    endedEarly() // nothing but the connection can fail here
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Other bytes would become U+FFFD, and be kept as that. */
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

function read(request: Request, length: string | undefined, limit: number): Promise<ArrayBuffer | Uint8Array> {
  const declared = Number(length ?? Number.NaN)
  if (declared > limit) return Promise.reject(tooLarge(limit))
  // The server never passes on more than Content-Length says; without that header the stream is counted.
  return Number.isNaN(declared) && request.body ? readCounting(request.body, limit) : request.arrayBuffer()
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
export async function readObject(request: Request, length: string | undefined, type: string | undefined): Promise<Record<string, unknown>> {
  const text = await readText(request, length)
  if (text === '') return {}
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type ?? '')) fail('unsupported_media_type')
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

/** Fields of an HTML form without files. @throws Failure 413, 415 */
export async function readForm(request: Request, length: string | undefined, type: string | undefined): Promise<URLSearchParams> {
  const text = await readText(request, length)
  if (text !== '' && !/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type ?? '')) {
    fail('unsupported_media_type', 'Send the body as application/x-www-form-urlencoded.')
  }
  return new URLSearchParams(text)
}

/** The body as a stream, empty if there is none. @throws Failure `invalid_json` if the client disconnects */
export async function* bytesOf(request: Request): AsyncGenerator<Uint8Array> {
  if (!request.body) return
  const reader = request.body.getReader()
  try {
    for (;;) {
      // Only the connection's errors are caught here, not those of the reader.
      const { done, value } = await reader.read().catch(endedEarly)
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {}) // a connection that failed has nothing to cancel
  }
}
