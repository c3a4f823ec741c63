/**
 * Ends requests whose body comes too slowly. Node's own limit is of five minutes whatever the size, which cuts the upload
 * of a large file over an ordinary line: here a body gets more time with each byte that came.
 */
import type { IncomingMessage, Server } from 'node:http'

export interface BodyLimits {
  /** Ms for any body. */
  readonly least: number
  /** Further time is given for bytes, at this rate: bytes a second. */
  readonly rate: number
  /** Ms between two looks. */
  readonly each: number
}
export const bodyLimits: BodyLimits = { least: 300_000, rate: 16 * 1024, each: 10_000 }

interface Open {
  readonly began: number
  readonly bytesBefore: number
}

/** @param end ends a request that is too slow */
export function endSlowBodies(
  server: Server,
  { least, rate, each }: BodyLimits,
  end: (incoming: IncomingMessage) => void,
): (incoming: IncomingMessage) => void {
  server.requestTimeout = 0
  const open = new Map<IncomingMessage, Open>()
  const timer = setInterval(() => {
    for (const [incoming, { began, bytesBefore }] of open) {
      const bytes = incoming.socket.bytesRead - bytesBefore
      if (performance.now() - began > least + (1000 * bytes) / rate) end(incoming)
    }
  }, each).unref()
  server.once('close', () => clearInterval(timer))

  return incoming => {
    if (incoming.headers['content-length'] === undefined && incoming.headers['transfer-encoding'] === undefined) return
    open.set(incoming, { began: performance.now(), bytesBefore: incoming.socket.bytesRead })
    const done = () => open.delete(incoming)
    incoming.once('end', done).once('close', done)
  }
}
