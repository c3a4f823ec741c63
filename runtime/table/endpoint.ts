/**
 * An endpoint speaks a foreign format: trackers, a script, an identity provider. It has no envelope and is neither a
 * tool nor in OpenAPI, but declares access and rate like an operation. Everything else is an operation.
 */
import type { Awaitable } from '../../storage/values/awaitable.ts'
import type { Authenticator } from './authenticator.ts'
import type { Caller } from './caller.ts'
import type { Hosted } from './hosted.ts'
import type { Bytes } from './answer-kinds.ts'
import type { CallingServices } from './services.ts'
import type { WireFormat } from './wire-format.ts'
import type { Access, RateName } from './access.ts'

export interface EndpointRequest {
  /** `HEAD`, too, if the method of the route is GET. */
  readonly method: string
  readonly url: string
  /** By lower-case name. */
  header(name: string): string | undefined
  readonly ip: string
  readonly id: string
  /** Path parameters: `/l/{slug}`. */
  readonly path: Readonly<Record<string, string>>
  /** Undefined if access is public, or optional without a credential. */
  readonly caller: Caller | undefined
  /** Counts the items of a batch that is sent without a credential. @throws Failure `rate_limited` */
  countBatch(size: number): void
  /** The body as text. @throws Failure `payload_too_large` */
  text(): Promise<string>
  /** The body as it came, for formats that compress it. @throws Failure `payload_too_large` */
  whole(): Promise<Uint8Array>
  /** The body as a stream, unlimited. */
  bytes(): Bytes
}

export interface EndpointAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Lines of `Set-Cookie`. */
  readonly cookies?: readonly string[]
  readonly body?: string | Uint8Array<ArrayBuffer> | Bytes
}

interface Declared {
  /** Path parameters are written as in an operation: `/l/{slug}`. */
  readonly route: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`
  readonly summary: string
  /** Regular expression, without braces, for the path's one parameter, which may be followed by an ending: `/{script}.js`. */
  readonly pattern?: string
  /** As for operations; `optional`: anyone, but a credential that is sent must be valid, and identifies the caller. */
  readonly access: Access | 'optional'
  readonly credential?: Authenticator
  /** Anyone, but only from our own pages. */
  readonly ownOrigin?: true
  readonly hosted?: Hosted
  /** `none` if something else limits the load. */
  readonly rate?: RateName
  /** Pages of any origin may call it; these request headers are allowed in addition to Content-Type. */
  readonly crossOrigin?: { readonly headers: readonly string[] }
  /** The protocol whose errors it answers. */
  readonly wireFormat?: WireFormat
  /** Largest body in bytes; default 1 MiB. */
  readonly maxBytes?: number
  handle(request: EndpointRequest, app: CallingServices): Awaitable<EndpointAnswer>
}

export interface Endpoint extends Declared {
  readonly effect: 'read' | 'update'
  readonly credential: Authenticator | undefined
  readonly rate: RateName | undefined
}

export function endpoint(declared: Declared): Endpoint {
  return Object.freeze({
    credential: undefined,
    rate: undefined,
    ...declared,
    effect: declared.route.startsWith('GET ') ? 'read' : 'update',
  })
}
