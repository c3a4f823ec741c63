/**
 * The files inside of an upload: those of a zip by its central directory, or the one file, unzipped if it is gzipped.
 * What is unpacked is counted as it comes, whatever the headers promise, so that a bomb ends the import early.
 */
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import yauzl from 'yauzl'
import { JobFailure } from '../../../../runtime/job.ts'

export interface Part {
  /** Of a zip, the path inside of it. */
  readonly name: string
  /** Its content in pieces, from the beginning each time. @param onRead bytes of the upload that this took, about */
  bytes(onRead?: (bytes: number) => void): AsyncGenerator<Buffer>
}

export interface Archive {
  readonly form: 'zip' | 'gzip' | 'parquet' | 'plain'
  readonly path: string
  readonly size: number
  readonly parts: readonly Part[]
  close(): void
}

const MOST_PARTS = 100
const MOST_BYTES = 8 * 1024 ** 3
/** Unpacked bytes for one packed byte; small files may have more. */
const MOST_RATIO = 200
const SMALL = 10 * 1024 ** 2
const PIECE = 64 * 1024

/** @param name what the sender calls it @throws JobFailure where it cannot be opened */
export async function openArchive(path: string, name: string): Promise<Archive> {
  const { size } = await stat(path)
  const head = await firstBytes(path)
  const starts = (...bytes: number[]) => head.subarray(0, bytes.length).equals(Buffer.from(bytes))
  const meter = unpackedMeter(size)
  const shared = { path, size, close() {} }
  if (size === 0) throw new JobFailure('empty', 'The file is empty.')
  if (starts(0x50, 0x4b, 3, 4) || starts(0x50, 0x4b, 5, 6)) return { ...shared, form: 'zip', ...(await zipParts(path, meter)) }
  if (starts(0x50, 0x41, 0x52, 0x31)) return { ...shared, form: 'parquet', parts: [{ name, bytes: () => readAll(path) }] }
  if (starts(0xff, 0xfe) || starts(0xfe, 0xff)) throw new JobFailure('wrong_encoding', 'The file is UTF-16; save it as UTF-8.')
  const zipped = starts(0x1f, 0x8b)
  const bytes = async function* (onRead: (bytes: number) => void = () => {}): AsyncGenerator<Buffer> {
    if (!zipped) return yield* readAll(path, onRead)
    const source = createReadStream(path, { highWaterMark: PIECE })
    source.on('data', piece => onRead(piece.length))
    const unzipped = createGunzip({ chunkSize: PIECE })
    source.on('error', error => unzipped.destroy(error))
    yield* metered(source.pipe(unzipped), meter(), name)
  }
  return { ...shared, form: zipped ? 'gzip' : 'plain', parts: [{ name: zipped ? name.replace(/\.gz$/i, '') : name, bytes }] }
}

/** The content of a part as text, without a byte order mark. */
export async function* textsOf(part: Part, onRead?: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const piece of part.bytes(onRead)) {
    yield decoder.decode(piece, { stream: true })
    await setImmediate() // a reader that works on texts without waiting for anything would hold the event loop
  }
  yield decoder.decode()
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function* readAll(path: string, onRead: (bytes: number) => void = () => {}): AsyncGenerator<Buffer> {
  for await (const piece of createReadStream(path, { highWaterMark: PIECE })) {
    onRead(piece.length)
    yield piece
  }
}

/** Counts what all parts unpack to; each pass over the upload starts over. */
const unpackedMeter = (size: number) => () => {
  let unpacked = 0
  return (bytes: number) => {
    unpacked += bytes
    if (unpacked > MOST_BYTES) throw new JobFailure('too_large', `The file unpacks to more than ${MOST_BYTES / 1024 ** 3} GiB.`)
    if (unpacked > SMALL && unpacked > size * MOST_RATIO)
      throw new JobFailure('too_large', `The file unpacks to more than ${MOST_RATIO} times its size.`)
  }
}

async function* metered(stream: Readable, count: (bytes: number) => void, name: string): AsyncGenerator<Buffer> {
  try {
    for await (const piece of stream) {
      count(piece.length)
      yield piece
    }
  } catch (error) {
    if (error instanceof JobFailure) throw error
    throw new JobFailure('damaged', `${shown(name)} is damaged: ${error instanceof Error ? error.message : 'it cannot be unpacked'}.`)
  } finally {
    stream.destroy()
  }
}

async function zipParts(path: string, meter: ReturnType<typeof unpackedMeter>): Promise<Pick<Archive, 'parts' | 'close'>> {
  try {
    const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true })
    if (zip.entryCount > MOST_PARTS) {
      zip.close()
      throw new JobFailure('too_many_files', `The archive has ${zip.entryCount} files; at most ${MOST_PARTS} are read.`)
    }
    const parts: Part[] = []
    const count = meter()
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/') || /(^|\/)(__MACOSX|\.[^/]+)(\/|$)/.test(entry.fileName)) continue
      parts.push({
        name: entry.fileName,
        async *bytes(onRead = () => {}) {
          if (entry.isEncrypted()) throw new JobFailure('damaged', `${shown(entry.fileName)} is encrypted.`)
          yield* metered(await zip.openReadStreamPromise(entry), count, entry.fileName)
          onRead(entry.compressedSize)
        },
      })
    }
    return { parts, close: () => zip.close() }
  } catch (error) {
    if (error instanceof JobFailure) throw error
    throw new JobFailure('damaged', `The archive is damaged: ${error instanceof Error ? error.message : 'it cannot be read'}.`)
  }
}

/** A name that somebody else chose, in a message. */
const shown = (name: string): string => JSON.stringify(name.slice(0, 100))
