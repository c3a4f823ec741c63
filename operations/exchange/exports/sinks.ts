/** Targets of written bytes. */

export interface Sink {
  /** Resolves when the sink accepts more. */
  write(bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}

export interface MemorySink extends Sink {
  /** Number of bytes in memory. */
  readonly size: number
  /** The bytes in memory. */
  bytes(): Buffer
  /** Returns the bytes in memory and clears them. */
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
      pieces = []
      size = 0
      return held
    },
  }
}
