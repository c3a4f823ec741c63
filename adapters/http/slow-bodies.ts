/**
 * Ends requests whose body arrives too slowly. Node's own limit is five minutes for any size, which cuts off the upload of a
 * large file over an ordinary line. Here, each received byte extends the time of a body.
 */
import type { IncomingMessage, Server } from 'node:http'

export interface BodyLimits {
  /** Time for any body, ms. */
  readonly min: number
  /** The rate at which received bytes extend the time, bytes per second. */
  readonly rate: number
  /** Interval of the checks, ms. */
  readonly each: number
  /** A clock that is never set back, ms. */
  readonly now: () => number
}
export const bodyLimits: BodyLimits = { min: 300_000, rate: 16 * 1024, each: 10_000, now: () => performance.now() }

interface Open {
  readonly began: number
  readonly bytesBefore: number
}

/** @param end ends a request that is too slow */
export function endSlowBodies(
  server: Server,
  { min, rate, each, now }: BodyLimits,
  end: (incoming: IncomingMessage) => void,
): (incoming: IncomingMessage) => void {
  server.requestTimeout = 0
  const open = new Map<IncomingMessage, Open>()
  const timer = setInterval(() => {
    for (const [incoming, { began, bytesBefore }] of open) {
      const bytes = incoming.socket.bytesRead - bytesBefore
      if (now() - began > min + (1000 * bytes) / rate) end(incoming)
    }
  }, each).unref()
  server.once('close', () => clearInterval(timer))

  return incoming => {
    if (incoming.headers['content-length'] === undefined && incoming.headers['transfer-encoding'] === undefined) return
    open.set(incoming, { began: now(), bytesBefore: incoming.socket.bytesRead })
    const done = () => open.delete(incoming)
    incoming.once('end', done).once('close', done)
  }
}
