/** An answer as HTTP sends it: by its kind, never by its operation. */
import type { Answer } from '../../runtime/app.ts'
import type { Bytes, FileContent } from '../../runtime/kinds.ts'

export interface Payload {
  readonly headers: Record<string, string>
  readonly body: BodyInit | null
}

const json = 'application/json; charset=utf-8'

export function payloadOf({ kind, body }: Answer): Payload {
  switch (kind?.kind) {
    case 'text': return {
      headers: {
        'Content-Type': `${kind.type}; charset=utf-8`,
        // What pages of others show, any cache may keep.
        ...(kind.shared !== undefined && { 'Cache-Control': `public, max-age=${kind.shared}`, 'Cross-Origin-Resource-Policy': 'cross-origin' }),
      },
      body: String(body),
    }
    case 'redirect': return { headers: { Location: String(body) }, body: null }
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
        body: bodyInit(content.body),
      }
    }
    default: return { headers: { 'Content-Type': json }, body: JSON.stringify(body) }
  }
}

/** Bytes that come bit by bit are sent so; who hangs up ends them. */
export function bodyInit(body: string | Uint8Array<ArrayBuffer> | Bytes | undefined): BodyInit | null {
  if (body === undefined) return null
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  const bytes = body[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await bytes.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() { await bytes.return?.() },
  })
}
