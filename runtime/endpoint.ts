/**
 * An endpoint speaks a form that is not ours: what trackers send, a script, an identity provider. No envelope, no tool,
 * not in OpenAPI; but who may come in, and how often, it declares as an operation does. Everything else is an operation.
 */
import type { App } from './app.ts'
import type { Authenticator } from './authenticator.ts'
import type { Caller } from './caller.ts'
import type { Bytes } from './kinds.ts'
import type { Access } from './operation.ts'
import type { RateName } from './rate.ts'

export interface EndpointRequest {
  readonly url: string
  /** By its name in small letters. */
  header(name: string): string | undefined
  readonly ip: string
  readonly id: string
  /** Parts of the path that the route names: `/l/{slug}`. */
  readonly path: Readonly<Record<string, string>>
  /** Who calls; undefined where the access is public, or optional and nothing was shown. */
  readonly caller: Caller | undefined
  /** Counts what a body holds many of, where no credential does. @throws Failure `rate_limited` */
  countBatch(size: number): void
  /** The body as text. @throws Failure `payload_too_large` */
  text(): Promise<string>
  /** The body as it comes, not limited. */
  bytes(): Bytes
}

export interface EndpointAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer> | Bytes
}

interface Declared {
  /** Path parameters are written as in an operation: `/l/{slug}`. */
  readonly route: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`
  readonly summary: string
  /** As for operations; `optional`: anyone, but a credential that is shown must be good, and says who calls. */
  readonly access: Access | 'optional'
  readonly credential?: Authenticator
  /** `none` where something else keeps a flood out. */
  readonly rate?: RateName
  /** Any page on the web may call it; these request headers are admitted beside Content-Type. */
  readonly crossOrigin?: { readonly headers: readonly string[] }
  /** Largest body in bytes; default 1 MiB. */
  readonly maxBytes?: number
  handle(request: EndpointRequest, app: App): Promise<EndpointAnswer>
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
