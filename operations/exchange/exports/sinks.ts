/** Targets of written bytes. */

export interface Sink {
  /** Resolves when more may follow. */
  write(bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}

export interface MemorySink extends Sink {
  /** Bytes that are held. */
  readonly size: number
  /** The bytes in memory. */
  bytes(): Buffer
  /** The bytes in memory, which it then forgets. */
  take(): Buffer
}

export function memorySink(): MemorySink {
  let pieces: Uint8Array[] = []
  let size = 0
  return {
    get size() {
      return size
    },
    async write(bytes) {
      pieces.push(bytes)
      size += bytes.length
    },
    close: async () => {},
    bytes: () => Buffer.concat(pieces),
    take() {
      const held = Buffer.concat(pieces)
      ;[pieces, size] = [[], 0]
      return held
    },
  }
}
