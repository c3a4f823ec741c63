/**
 * Files in a bucket: `{prefix}/{table}/site=…/date=…/part-000.parquet`, which DuckDB, Athena, BigQuery and Snowflake load.
 * `_manifest.json` is written after all parts. Then parts that it does not name are deleted.
 */
import { createHash, randomUUID } from 'node:crypto'
import { targetUrl, endpointGuard } from '../../../runtime/outbound/outbound.ts'
import { among } from '../../../runtime/table/schema.ts'
import type { WarehouseSyncRow } from '../../../storage/tables/warehouse.ts'
import { memorySink, openWriter } from '../exports/index.ts'
import { BucketError, openBucket } from '../files/index.ts'
import { formats } from './records.ts'
import { type DayToSend, type Opening, ownColumns, type Warehouse, WarehouseError } from './warehouse.ts'

/** A part ends at the first piece beyond this size: it stays in memory, because its checksum is sent first. */
const PART_BYTES = 8 * 1024 * 1024
const PART_ROWS = 500_000
const types = { parquet: 'application/vnd.apache.parquet', ndjson: 'application/x-ndjson' } as const

export function openFiles(row: WarehouseSyncRow, secretAccessKey: string, { config, now }: Opening): Warehouse {
  const { endpoint, region, bucket: name, prefix, access_key_id } = row
  if (region === null || name === null || access_key_id === null) throw new Error(`sync ${row.id} has no bucket`)
  const guard = endpointGuard(targetUrl(endpoint ?? 'https://amazonaws.com'), config)
  const bucket = openBucket({
    address: { endpoint, region, bucket: name },
    keys: { accessKeyId: access_key_id, secretAccessKey },
    guard,
    now,
  })
  const format = among(formats, row.format ?? '')
  const base = prefix ? `${prefix}/` : ''

  async function send(day: DayToSend) {
    const folder = `${base}${day.table}/site=${day.site}/date=${day.date}/`
    const parts: { name: string; rows: number; bytes: number; sha256: string }[] = []
    let [sink, writer, rows] = await opened(day)
    const putPart = async () => {
      await writer.close()
      const bytes = sink.bytes()
      const name = `part-${String(parts.length).padStart(3, '0')}.${format}`
      await day.assertLease()
      await bucket.put(folder + name, bytes, types[format])
      parts.push({ name, rows, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
    }
    for await (const piece of day.rows()) {
      if (sink.size >= PART_BYTES || rows >= PART_ROWS) {
        await putPart()
        ;[sink, writer, rows] = await opened(day)
      }
      await writer.write(piece)
      rows += piece.length
    }
    if (rows > 0) await putPart()

    await day.assertUnchanged()
    const total = parts.reduce((sum, part) => sum + part.rows, 0)
    const manifest = { table: day.table, site: day.site, date: day.date, rev: day.rev, format, rows: total, parts }
    await day.assertLease()
    await bucket.put(`${folder}_manifest.json`, JSON.stringify(manifest), 'application/json')
    const named = new Set(parts.map(part => folder + part.name))
    for (const { key } of await bucket.list(`${folder}part-`)) {
      if (named.has(key) || !/^part-\d+\.(parquet|ndjson)$/.test(key.slice(folder.length))) continue
      await day.assertLease()
      await bucket.remove(key)
    }
    return { rows: total, bytes: parts.reduce((sum, part) => sum + part.bytes, 0) }
  }

  async function opened({ columns }: DayToSend) {
    const sink = memorySink()
    const writer = await openWriter({ sink, format, columns: ownColumns(columns), raw: true, bom: false })
    return [sink, writer, 0] as [typeof sink, typeof writer, number]
  }

  return {
    send: day => withFaults(send(day)),
    test: () =>
      withFaults(
        (async () => {
          const key = `${base}_footfall_test_${randomUUID()}`
          await bucket.put(key, 'A test: this is deleted at once.', 'text/plain')
          await bucket.list(key)
          await bucket.remove(key)
        })(),
      ),
    close: async () => {},
  }
}

async function withFaults<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (thrown) {
    throw thrown instanceof BucketError ? new WarehouseError(thrown.code, thrown.sentence) : thrown
  }
}
