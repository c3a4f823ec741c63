/**
 * Makes responses, compressed with brotli or gzip if the client accepts that (RFC 9110 §12.5.3) and it saves more than a
 * packet. Compression runs in threads of libuv, not on the event loop.
 *
 * Compressing a secret together with a text that an attacker chooses reveals the secret by its length, if the attacker can
 * make the victim's browser repeat the request (BREACH, breachattack.com). Browsers add cookies by themselves, but not
 * tokens. Answers to requests with a cookie are therefore compressed only if they are public, or are the page of a report and the
 * browser says that no other site made the request (`Sec-Fetch-Site`). Answers with a secret never are: `no-transform` keeps
 * proxies from compressing those.
 */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import { LRUCache } from 'lru-cache'
import { encodedTag } from './etag.ts'
import { type Env, headerOf } from './web.ts'

type Headers = Readonly<Record<string, string>>
type Body = BodyInit | null
type Packed = Uint8Array<ArrayBuffer>

/** Shorter texts fit into one packet uncompressed. */
const minCompressedBytes = 1_400
const compressible = /^(text\/(?!event-stream)|image\/svg\+xml|application\/([\w.]+\+)?(json|xml|javascript))/

/**
 * Brotli of level 5 is smaller than the smallest gzip and takes no longer than the usual one. A page is made for one reader and
 * read once: level 1 takes a fifth of the time, and a third more bytes.
 */
const encodings = {
  br: (bytes: Uint8Array, isPage: boolean): Promise<Packed> =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: isPage ? 1 : 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes: Uint8Array): Promise<Packed> => promisify(gzip)(bytes),
} as const
type Encoding = keyof typeof encodings

/** Answers that are equal for all callers, by strong ETag or by text: scripts, pages of documentation. */
const cache = () => new LRUCache<string, Packed>({ max: 200, maxSize: 4 * 1024 * 1024, sizeCalculation: bytes => bytes.byteLength })
const kept = { br: cache(), gzip: cache() } as const satisfies Record<Encoding, unknown>

interface Respond {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
  readonly cookies?: readonly string[] | undefined
  /** A page of figures, without a secret. */
  readonly isReport?: boolean | undefined
}

/**
 * @param headers all headers of the answer, in their usual spelling: adding one later costs as much as the call
 * @param body a text or bytes are compressed, a stream is not
 */
export function respond(c: Context<Env>, { status, headers, body, cookies = [], isReport = false }: Respond): Response | Promise<Response> {
  const make = (all: Headers, content: Body) => {
    const response = new Response(content, { status, headers: all })
    for (const line of cookies) response.headers.append('Set-Cookie', line)
    return response
  }
  if (body === null) return make(status === 304 ? varied(headers) : headers, body)
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : undefined
  const isPage = isReport && ownSites.has(headerOf(c, 'sec-fetch-site') ?? '')
  if (bytes === undefined || bytes.length < minCompressedBytes || !(isPage || cookies.length === 0) || !mayCompress(c, headers, isPage))
    return make(headers, body)
  const all = varied(headers)
  const encoding = c.req.method === 'HEAD' ? undefined : acceptedOf(headerOf(c, 'accept-encoding'))
  if (!encoding) return make(all, body)
  return packed(encoding, keyOf(headers, bytes), bytes, isPage).then(content => make(encoded(all, encoding), content))
}

function mayCompress(c: Context<Env>, headers: Headers, isPage: boolean): boolean {
  if (!compressible.test(headers['Content-Type'] ?? '') || 'Content-Encoding' in headers) return false
  if (headers['Cache-Control']?.includes('no-transform')) return false
  return isPage || (headers['Cache-Control']?.includes('public') ?? false) || headerOf(c, 'cookie') === undefined
}

/** Requests of our own pages, and of the reader. */
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none'])

function keyOf({ ETag: tag, 'Cache-Control': caching }: Headers, body: string | Uint8Array): string | undefined {
  if (tag?.startsWith('"')) return tag
  return typeof body === 'string' && caching?.includes('public') ? body : undefined
}

async function packed(encoding: Encoding, key: string | undefined, body: string | Uint8Array, isPage: boolean): Promise<Packed> {
  const known = key === undefined ? undefined : kept[encoding].get(key)
  if (known) return known
  const made = await encodings[encoding](typeof body === 'string' ? Buffer.from(body) : body, isPage)
  if (key !== undefined) kept[encoding].set(key, made)
  return made
}

/** The encoding that the client prefers, brotli among equals; undefined if it accepts none (RFC 9110 §12.5.3). */
export function acceptedOf(header: string | undefined): Encoding | undefined {
  if (header === undefined) return undefined
  const weights = new Map<string, number>()
  for (const part of header.slice(0, 500).split(',')) {
    const [name = '', ...parameters] = part.split(';').map(text => text.trim().toLowerCase())
    const weight = Number(parameters.find(each => each.startsWith('q='))?.slice(2) ?? 1)
    weights.set(name === 'x-gzip' ? 'gzip' : name, Number.isNaN(weight) ? 0 : weight)
  }
  const weightOf = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0
  const [br, gz] = [weightOf('br'), weightOf('gzip')]
  if (br <= 0 && gz <= 0) return undefined
  return br >= gz ? 'br' : 'gzip'
}

function varied(headers: Headers): Headers {
  return { ...headers, Vary: headers.Vary === undefined ? 'Accept-Encoding' : `${headers.Vary}, Accept-Encoding` }
}

/** A strong ETag identifies bytes, so each encoding has its own. */
function encoded(headers: Headers, encoding: Encoding): Headers {
  const { ETag } = headers
  return { ...headers, 'Content-Encoding': encoding, ...(ETag?.startsWith('"') && { ETag: encodedTag(ETag, encoding) }) }
}
