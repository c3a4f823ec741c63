/**
 * Standard output that never blocks. Who reads it may be slow, stand still, or go away (`| head`, a supervisor that
 * ended): what waits for it is bounded, what exceeds the bound is dropped and counted, and a closed one is written to no more.
 *
 * `process.stdout` itself is used, and nothing else may write to its descriptor: it writes to pipes and sockets without
 * waiting, while a write in a thread would wait there for ever, and the end of the process for the thread.
 */
import type { Writable } from 'node:stream'

/** What may wait to be read, in bytes. */
const mostWaiting = 1024 * 1024

export interface Output {
  write(text: string): void
  /** Resolves once all is handed over or nobody will read it, after `patience` ms at the latest. */
  flushed(patience: number): Promise<void>
  /** @param told hears how many texts were dropped, once the buffer has space again; replaces the one before */
  onDropped(told: (count: number) => void): void
}

export function openOutput(stream: Writable, most = mostWaiting): Output {
  let dropped = 0
  let closed = false
  let tell = (_count: number) => {}
  // Of others, a disk that is full may have space again: `process.stdout` is never destroyed.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    closed = error.code === 'EPIPE' || stream.destroyed
  })

  const told = () => {
    if (dropped === 0 || closed || stream.writableLength > 0) return
    const count = dropped
    dropped = 0
    tell(count)
  }
  return {
    write(text) {
      if (closed) return
      if (stream.writableLength + text.length > most) dropped++
      else stream.write(text, told)
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
    onDropped(told) {
      tell = told
    },
  }
}

let standard: Output | undefined
/** The one of this process. */
export function standardOutput(): Output {
  return (standard ??= openOutput(process.stdout))
}
