/** A file of hits: what it is called by and how it is read. The same bytes are the same file, whatever its name. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'

export const formats = ['ndjson', 'csv'] as const
export type Format = (typeof formats)[number]

export interface HitFile {
  readonly path: string
  readonly format: Format
  /** Between the fields of a CSV. */
  readonly delimiter: string
  readonly zipped: boolean
  readonly bytes: number
  /** SHA-256 of what is in it, unzipped; hex. */
  readonly fingerprint: string
}

/** Large enough to be read fast, and small enough for one transaction. */
const PIECE = 512 * 1024
const GZIP = Buffer.from([0x1f, 0x8b])

/**
 * Reads the file once to know it again; one that cannot be read whole is found out before a hit is taken from it.
 * @param wanted what its name does not say
 * @throws Error with one clear line
 */
export async function openHitFile(path: string, wanted: { format?: Format; delimiter?: string }): Promise<HitFile> {
  const extension = /\.(\w+)(\.gz)?$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const format = wanted.format ?? extensions.get(extension)
  if (!format) throw new Error(`${path}: is it NDJSON or CSV? Say --format ndjson or --format csv`)
  const delimiter = wanted.delimiter ?? (extension === 'tsv' ? '\t' : ',')
  try {
    const { zipped, bytes } = await look(path)
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

async function look(path: string): Promise<{ zipped: boolean; bytes: number }> {
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

/** What is in it, in pieces, without a byte order mark. @param onRead hears how many bytes of it were read so far */
export async function* textsOf(file: HitFile, onRead: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder() // takes a byte order mark away
  let read = 0
  for await (const piece of pieces(file, bytes => onRead((read += bytes)))) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}
