/** Parquet as other programs write it, and invalid Parquet. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { DuckDBInstance } from '../../../tools/duckdb.mjs'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { pageChecker } from '../../../operations/exchange/imports/parquet/limits.ts'
import { lz4, lz4Block } from '../../../operations/exchange/imports/parquet/lz4.ts'
import { parquetLines } from '../../../operations/exchange/imports/parquet/parquet-lines.ts'
import type { StoredFile } from '../../../operations/exchange/files/index.ts'
import { JobFailure } from '../../../runtime/tasks/job.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { isFull, someOf } from '../../support/full.ts'
import { type Importing, type Site, siteIn, startImporting } from './site.ts'

/** Changed files that are read; `PARQUET_CHANGES` for more. */
const changes = Number(process.env.PARQUET_CHANGES ?? (isFull ? 25 : 6))
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-parquet-'))
after(() => fs.rmSync(folder, { recursive: true, force: true }))

/** The file that DuckDB writes for a query. */
async function written(query: string, options = ''): Promise<Buffer> {
  const file = path.join(folder, 'file.parquet')
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(`copy (${query}) to '${file}' (format parquet${options})`)
  connection.closeSync()
  return fs.readFileSync(file)
}

const stored = (bytes: Buffer): StoredFile => ({
  size: bytes.length,
  async *read(from = 0, to = bytes.length) {
    yield Buffer.from(bytes.subarray(from, to))
  },
  close: async () => {},
})

/** All rows, or why there are none. */
async function rowsIn(bytes: Buffer): Promise<unknown[] | JobFailure> {
  try {
    let text = ''
    for await (const piece of parquetLines(stored(bytes), columns => columns)) text += Buffer.from(piece).toString()
    return text
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
  } catch (error) {
    assert.ok(error instanceof JobFailure, String(error))
    return error
  }
}

const numbers = `select i, 'text ' || (i % 10) as t, i / 4 as r, i % 2 = 0 as b, case when i % 3 = 0 then null else i end as n,
  [i, i + 1] as l, {a: i, b: {c: 'x'}} as s, timestamptz '2025-03-01 12:00:00+00' + i * interval 1 second as at,
  timestamp '2025-03-01 12:00:00' as local from range(2100) r(i)`

for (const codec of ['snappy', 'gzip', 'zstd', 'brotli', 'lz4_raw', 'uncompressed']) {
  test(`values of every kind, compressed by ${codec}, in several row groups`, async () => {
    const rows = await rowsIn(await written(numbers, `, compression ${codec}, row_group_size 2048`))
    assert.ok(Array.isArray(rows), String(rows))
    assert.equal(rows.length, 2100)
    assert.deepEqual(rows[7], {
      i: 7,
      t: 'text 7',
      r: 1.75,
      b: false,
      n: 7,
      l: [7, 8],
      s: { a: 7, b: { c: 'x' } },
      at: '2025-03-01T12:00:07.000Z',
      local: '2025-03-01T12:00:00.000',
    })
    assert.equal('n' in (rows[2099] as object), true)
    assert.equal('n' in (rows[2097] as object), false)
  })
}

test('LZ4 is read in each of its forms, and refused where its lengths lie', () => {
  const text = Buffer.from('abcabcabcabcabcabcabcabc-abcabc')
  // 3 letters, a match of 21 that overlaps with itself; then the rest as it is.
  const block = Buffer.from([0x3f, ...Buffer.from('abc'), 3, 0, 21 - 4 - 15, 0x70, ...Buffer.from('-abcabc')])
  const framed = Buffer.concat([Buffer.from([0, 0, 0, text.length, 0, 0, 0, block.length]), block])
  assert.deepEqual(Buffer.from(lz4Block(block, text.length)), text)
  assert.deepEqual(Buffer.from(lz4(block, text.length)), text)
  assert.deepEqual(Buffer.from(lz4(framed, text.length)), text)
  const twice = Buffer.from(lz4(Buffer.concat([framed, framed]), text.length * 2))
  assert.deepEqual(twice, Buffer.concat([text, text]))
  for (const length of [0, 5, text.length - 1, text.length + 1]) assert.throws(() => lz4(framed, length), /LZ4/)
  for (let i = 0; i < block.length; i++) assert.throws(() => lz4Block(block.subarray(0, i), text.length), /LZ4/)
  assert.throws(() => lz4Block(Buffer.from([0x1f, 65, 2, 0, 0, 0]), 24), /refers to missing data/)
  assert.throws(() => lz4Block(Buffer.from([0xf0, 255, 255, 255]), 24), /does not end/)
})

test('a compression that is not read is named', async () => {
  const fault = await rowsIn(
    Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'a', data: [1] }], codec: 'LZO', compressors: { LZO: bytes => bytes } })),
  )
  assert.ok(fault instanceof JobFailure)
  assert.deepEqual([fault.code, /LZO/.test(fault.message)], ['wrong_file', true])
})

/** A file with some bytes of its description changed. */
function changed(bytes: Buffer, at: number, to: readonly number[]): Buffer {
  const copy = Buffer.from(bytes)
  copy.set(to, at)
  return copy
}

test('a file that is cut, or lies about itself, is damaged or too large, and costs neither minutes nor gigabytes', async () => {
  const good = await written(numbers, ', row_group_size 2048')
  const began = process.memoryUsage.rss()
  const faultOf = async (bytes: Buffer) => {
    const rows = await rowsIn(bytes)
    return Array.isArray(rows) ? `${rows.length} rows` : rows.code
  }
  for (const size of someOf([4, 8, 11, 12, 500, good.length - 1, good.length - 9], 4))
    assert.equal(await faultOf(good.subarray(0, size)), 'damaged', `${size}`)
  assert.equal(await faultOf(Buffer.concat([good, good.subarray(-8)])), 'damaged')
  assert.equal(await faultOf(changed(good, good.length - 8, [0xff, 0xff, 0xff, 0x7f])), 'damaged')
  assert.equal(await faultOf(changed(good, good.length - 8, [0, 0, 0, 0])), 'damaged')
  const nested = Buffer.concat([
    Buffer.from('PAR1'),
    Buffer.alloc(1_000_000, 0x1c),
    Buffer.from([0x40, 0x42, 0x0f, 0]),
    Buffer.from('PAR1'),
  ])
  assert.equal(await faultOf(nested), 'damaged')
  const lists = Buffer.concat([
    Buffer.from('PAR1'),
    Buffer.from([0x29, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07]),
    Buffer.from([7, 0, 0, 0]),
    Buffer.from('PAR1'),
  ])
  assert.equal(await faultOf(lists), 'damaged')

  // Each figure that a page or the description claims, made as large as it gets.
  let random = 7
  const chance = (max: number) => (random = (random * 48_271) % 2_147_483_647) % max
  const described = good.readUInt32LE(good.length - 8)
  const outcomes = new Map<string, number>()
  for (let i = 0; i < changes; i++) {
    const at = i % 3 === 0 ? chance(300) + 4 : good.length - 8 - 1 - chance(described)
    const to = i % 2 === 0 ? [0xff, 0xff, 0xff, 0xff, 0x07] : [chance(256)]
    const outcome = await faultOf(changed(good, at, to))
    const kind = /rows/.test(outcome) ? 'read' : outcome
    outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1)
  }
  assert.deepEqual(
    [...outcomes.keys()].filter(kind => !['read', 'damaged', 'too_large', 'wrong_file'].includes(kind)),
    [],
  )
  assert.ok((outcomes.get('damaged') ?? 0) > changes / 10, JSON.stringify([...outcomes]))
  const grown = (process.memoryUsage.rss() - began) / 1024 ** 2
  assert.ok(grown < 600, `${grown} MB`)
})

test('a Parquet file with another beginning, another number of rows or a wrong checksum is damaged', async () => {
  const faultOf = async (bytes: Buffer) => {
    const rows = await rowsIn(bytes)
    return Array.isArray(rows) ? `${rows.length} rows` : `${rows.code}: ${rows.message}`
  }
  const good = await written('select i from range(10) r(i)', ', compression uncompressed')
  assert.equal(await faultOf(good), '10 rows')
  assert.match(await faultOf(changed(good, 0, [...Buffer.from('PARE')])), /^damaged: .*does not begin as Parquet/)
  assert.match(await faultOf(changed(good, 0, [0, 0, 0, 0])), /^damaged: .*does not begin as Parquet/)

  // A page whose header says the checksum of its bytes (parquet.thrift, PageHeader.crc), and one of other bytes.
  const checked = (page: Uint8Array, crc: number) => {
    const writer = new ByteWriter()
    const size = page.length
    const levels = { encoding: 'PLAIN', definition_level_encoding: 'RLE', repetition_level_encoding: 'RLE' } as const
    const header = { type: 'DATA_PAGE', uncompressed_page_size: size, compressed_page_size: size, crc } as const
    writePageHeader(writer, { ...header, data_page_header: { num_values: 2, ...levels } })
    return Buffer.concat([Buffer.from(writer.getBytes()), page])
  }
  const page = Buffer.from([2, 0, 0, 0, 3, 3, 1, 0, 0, 0, 2, 0, 0, 0])
  const chunk = { column: 'a', from: 0, to: 0 }
  pageChecker(2)(checked(page, crc32(page) | 0), chunk, true)
  assert.throws(() => pageChecker(2)(checked(page, (crc32(page) | 0) ^ 1), chunk, true), /damaged.*checksum of a page of "a"/)
  const flipped = Buffer.from(page)
  flipped[8] = 9
  assert.throws(() => pageChecker(2)(checked(flipped, crc32(page) | 0), chunk, true), /damaged.*checksum/)
})

test('a few bytes that unpack to gigabytes are refused', async () => {
  const one = (rows: number) =>
    Buffer.from(
      parquetWriteBuffer({
        columnData: [{ name: 'a', data: Array.from({ length: rows }, () => 'x'.repeat(1000)), type: 'STRING' }],
        codec: 'SNAPPY',
        rowGroupSize: rows,
      }),
    )
  const wide = await written(
    `select ${Array.from({ length: 40 }, (_, i) => `null::varchar as c${i}`).join(', ')} from range(1000000)`,
    ', row_group_size 1000000',
  )
  const fault = await rowsIn(wide)
  assert.ok(fault instanceof JobFailure && fault.code === 'too_large', String(fault))
  assert.match(fault.message, /1000000 rows of 40 columns.*smaller row groups/)
  assert.ok(Array.isArray(await rowsIn(one(10))))
})

onAnyEngine('an import of Parquet', engine => {
  let service: Importing
  let site: Site
  before(async () => {
    service = await startImporting(engine)
    site = await siteIn(service)
  })
  after(() => service.close())
  const period = { period: 'custom', from: '2025-03-01', to: '2025-03-31' }
  const pageviews = async () => (await site.get('stats_aggregate', period)).data.metrics.pageviews

  test('Parquet: reads our fields, lists omitted columns and refused rows, and recognizes the same file', async () => {
    const query = `select timestamp '2025-03-02 10:00:00' + i * interval 1 minute as created, '/p' || (i % 3) as url, 'v' || (i % 5) as visitor,
      i as other, case when i = 4 then 'no number' else '12' end as engaged_ms from range(50) r(i)
      union all select null, '/', 'v', 0, null`
    const content = await written(query)
    const given = { map: { timestamp: 'created' }, timezone: 'America/New_York' }
    const done = await site.load('footfall', 'hits.parquet', content, given)
    assert.deepEqual([done.status, done.rows_read, done.rows_taken], ['completed', 51, 50], JSON.stringify(done))
    assert.deepEqual(
      done.ignored.map(({ what }: { what: string }) => what),
      ['other'],
    )
    const [refused] = (await site.get('imports_refused_list', { id: done.id })).data
    assert.deepEqual([refused.line, /timestamp/.test(refused.reason)], [51, true])
    assert.equal(await pageviews(), 50)
    const first = (await site.get('stats_timeseries', { ...period, interval: 'hour' })).data.series.find(
      (point: any) => point.pageviews > 0,
    )
    assert.match(JSON.stringify(first), /2025-03-02T1[56]/, '10:00 in New York is 15:00 in UTC')
    const again = await site.upload('footfall', 'other.parquet', content, given)
    assert.equal((await site.ask('imports_start', { id: again })).body.error.code, 'already_exists')
  })

  test('a file that is named Parquet and does not begin as one is damaged', async () => {
    const good = await written('select i from range(10) r(i)', ', compression uncompressed')
    assert.match(await site.refusal('footfall', 'hits.parquet', changed(good, 0, [0, 0, 0, 0])), /damaged.*does not begin as Parquet/)
  })

  test('a Parquet file without a required column is refused at the start', async () => {
    assert.match(await site.refusal('footfall', 'a.parquet', await written('select 1 as timestamp')), /url/)
    assert.match(await site.refusal('ga4_bigquery', 'a.parquet', await written('select 1 as a')), /event_name/)
    assert.match(await site.refusal('plausible', 'a.parquet', await written('select 1 as a')), /not a file of Plausible/)
  })

  test('of GA4’s table in BigQuery has its events and parameters', async () => {
    site = await siteIn(service)
    const done = await site.load(
      'ga4_bigquery',
      'events_20250302.parquet',
      await written(`select '20250302' as event_date, 1740909600000000 + i * 1000000 as event_timestamp, case when i = 3 then 'sign_up' else 'page_view' end as event_name,
        [{key: 'page_location', value: {string_value: 'https://example.com/p' || i, int_value: null::bigint, float_value: null::double, double_value: null::double}},
         {key: 'ga_session_id', value: {string_value: null, int_value: 7::bigint, float_value: null, double_value: null}}] as event_params,
        'u' || (i % 2) as user_pseudo_id, {category: 'mobile', language: 'de-de', web_info: {browser: 'Chrome', browser_version: '120'}} as device,
        {country: 'Germany', region: 'Berlin', city: 'Berlin'} as geo from range(6) r(i)`),
    )
    assert.deepEqual([done.status, done.rows_taken, done.rows_refused], ['completed', 6, 0], JSON.stringify(done))
    assert.equal(await pageviews(), 5)
    const rowsOf = async (dimension: string) =>
      (await site.get('stats_breakdown', { ...period, dimension })).data.rows.map((row: any) => row.value)
    assert.deepEqual([await rowsOf('country'), await rowsOf('device'), await rowsOf('event')], [['DE'], ['mobile'], ['sign_up']])
  })
})
