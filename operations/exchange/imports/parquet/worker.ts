/**
 * Runs in a thread: reads a Parquet file one row group at a time and sends its rows as JSON lines. Decoding takes long turns
 * and trusts the file, so it runs where it blocks nothing and memory is limited.
 */
import { m } from '../messages.ts'
import { storedSentence } from '../../../../runtime/texts/message.ts'
import os from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { decompress } from 'fzstd'
import { type Compressors, type FileMetaData, parquetMetadata, parquetScan, parquetSchema, type RowGroup, type SchemaTree } from 'hyparquet'
import { checkSchema, type Chunk, chunksOf, MAX_FOOTER, pageChecker, ParquetFault } from './limits.ts'
import { lz4, lz4Block } from './lz4.ts'
import type { FromThread, ThreadSettings, ToThread } from './messages.ts'

const port = parentPort
if (!port) throw new Error('this file runs in a worker thread')
// On Linux this applies to the calling thread, elsewhere to the whole process.
if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)
const { size } = workerData as ThreadSettings // set by lines.ts

/** Bytes of lines that are sent at once. */
const PIECE = 64 * 1024

const compressors: Compressors = {
  GZIP: (input, length) => gunzipSync(input, { maxOutputLength: Math.max(1, length) }),
  BROTLI: (input, length) => brotliDecompressSync(input, { maxOutputLength: Math.max(1, length) }),
  LZ4: lz4,
  LZ4_RAW: lz4Block,
  ZSTD: (input, length) => decompress(input, new Uint8Array(length)),
}
const codecs = new Set(['UNCOMPRESSED', 'SNAPPY', ...Object.keys(compressors)])

/** Sends a message, and waits for its answer. The bytes of lines are handed over, not copied. */
const ask = (message: FromThread): Promise<ToThread> =>
  new Promise(resolve => {
    port.once('message', resolve)
    port.postMessage(message, 'lines' in message ? [message.lines.buffer as ArrayBuffer] : [])
  })

async function bytesOf(from: number, to: number): Promise<Uint8Array> {
  const answer = await ask({ wants: [from, to] })
  if (!('bytes' in answer)) throw new Error('expected bytes')
  return answer.bytes
}

async function metadataOf(): Promise<FileMetaData> {
  if (size < 12) throw new ParquetFault('damaged', m.ends_too_early())
  const magic = Buffer.from(await bytesOf(0, 4)).toString('latin1')
  if (magic !== 'PAR1') throw new ParquetFault('damaged', m.no_parquet_begins())
  const tail = await bytesOf(size - 8, size)
  if (Buffer.from(tail.subarray(4)).toString('latin1') !== 'PAR1') throw new ParquetFault('damaged', m.not_parquet())
  const length = new DataView(tail.buffer, tail.byteOffset).getUint32(0, true)
  if (length > size - 12) throw new ParquetFault('damaged', m.description_too_long())
  if (length > MAX_FOOTER) throw new ParquetFault('too_large', m.description_too_large({ most: MAX_FOOTER }))
  const metadata = parquetMetadata(await bytesOf(size - 8 - length, size), { geoparquet: false })
  checkSchema(metadata)
  const rows = metadata.row_groups.reduce((sum, { num_rows }) => sum + Number(num_rows), 0)
  if (rows !== Number(metadata.num_rows)) throw new ParquetFault('damaged', m.file_damaged({ why: m.rows_differ() }))
  return metadata
}

async function run(): Promise<void> {
  const metadata = await metadataOf()
  const tree = parquetSchema(metadata)
  const answer = await ask({ columns: tree.children.map(({ element }) => element.name) })
  if (!('columns' in answer)) throw new Error('expected columns')
  const fields = tree.children.filter(({ element }) => answer.columns.includes(element.name))
  const send = sender()
  for (const group of metadata.row_groups) await sendGroup(metadata, group, fields, send)
  await send.flush()
  port?.postMessage({ end: true } satisfies FromThread)
}

async function sendGroup(metadata: FileMetaData, group: RowGroup, fields: readonly SchemaTree[], send: Sender): Promise<void> {
  const rows = Number(group.num_rows)
  const names = fields.map(({ element }) => element.name)
  const chunks = chunksOf(group, new Set(names), size)
  const codec = group.columns.map(({ meta_data }) => String(meta_data?.codec)).find(name => !codecs.has(name))
  if (codec !== undefined) throw new ParquetFault('wrong_file', m.codec({ codec }))
  if (rows === 0) return
  const check = pageChecker(rows)
  const isFlat = ({ element, children }: SchemaTree) => children.length === 0 && element.repetition_type !== 'REPEATED'
  const flatColumns = new Set(fields.filter(isFlat).map(({ element }) => element.name))
  const held: (Chunk & { bytes: Uint8Array })[] = []
  for (const chunk of chunks) {
    const bytes = await bytesOf(chunk.from, chunk.to)
    check(bytes, chunk, flatColumns.has(chunk.column))
    held.push({ ...chunk, bytes })
  }
  const file = {
    byteLength: size,
    /** Reads several columns at once, with the unused bytes between them. */
    slice(from: number, to = size): ArrayBuffer {
      const wanted = new Uint8Array(to - from)
      for (const chunk of held) {
        if (chunk.from >= to || chunk.to <= from) continue
        wanted.set(chunk.bytes.subarray(Math.max(0, from - chunk.from), to - chunk.from), Math.max(0, chunk.from - from))
      }
      return wanted.buffer
    },
  }
  const singleGroup = { ...metadata, row_groups: [group], num_rows: BigInt(rows) }
  const scan = await parquetScan({ file, metadata: singleGroup, columns: names, compressors, useOffsetIndex: false })
  const columns: { key: string; values: ArrayLike<unknown>; textOf: (value: unknown) => string | undefined }[] = []
  for (const { element, children } of fields) {
    const values = await scan.readColumn({ column: element.name, rowStart: 0, rowEnd: rows })
    if (values.length !== rows)
      throw new ParquetFault('damaged', m.file_damaged({ why: m.fewer_rows({ column: JSON.stringify(element.name) }) }))
    const isLocal = children.length === 0 && element.logical_type?.type === 'TIMESTAMP' && !element.logical_type.isAdjustedToUTC
    columns.push({ key: `${JSON.stringify(element.name)}:`, values, textOf: isLocal ? localText : jsonText })
  }
  for (let row = 0; row < rows; row++) {
    const cells: string[] = []
    for (const { key, values, textOf } of columns) {
      const text = textOf(values[row])
      if (text !== undefined) cells.push(key + text)
    }
    await send(`{${cells.join(',')}}\n`)
  }
}

/** A value as JSON; undefined for none. */
function jsonText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  return JSON.stringify(plain(value, 0))
}

/** Keeps a time without an offset; the import has its time zone. */
function localText(value: unknown): string | undefined {
  return value instanceof Date ? jsonText(value)?.replace('Z"', '"') : jsonText(value)
}

function plain(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER ? Number(value) : String(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value
  if (ArrayBuffer.isView(value) || depth > 20) return null
  if (Array.isArray(value)) return value.map(each => plain(each, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each, depth + 1)]))
}

interface Sender {
  (line: string): Promise<void>
  flush(): Promise<void>
}

function sender(): Sender {
  let lines: string[] = []
  let length = 0
  const flush = async () => {
    if (length === 0) return
    const bytes = new TextEncoder().encode(lines.join(''))
    lines = []
    length = 0
    await ask({ lines: bytes })
  }
  const send = async (line: string) => {
    lines.push(line)
    length += line.length
    if (length >= PIECE) await flush()
  }
  return Object.assign(send, { flush })
}

/** Whether a decoder reported the error. Errors of the JavaScript engine, such as a property of undefined, mean nothing to people. */
const isOfDecoder = (error: unknown): error is Error =>
  error instanceof Error && !(error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)

run().catch((error: unknown) => {
  const fault = error instanceof ParquetFault ? error.code : 'damaged'
  const message =
    error instanceof ParquetFault ? error.sentence : m.file_damaged({ why: isOfDecoder(error) ? error.message : m.not_read() })
  port.postMessage({ fault, message: storedSentence(message) } satisfies FromThread)
})
