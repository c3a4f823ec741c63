/** Undoes the compression of a body, whether or not it was asked for (RFC 9110 §8.4). */
import type { Transform } from 'node:stream'
import zlib from 'node:zlib'

/** Node 20 has no zstd, neither in its types nor at all; 22.15 and later have. */
const createZstdDecompress: unknown = Reflect.get(zlib, 'createZstdDecompress')
const zstd = typeof createZstdDecompress === 'function' ? { zstd: (): Transform => createZstdDecompress() } : {}

/** By name of the coding. */
const decoders: Readonly<Record<string, ((body: Buffer) => Transform) | undefined>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  br: () => zlib.createBrotliDecompress(),
  // Some servers send it without the zlib wrapper, which begins with 8 in the lower half of its first byte (RFC 1950 §2.2).
  deflate: body => (((body[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()),
  ...zstd,
}
/** More codings than any real server applies. */
const maxCodings = 3

export interface Bytes {
  readonly body: Buffer
  /** Whether there was more. */
  readonly truncated: boolean
}
export interface Decoded extends Bytes {
  /** False if the body, or its end, is not encoded as the header says, or in a way that is not known. */
  readonly isDecoded: boolean
}

/**
 * @param encoding the `Content-Encoding` header
 * @returns at most `maxBytes`; the bytes as they came if nothing of them can be decoded
 */
export async function decoded(raw: Bytes, encoding: string, maxBytes: number): Promise<Decoded> {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map(coding => coding.trim())
    .filter(coding => coding !== '' && coding !== 'identity')
  if (codings.length > maxCodings) return { ...raw, isDecoded: false }
  let result: Decoded = { ...raw, isDecoded: true }
  for (const coding of codings.reverse()) {
    if (result.body.length === 0) return result
    const decoder = Object.hasOwn(decoders, coding) ? decoders[coding]?.(result.body) : undefined
    const next = decoder && (await passed(decoder, result, maxBytes))
    if (next === undefined) return { ...raw, isDecoded: false }
    result = next
  }
  return result
}

/** Stops at the limit, however far the body would blow up. @returns undefined if nothing came out before a fault */
async function passed(decoder: Transform, { body, truncated, isDecoded }: Decoded, maxBytes: number): Promise<Decoded | undefined> {
  decoder.on('error', () => {}) // after the limit
  decoder.end(body)
  const { chunks, size, error } = await read(maxBytes, decoder)
  decoder.destroy()
  if (error !== undefined && size === 0) return undefined
  return {
    ...joined(chunks, size, maxBytes),
    ...(truncated && { truncated }),
    isDecoded: isDecoded && (error === undefined || truncated), // what was read ends before its end
  }
}

/** Reads the first bytes of a stream. @throws what the stream does */
export async function upTo(maxBytes: number, stream: AsyncIterable<Buffer>): Promise<Bytes> {
  const { chunks, size, error } = await read(maxBytes, stream)
  if (error !== undefined) throw error
  return joined(chunks, size, maxBytes)
}

async function read(maxBytes: number, stream: AsyncIterable<Buffer>) {
  const chunks: Buffer[] = []
  let size = 0
  let error: unknown
  try {
    for await (const chunk of stream) {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes) break
    }
  } catch (thrown) {
    error = thrown
  }
  return { chunks, size, error }
}

const joined = (chunks: readonly Buffer[], size: number, maxBytes: number): Bytes => ({
  body: Buffer.concat(chunks).subarray(0, maxBytes),
  truncated: size > maxBytes,
})
