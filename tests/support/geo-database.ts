/** Databases of places in the format of MaxMind. */
import assert from 'node:assert/strict'

/** A MaxMind database (format 2.0) with a record for the addresses below 128.0.0.0, and one for the others. */
export function geoDatabase(low: unknown, high: unknown = low): Buffer {
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 0,
    database_type: 'test',
    description: {},
    ip_version: 4,
    languages: [],
    node_count: 1,
    record_size: 24,
  }
  const first = encoded(low)
  const second = 1 + 16 + first.length
  const node = Buffer.from([0, 0, 1 + 16, 0, second >>> 8, second & 255])
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
  return Buffer.concat([node, Buffer.alloc(16), first, encoded(high), marker, encoded(metadata)])
}

function encoded(value: unknown): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value)
    const head = bytes.length < 29 ? [(2 << 5) | bytes.length] : [(2 << 5) | 29, bytes.length - 29]
    return Buffer.concat([Buffer.from(head), bytes])
  }
  if (typeof value === 'number') return Buffer.from([(6 << 5) | 4, value >>> 24, value >>> 16, value >>> 8, value])
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([value.length, 11 - 7]), ...value.map(encoded)])
  assert.ok(typeof value === 'object' && value !== null)
  const entries = Object.entries(value)
  return Buffer.concat([Buffer.from([(7 << 5) | entries.length]), ...entries.flat().map(encoded)])
}
