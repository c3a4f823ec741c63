/**
 * Writes Parquet one column of a row group at a time, with a turn of the event loop in between. The encoder would write a
 * whole group in one turn, which blocked requests for half a second.
 */
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import { giveWay } from '../../../storage/system/event-loop.ts'
import type { Sink } from './sinks.ts'
import type { Column, RowWriter } from './row-writer.ts'

/** Rows of a group. One turn encodes one column of a group, and another turn the footer, which has an entry for each group. */
const GROUP = 8_192
const types = { text: 'STRING', json: 'STRING', int: 'INT64', real: 'DOUBLE', flag: 'BOOLEAN', time: 'TIMESTAMP' } as const

export function parquetWriter(sink: Sink, columns: readonly Column[]): RowWriter {
  const bytes = new ByteWriter()
  const flush = async () => {
    const piece = bytes.getBytes().slice()
    bytes.index = 0
    await sink.write(piece)
    await giveWay()
  }
  const empty = () => columns.map((): unknown[] => [])
  const schema = schemaFromColumnData({
    columnData: columns.map(({ name, type }) => ({ name, type: types[type], nullable: true, data: [] })),
  })
  const parquet = new ParquetWriter({ writer: bytes, schema, createdBy: 'footfall' })
  let held = empty()

  async function writeGroup(): Promise<void> {
    const [group, before, size] = [held, parquet.row_groups.length, held[0]?.length ?? 0]
    held = empty()
    for (const [i, { name, type }] of columns.entries()) {
      const statistics = type !== 'text' && type !== 'json' // the footer would contain long texts twice
      await parquet.write({ columnData: [{ name, data: group[i] ?? [], statistics }], rowGroupSize: size })
      await flush()
    }
    // Each call created a group of one column. Merge them into one group of all columns.
    const parts = parquet.row_groups.splice(before)
    parquet.num_rows -= BigInt(size * (parts.length - 1))
    parquet.row_groups.push({
      columns: parts.flatMap(part => part.columns),
      num_rows: BigInt(size),
      total_byte_size: parts.reduce((sum, part) => sum + part.total_byte_size, 0n),
      total_compressed_size: parts.reduce((sum, part) => sum + (part.total_compressed_size ?? 0n), 0n),
    })
  }

  return {
    async write(rows) {
      for (const [i, { name, type }] of columns.entries()) {
        const column = held[i]
        for (const row of rows) column?.push(parquetValue(row[name], type))
      }
      if ((held[0]?.length ?? 0) >= GROUP) await writeGroup()
      await giveWay()
    },
    async close() {
      if ((held[0]?.length ?? 0) > 0) await writeGroup()
      await parquet.finish()
      await flush()
      await sink.close()
    },
  }
}

function parquetValue(value: unknown, type: Column['type']): unknown {
  if (value === undefined || value === null) return null
  if (type === 'time') return new Date(Number(value))
  if (type === 'int') return BigInt(Number(value))
  if (type === 'json') return JSON.stringify(value)
  return value
}
