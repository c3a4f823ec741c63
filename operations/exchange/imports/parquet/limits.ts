/**
 * Limits of a Parquet file. Decoders trust the numbers in a file, so they are checked before: the rows and values that a
 * few bytes declare, pages that unpack to gigabytes, and columns outside of the file.
 */
import { crc32 } from 'node:zlib'
import { m } from '../messages.ts'
import type { Message } from '../../../../runtime/texts/message.ts'
import { type DataReader, type FileMetaData, parquetSchema, type RowGroup, type SchemaTree } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'

const MB = 1024 * 1024
/** The description at the end of the file: about 10,000 row groups of 40 columns. */
export const MAX_FOOTER = 32 * MB
const MAX_COLUMNS = 2_000
const MAX_DEPTH = 12
/** Limits of a row group, which is in memory as a whole. */
const MAX_VALUES = 30_000_000
const MAX_PACKED = 256 * MB
const MAX_UNPACKED = 1024 * MB
const MAX_PAGE = 128 * MB

/** The reason why a file cannot be read. */
export class ParquetFault extends Error {
  readonly code: string
  readonly sentence: Message
  constructor(code: string, sentence: Message) {
    super(String(sentence))
    this.code = code
    this.sentence = sentence
  }
}

const damaged = (why: Message): never => {
  throw new ParquetFault('damaged', m.file_damaged({ why }))
}
const tooLarge = (why: Message): never => {
  throw new ParquetFault('too_large', m.smaller_row_groups({ why }))
}

/** Bytes of a column of a row group. */
export interface Chunk {
  readonly column: string
  readonly from: number
  readonly to: number
}

/** @throws ParquetFault */
export function checkSchema(metadata: FileMetaData): void {
  if (metadata.schema.length > MAX_COLUMNS) tooLarge(m.too_many_columns({ count: metadata.schema.length, most: MAX_COLUMNS }))
  const depthOf = (tree: SchemaTree, depth: number): void => {
    if (depth > MAX_DEPTH) damaged(m.nested_too_deep({ most: MAX_DEPTH }))
    for (const child of tree.children) depthOf(child, depth + 1)
  }
  depthOf(parquetSchema(metadata), 0)
}

/** Byte ranges of the columns of a row group. @throws ParquetFault */
export function chunksOf(group: RowGroup, columns: ReadonlySet<string>, size: number): readonly Chunk[] {
  const rows = Number(group.num_rows)
  let packed = 0
  const chunks = group.columns.flatMap(({ meta_data: meta, file_path: elsewhere }): Chunk[] => {
    const column = meta?.path_in_schema[0] ?? ''
    if (!meta || elsewhere) return damaged(m.column_missing())
    if (!columns.has(column)) return []
    const first = Number(meta.dictionary_page_offset || meta.data_page_offset)
    const from = Math.min(first, Number(meta.data_page_offset))
    const to = from + Number(meta.total_compressed_size)
    if (!(from >= 4 && to >= from && to <= size)) damaged(m.column_outside({ column: shown(column) }))
    packed += to - from
    return [{ column, from, to }]
  })
  if (!(rows >= 0 && Number.isSafeInteger(rows))) damaged(m.no_rows())
  if (rows * chunks.length > MAX_VALUES || packed > MAX_PACKED) tooLarge(m.too_many_values_of_rows({ rows, columns: chunks.length }))
  return chunks
}

/** Counts the values that the pages of a row group declare. */
export function pageChecker(rows: number) {
  let [values, unpacked] = [0, 0]
  /** @param isFlat each row has one value @throws ParquetFault */
  return (bytes: Uint8Array, { column }: Chunk, isFlat: boolean): void => {
    const reader: DataReader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 }
    let here = 0
    while (reader.offset < bytes.byteLength - 1 && !(isFlat && here >= rows)) {
      const page = parquetHeader(reader)
      const { compressed_page_size: packedSize, uncompressed_page_size: size } = page
      const data = page.data_page_header ?? page.data_page_header_v2
      const count = (page.type === 'DICTIONARY_PAGE' ? page.dictionary_page_header?.num_values : data?.num_values) ?? 0
      if (!(packedSize >= 0 && reader.offset + packedSize <= bytes.byteLength)) damaged(m.page_does_not_end({ column: shown(column) }))
      const bytesOfPage = bytes.subarray(reader.offset, reader.offset + packedSize)
      // Writers may leave the checksum out. It covers what follows the header of the page, as it is stored.
      if (page.crc !== undefined && crc32(bytesOfPage) !== page.crc >>> 0) damaged(m.wrong_checksum({ column: shown(column) }))
      if (!(size >= 0 && size <= MAX_PAGE)) tooLarge(m.page_too_large({ column: shown(column), bytes: size }))
      if (!(count >= 0)) damaged(m.page_without_values({ column: shown(column) }))
      if (page.type === 'DICTIONARY_PAGE' ? count > size : isFlat && (here += count) > rows)
        damaged(m.page_with_more_values({ column: shown(column) }))
      values += count
      unpacked += size
      if (values > MAX_VALUES || unpacked > MAX_UNPACKED) tooLarge(m.row_group_too_large())
      reader.offset += packedSize
    }
  }
}

const shown = (name: string): string => JSON.stringify(name.slice(0, 100))
