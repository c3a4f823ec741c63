/**
 * An endpoint speaks a form that is not ours: what trackers send, what probes of a platform ask, a script, a page.
 * No envelope, no tool, not in OpenAPI. Everything else is an operation.
 */
import type { App } from './app.ts'

export interface EndpointRequest {
  readonly url: string
  header(name: string): string | undefined
  readonly ip: string
  readonly id: string
  /** The body as text. @throws Failure `payload_too_large` */
  text(): Promise<string>
}

export interface EndpointAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

export interface Endpoint {
  readonly route: `${'GET' | 'POST'} /${string}`
  readonly summary: string
  /** Any page on the web may call it; these request headers are admitted beside Content-Type. */
  readonly crossOrigin?: { readonly headers: readonly string[] }
  /** Largest body in bytes; default 1 MiB. */
  readonly maxBytes?: number
  handle(request: EndpointRequest, app: App): Promise<EndpointAnswer>
}

export function endpoint(declared: Endpoint): Endpoint {
  return Object.freeze(declared)
}
