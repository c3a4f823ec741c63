/** The upload of an import as its source reads it: records of hits, or rows of totals. */
import { createHash } from 'node:crypto'
import { csvRecords, unguarded } from './csv.ts'
import type { FieldMap } from './fields.ts'
import { jsonLines } from './ndjson.ts'
import { logLines } from './log-lines.ts'
import { jsonObjects } from './json-objects.ts'
import type { Recorded } from './record.ts'
import { type Archive, type Part, rowsOf, textsOf } from './sources/archive.ts'
import { withoutInvalidLines } from './utf8.ts'
import type { Ignored } from './left-out.ts'
import type { HitSource } from './sources/source.ts'

/** SHA-256 of the unpacked content, hex. Reads the whole file, so it detects damage before anything is stored. */
export async function fingerprintOf({ parts }: Archive): Promise<string> {
  const hash = createHash('sha256')
  for (const part of parts) for await (const piece of part.bytes()) hash.update(piece)
  return hash.digest('hex')
}

export interface HitInput {
  /** @param skip records at the beginning @param onRead bytes of the upload read so far */
  records(skip: number, onRead?: (bytes: number) => void): AsyncGenerator<readonly Recorded[]>
  /** Columns that are left out; known once the first record is read. */
  readonly ignored: readonly Ignored[]
}

/** @throws JobFailure if the file does not belong to the source */
export function hitInput(archive: Archive, source: HitSource, map: Partial<FieldMap>): HitInput {
  const part = source.part(archive)
  const ignored: Ignored[] = []
  const format = source.format ?? formatOf(part)
  const onHeader = (columns: readonly string[]) => {
    // Columns of Parquet that are left out are not read, so their rows are not counted.
    const rows = archive.form === 'parquet' ? null : 0
    ignored.splice(0, ignored.length, ...source.header(columns, map).map(each => ({ ...each, rows })))
  }
  const chosen = (columns: readonly string[]) => {
    onHeader(columns)
    return columns.filter(name => !ignored.some(({ what }) => what === name))
  }
  return {
    ignored,
    records(skip, onRead = () => {}) {
      let read = 0
      if (archive.form === 'parquet')
        return jsonLines(
          rowsOf(archive, chosen, bytes => onRead((read += bytes))),
          skip,
        )
      const invalid = new Set<number>()
      const texts = textsOf(part, bytes => onRead((read += bytes)), invalid)
      if (format === 'csv') {
        const delimiter = /\.tsv$/i.test(part.name) ? '\t' : undefined
        return withoutInvalidLines(
          csvRecords(texts, { delimiter, skip, onHeader, ...(!source.convert && { cleaned: unguarded }) }),
          invalid,
        )
      }
      if (format === 'log') return withoutInvalidLines(logLines(texts, skip), invalid)
      // All objects may be on one line, so a line does not identify an object.
      return format === 'objects' ? jsonObjects(texts, skip) : withoutInvalidLines(jsonLines(texts, skip), invalid)
    },
  }
}

/** If the name has no known ending, the file is read as CSV. */
const formatOf = ({ name }: Part): 'csv' | 'ndjson' => (/\.(ndjson|jsonl|json)$/i.test(name) ? 'ndjson' : 'csv')
