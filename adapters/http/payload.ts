/** Converts an answer to an HTTP body by its kind, independent of the operation. */
import type { Answer } from '../../runtime/table/answer.ts'
import type { Bytes, FileContent } from '../../runtime/table/answer-kinds.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { withStylesByHash } from './document.ts'

export interface Payload {
  readonly headers: Record<string, string>
  readonly body: BodyInit | null
}

const json = 'application/json; charset=utf-8'

/** Whether it answers a complete HTML document, which a browser shows unchanged. */
export const isDocument = ({ method, answers }: Pick<NamedOperation, 'method' | 'answers'>): boolean =>
  method === 'GET' && answers.kind === 'text' && answers.type === 'text/html'

/**
 * A document is not one of our pages: it runs and fetches nothing, and has an opaque origin. Our pages may show it in a
 * frame; its links open in a window of their own.
 */
export const documentHeaders = (styles: readonly string[] = []) =>
  ({
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src ${styles.length === 0 ? "'none'" : styles.join(' ')}`,
      'img-src data:',
      "form-action 'none'",
      "frame-ancestors 'self'",
      'sandbox allow-popups allow-popups-to-escape-sandbox',
    ].join('; '),
    'X-Frame-Options': 'SAMEORIGIN',
  }) as const

export function payloadOf({ kind, body }: Answer, receiver: Receiver): Payload {
  switch (kind?.kind) {
    case 'text': {
      const document = kind.type === 'text/html' ? withStylesByHash(String(body)) : undefined
      return {
        headers: {
          'Content-Type': `${kind.type}; charset=utf-8`,
          ...(document && documentHeaders(document.styles)),
          // Shown on pages of other sites, such as a badge: any cache may store it.
          ...(kind.shared !== undefined && {
            'Cache-Control': `public, max-age=${kind.shared}`,
            'Cross-Origin-Resource-Policy': 'cross-origin',
          }),
        },
        body: document?.html ?? String(body),
      }
    }
    case 'redirect':
      return { headers: { Location: String(body) }, body: null }
    case 'file':
    case 'stream': {
      const content = body as FileContent // `run` was typed against FileOutput
      return {
        headers: {
          'Content-Type': kind.type,
          'Cache-Control': 'private, no-store',
          ...(content.size !== undefined && { 'Content-Length': String(content.size) }),
          ...(content.name !== undefined && { 'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(content.name)}` }),
        },
        body: bodyInit(content.body, receiver),
      }
    }
    default:
      return body === undefined ? { headers: {}, body: null } : { headers: { 'Content-Type': json }, body: JSON.stringify(body) }
  }
}

/** The receiver of a body. */
export interface Receiver {
  /** False for HEAD, which needs no body. */
  readonly wantsBody: boolean
  /** Called for errors after the head was sent. @returns whether it closed the connection */
  brokeOff(thrown: unknown): boolean
}

/**
 * Streams bytes, and stops if the client disconnects. An error half-way closes the connection, the only remaining way
 * to signal an incomplete body (RFC 9112 §8): the server would write an error message into it.
 */
export function bodyInit(body: string | Uint8Array<ArrayBuffer> | Bytes | undefined, { wantsBody, brokeOff }: Receiver): BodyInit | null {
  if (body === undefined) return null
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  const bytes = body[Symbol.asyncIterator]()
  if (!wantsBody) {
    void bytes.return?.().catch(brokeOff)
    return null
  }
  let isEnded = false
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await bytes.next()
        if (isEnded) return
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (thrown) {
        if (isEnded) return
        isEnded = true
        // If the connection is gone, the server cancels the stream itself.
        if (!brokeOff(thrown)) controller.error(thrown)
      }
    },
    async cancel() {
      isEnded = true
      await bytes.return?.()
    },
  })
}
