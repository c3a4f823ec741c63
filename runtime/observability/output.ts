/**
 * Standard output that never blocks. Its reader may be slow, stop, or go away (`| head`, a supervisor that ended): the
 * buffer is bounded, what exceeds it is dropped and counted, and a closed output is not written to.
 *
 * It uses `process.stdout`, and nothing else may write to that descriptor. Pipes and sockets are written
 * asynchronously; a write in a thread could wait there for ever, and so would the exit of the process.
 */
import type { Writable } from 'node:stream'

/** Most bytes in the buffer. */
const maxWaiting = 1024 * 1024

export interface Output {
  write(text: string): void
  /** Resolves once everything is written or can no longer be, after `patience` ms at the latest. */
  flushed(patience: number): Promise<void>
  /** @param listener receives the number of dropped texts once the buffer has space again. It replaces an earlier listener. */
  onDropped(listener: (count: number) => void): void
}

export function openOutput(stream: Writable, max = maxWaiting): Output {
  let dropped = 0
  let closed = false
  let tell = (_count: number) => {}
  // Other errors may pass, as when a full disk has space again: `process.stdout` is never destroyed.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    closed = error.code === 'EPIPE' || stream.destroyed
  })

  const written = () => {
    if (dropped === 0 || closed || stream.writableLength > 0) return
    const count = dropped
    dropped = 0
    tell(count)
  }
  return {
    write(text) {
      if (closed) return
      if (stream.writableLength + text.length > max) dropped++
      else stream.write(text, written)
    },
    async flushed(patience) {
      let timer: NodeJS.Timeout | undefined
      const enough = new Promise<void>(resolve => {
        timer = setTimeout(resolve, patience)
      })
      const written = closed
        ? undefined
        : new Promise<void>(resolve => {
            stream.write('', () => resolve())
          })
      await Promise.race([written, enough])
      clearTimeout(timer)
    },
    onDropped(listener) {
      tell = listener
    },
  }
}

let standard: Output | undefined
/** The output of this process. */
export function standardOutput(): Output {
  return (standard ??= openOutput(process.stdout))
}
