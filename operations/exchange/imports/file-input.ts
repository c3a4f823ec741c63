/** The upload of an import as its source reads it: records of hits, or rows of totals. */
import { createHash } from 'node:crypto'
import { csvRecords, unguarded } from './csv.ts'
import type { FieldMap } from './fields.ts'
import { jsonLines } from './ndjson.ts'
import { jsonObjects } from './json-objects.ts'
import type { Recorded } from './record.ts'
import { type Archive, type Part, textsOf } from './sources/archive.ts'
import type { HitSource, Ignored } from './sources/source.ts'

/** SHA-256 of the unpacked content, hex. Reads everything, so it tells of damage before anything is stored. */
export async function fingerprintOf({ parts }: Archive): Promise<string> {
  const hash = createHash('sha256')
  for (const part of parts) for await (const piece of part.bytes()) hash.update(piece)
  return hash.digest('hex')
}

export interface HitInput {
  /** @param skip records at the beginning @param onRead bytes of the upload read so far */
  records(skip: number, onRead?: (bytes: number) => void): AsyncGenerator<readonly Recorded[]>
  readonly ignored: readonly Ignored[]
}

/** @throws JobFailure where the file is not the source's */
export function hitInput(archive: Archive, source: HitSource, map: Partial<FieldMap>): HitInput {
  const part = source.part(archive)
  const ignored: Ignored[] = []
  const format = source.format ?? formatOf(part)
  const onHeader = (columns: readonly string[]) => {
    ignored.splice(0, ignored.length, ...source.header(columns, map))
  }
  return {
    ignored,
    records(skip, onRead = () => {}) {
      let read = 0
      const texts = textsOf(part, bytes => onRead((read += bytes)))
      if (format === 'csv') {
        const rows = csvRecords(texts, { delimiter: /\.tsv$/i.test(part.name) ? '\t' : ',', skip, onHeader })
        return source.convert ? rows : unguardedRows(rows)
      }
      return format === 'objects' ? jsonObjects(texts, skip) : jsonLines(texts, skip)
    },
  }
}

/** Without a telling name, what does not look like JSON is read as a CSV. */
const formatOf = ({ name }: Part): 'csv' | 'ndjson' => (/\.(ndjson|jsonl|json)$/i.test(name) ? 'ndjson' : 'csv')

async function* unguardedRows(rows: AsyncIterable<readonly Recorded[]>): AsyncGenerator<Recorded[]> {
  for await (const piece of rows) {
    yield piece.map(each => {
      if (!('record' in each)) return each
      const cells = Object.entries(each.record).map(([name, value]) => [name, typeof value === 'string' ? unguarded(value) : value])
      return { line: each.line, record: Object.fromEntries(cells) }
    })
  }
}
