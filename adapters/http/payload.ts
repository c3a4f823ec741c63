/** An answer as HTTP sends it: by its kind, never by its operation. */
import type { Answer } from '../../runtime/app.ts'
import type { Bytes, FileContent } from '../../runtime/kinds.ts'

export interface Payload {
  readonly headers: Record<string, string>
  readonly body: BodyInit | null
}

const json = 'application/json; charset=utf-8'

export function payloadOf({ kind, body }: Answer, reader: Reader): Payload {
  switch (kind?.kind) {
    case 'text':
      return {
        headers: {
          'Content-Type': `${kind.type}; charset=utf-8`,
          // What pages of others show, any cache may keep.
          ...(kind.shared !== undefined && {
            'Cache-Control': `public, max-age=${kind.shared}`,
            'Cross-Origin-Resource-Policy': 'cross-origin',
          }),
        },
        body: String(body),
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
        body: bodyInit(content.body, reader),
      }
    }
    default:
      return body === undefined ? { headers: {}, body: null } : { headers: { 'Content-Type': json }, body: JSON.stringify(body) }
  }
}

/** Who a body is sent to. */
export interface Reader {
  /** Asked with HEAD: no byte of it is wanted. */
  readonly wantsBody: boolean
  /** Hears of a fault that comes when the head is sent already. @returns whether it ended the connection */
  brokeOff(thrown: unknown): boolean
}

/**
 * Bytes that come bit by bit are sent so; who hangs up ends them. A fault half-way ends the connection, which is all
 * that can still say that something is missing (RFC 9112 §8): the server would write its message into the body.
 */
export function bodyInit(body: string | Uint8Array<ArrayBuffer> | Bytes | undefined, { wantsBody, brokeOff }: Reader): BodyInit | null {
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
        // Where the connection is gone, the server cancels the stream by itself.
        if (!brokeOff(thrown)) controller.error(thrown)
      }
    },
    async cancel() {
      isEnded = true
      await bytes.return?.()
    },
  })
}
