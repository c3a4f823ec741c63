/**
 * The files inside of an upload: the entries of a zip by its central directory, or the one file, unzipped if it is gzipped.
 * Unpacked bytes are counted as they arrive, whatever the headers declare, so that a bomb ends the import early.
 */
import { m } from '../messages.ts'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { bytesBetween, type Files, type StoredFile } from '../../files/index.ts'
import { decoded } from '../utf8.ts'
import { metered, type Part, shown, unpackedMeter } from './unpacked.ts'

export type { Part } from './unpacked.ts'

export interface Archive {
  readonly form: 'zip' | 'gzip' | 'parquet' | 'plain'
  readonly file: StoredFile
  readonly parts: readonly Part[]
  close(): Promise<void>
}

/** A column of one value takes no bytes in Parquet, and its name in each line. */
const MAX_RATIO_PARQUET = 2_000
const PIECE = 64 * 1024

/**
 * @param stored its name in the file store @param name its name at the sender
 * @throws JobFailure if it cannot be opened
 */
export async function openArchive(files: Files, stored: string, name: string): Promise<Archive> {
  const file = await files.open(stored)
  if (!file) throw new JobFailure('missing', m.missing())
  try {
    return { file, close: () => file.close(), ...(await partsOf(file, name)) }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function partsOf(file: StoredFile, name: string): Promise<Pick<Archive, 'form' | 'parts'>> {
  const { size } = file
  const head = await bytesBetween(file, 0, Math.min(4, size))
  const starts = (...bytes: number[]) => head.subarray(0, bytes.length).equals(Buffer.from(bytes))
  const meter = unpackedMeter(size)
  if (size === 0) throw new JobFailure('empty', m.empty())
  if (starts(0x50, 0x4b, 3, 4) || starts(0x50, 0x4b, 5, 6)) {
    const { zipParts } = await import('./zip-parts.ts')
    return { form: 'zip', parts: await zipParts(file, meter()) }
  }
  const isNamedParquet = /\.parquet$/i.test(name) && !starts(0x1f, 0x8b) // its beginning may be what is damaged
  if (starts(0x50, 0x41, 0x52, 0x31) || isNamedParquet)
    return { form: 'parquet', parts: [{ name, bytes: onRead => inPieces(file.read(), onRead) }] }
  if (!starts(0x1f, 0x8b)) return { form: 'plain', parts: [{ name, bytes: onRead => inPieces(file.read(), onRead) }] }
  const bytes = (onRead?: (bytes: number) => void): AsyncGenerator<Buffer> => {
    const source = Readable.from(inPieces(file.read(), onRead))
    const unzipped = createGunzip({ chunkSize: PIECE })
    source.on('error', error => unzipped.destroy(error))
    unzipped.on('close', () => source.destroy())
    return metered(source.pipe(unzipped), meter(), name)
  }
  return { form: 'gzip', parts: [{ name: name.replace(/\.gz$/i, ''), bytes }] }
}

/**
 * The content of a part as text, without a byte order mark.
 * @param invalid receives the lines of a piece that are not UTF-8, before the piece
 */
export const textsOf = (part: Part, onRead?: (bytes: number) => void, invalid?: Set<number>): AsyncGenerator<string> =>
  inTurns(decoded(part.bytes(onRead), invalid))

/** Yields to the event loop, which a reader that never waits would block. */
async function* inTurns(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) {
    yield text
    await setImmediate()
  }
}

/**
 * The rows of a Parquet file as JSON lines.
 * @param choose selects its columns; may throw
 * @param onRead bytes of the upload that were read
 */
export async function* rowsOf(
  { file, parts }: Archive,
  choose: (columns: readonly string[]) => readonly string[],
  onRead: (bytes: number) => void,
): AsyncGenerator<string> {
  const { parquetLines } = await import('../parquet/parquet-lines.ts')
  yield* inTurns(decoded(metered(parquetLines(file, choose, onRead), unpackedMeter(file.size, MAX_RATIO_PARQUET)(), parts[0]?.name ?? '')))
}

/** Most bytes of a Parquet file inside of an archive, which is in memory, because its description is at the end. */
const MAX_HELD = 64 * 1024 ** 2

/**
 * A part as an archive of its own, which is read by ranges.
 * @throws JobFailure `too_large`
 */
export async function heldPart(archive: Archive, part: Part): Promise<Archive> {
  if (archive.form === 'parquet') return archive
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of part.bytes()) {
    size += piece.length
    if (size > MAX_HELD) {
      throw new JobFailure('too_large', m.part_too_large({ name: shown(part.name), most: MAX_HELD / 1024 ** 2 }))
    }
    pieces.push(piece)
  }
  const bytes = Buffer.concat(pieces)
  async function* read(from = 0, to = bytes.length) {
    yield bytes.subarray(from, to)
  }
  const file: StoredFile = { size: bytes.length, read, close: async () => {} }
  return { form: 'parquet', file, parts: [part], close: file.close }
}

/** Cuts the content into small pieces, because each is stored in a transaction for which hits wait. */
async function* inPieces(pieces: AsyncGenerator<Buffer>, onRead: (bytes: number) => void = () => {}): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length; from += PIECE) {
      const part = piece.subarray(from, from + PIECE)
      onRead(part.length)
      yield part
    }
  }
}
