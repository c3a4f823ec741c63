/** A format of another product: how it reads the messages of a request, and how it answers them. */
import type { Awaitable } from '../../../../storage/values/awaitable.ts'
import type { EndpointAnswer } from '../../../../runtime/table/endpoint.ts'
import type { Received } from '../collector.ts'
import type { SentHit } from '../hit.ts'

/** A request, with its body unpacked. */
export interface Wire {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  header(name: string): string | undefined
  /** The body as text; '' without one. */
  readonly body: string
  /** Address or origin of the page that sent it, as its browser says; '' if it does not. */
  readonly page: string
}

/** A message that names no site and no page cannot be counted anywhere. */
export type Message = SentHit | 'invalid'

/** @property token a token of ours, which makes the sender a server */
export type Read =
  | { readonly messages: readonly Message[]; readonly token?: string | undefined }
  | { readonly errors: Readonly<Record<string, readonly string[]>> }

export interface Format {
  read(wire: Wire): Awaitable<Read>
  /** Answers in the form of the other product; the headers that say what is not counted are added. */
  answer(received: readonly Received[], wire: Wire): EndpointAnswer
}

/** One request of another product: its path, and the format that reads it, imported with the first request. */
export interface ForeignRoute {
  readonly route: `${'GET' | 'POST'} /${string}`
  readonly summary: string
  /** Headers that its scripts send in addition to Content-Type. */
  readonly headers?: readonly string[]
  /** Largest body, bytes; also of one that is unpacked. Default 1 MiB. */
  readonly maxBytes?: number
  /** The body is not looked at. */
  readonly ignoresBody?: true
  readonly format: () => Promise<Format>
}
