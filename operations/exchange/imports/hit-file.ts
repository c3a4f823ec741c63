/**
 * A file of hits: its format and its fingerprint. Files with the same content are the same file, whatever their names.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { decoded } from './utf8.ts'

export const formats = ['ndjson', 'csv'] as const
export type Format = (typeof formats)[number]

export interface HitFile {
  readonly path: string
  readonly format: Format
  /** The separator between the fields of a CSV. */
  /** Without one, the header decides. */
  readonly delimiter?: string | undefined
  readonly zipped: boolean
  readonly bytes: number
  /** SHA-256 of the uncompressed content, hex. */
  readonly fingerprint: string
}

/** Large enough to read fast, small enough for one transaction. */
const PIECE = 512 * 1024
const GZIP = Buffer.from([0x1f, 0x8b])

/**
 * Reads the whole file once for its fingerprint; a damaged file fails before any hit is imported.
 * @param wanted overrides the format of the file's name
 * @throws Error with a one-line message
 */
export async function openHitFile(path: string, wanted: { format?: Format; delimiter?: string }): Promise<HitFile> {
  const extension = /\.(\w+)(\.gz)?$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const format = wanted.format ?? extensions.get(extension)
  if (!format) throw new Error(`${path}: the format is unknown; add --format ndjson or --format csv`)
  const delimiter = wanted.delimiter ?? (extension === 'tsv' ? '\t' : undefined)
  try {
    const { zipped, bytes } = await inspect(path)
    const hash = createHash('sha256')
    for await (const piece of pieces({ path, zipped }, () => {})) hash.update(piece)
    return Object.freeze({ path, format, delimiter, zipped, bytes, fingerprint: hash.digest('hex') })
  } catch (error) {
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const extensions: ReadonlyMap<string, Format> = new Map([
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['json', 'ndjson'],
  ['csv', 'csv'],
  ['tsv', 'csv'],
])

async function inspect(path: string): Promise<{ zipped: boolean; bytes: number }> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0)
    return { zipped: bytesRead === GZIP.length && buffer.equals(GZIP), bytes: (await file.stat()).size }
  } finally {
    await file.close()
  }
}

async function* pieces({ path, zipped }: Pick<HitFile, 'path' | 'zipped'>, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  const source = createReadStream(path, { highWaterMark: PIECE })
  source.on('data', piece => onRead(piece.length))
  if (!zipped) return yield* source
  const unzipped = createGunzip({ chunkSize: PIECE })
  source.on('error', error => unzipped.destroy(error))
  yield* source.pipe(unzipped)
}

/**
 * Its content in pieces, without a byte order mark.
 * @param onRead receives the bytes read so far
 * @param invalid receives the lines of a piece that are not UTF-8, before the piece
 */
export function textsOf(file: HitFile, onRead: (bytes: number) => void, invalid?: Set<number>): AsyncGenerator<string> {
  let read = 0
  return decoded(
    pieces(file, bytes => onRead((read += bytes))),
    invalid,
  )
}
