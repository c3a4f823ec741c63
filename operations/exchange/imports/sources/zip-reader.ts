/** A zip in the store of files, read by ranges. */
import { Readable } from 'node:stream'
import yauzl from 'yauzl'
import { bytesBetween, type StoredFile } from '../../files/index.ts'

/** The directory at the end is read entry by entry, a few bytes each: from a bucket each would be a request. */
const AT_ONCE = 256 * 1024

export class ZipReader extends yauzl.RandomAccessReader {
  readonly #file: StoredFile
  #last: { readonly from: number; readonly bytes: Buffer } = { from: 0, bytes: Buffer.alloc(0) }

  constructor(file: StoredFile) {
    super()
    this.#file = file
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#file.read(start, end))
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, done: (error: Error | null) => void): void {
    this.#between(position, position + length).then(
      bytes => {
        bytes.copy(buffer, offset)
        done(bytes.length < length ? new Error('unexpected end of the file') : null)
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    )
  }

  async #between(from: number, to: number): Promise<Buffer> {
    const { from: first, bytes } = this.#last
    if (from < first || to > first + bytes.length) {
      const end = Math.min(this.#file.size, Math.max(to, from + AT_ONCE))
      this.#last = { from, bytes: await bytesBetween(this.#file, from, end) }
    }
    return this.#last.bytes.subarray(from - this.#last.from, to - this.#last.from)
  }
}
