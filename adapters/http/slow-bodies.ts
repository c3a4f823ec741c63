/**
 * Ends requests whose body arrives too slowly. Node's own limit is five minutes for any size, which cuts off the upload of a
 * large file over an ordinary line. Here, each received byte extends the time of a body.
 */
import type { IncomingMessage, Server } from 'node:http'

export interface BodyLimits {
  /** Time for a body of any size, ms. */
  readonly minMs: number
  /** Received bytes that extend the time by a second. */
  readonly bytesPerSecond: number
  /** Interval of the checks, ms. */
  readonly checkIntervalMs: number
  /** A clock that is never set back, ms. */
  readonly now: () => number
}
export const bodyLimits: BodyLimits = { minMs: 300_000, bytesPerSecond: 16 * 1024, checkIntervalMs: 10_000, now: () => performance.now() }

/** A body that has not been received in full. */
interface OpenBody {
  readonly began: number
  readonly bytesBefore: number
}

/**
 * Ends slow requests of a server.
 * @param end ends a request that is too slow
 * @returns a function to call with each request
 */
export function endSlowBodies(
  server: Server,
  { minMs, bytesPerSecond, checkIntervalMs, now }: BodyLimits,
  end: (incoming: IncomingMessage) => void,
): (incoming: IncomingMessage) => void {
  server.requestTimeout = 0
  const open = new Map<IncomingMessage, OpenBody>()
  const timer = setInterval(() => {
    for (const [incoming, { began, bytesBefore }] of open) {
      const bytes = incoming.socket.bytesRead - bytesBefore
      if (now() - began > minMs + (1000 * bytes) / bytesPerSecond) end(incoming)
    }
  }, checkIntervalMs).unref()
  server.once('close', () => clearInterval(timer))

  return incoming => {
    if (incoming.headers['content-length'] === undefined && incoming.headers['transfer-encoding'] === undefined) return
    open.set(incoming, { began: now(), bytesBefore: incoming.socket.bytesRead })
    const done = () => open.delete(incoming)
    incoming.once('end', done).once('close', done)
  }
}
