/** Our own form: NDJSON or CSV, as docs/import.md has it, and our exports of hits. */
import { JobFailure } from '../../../../runtime/job.ts'
import { unreadColumns } from '../fields.ts'
import type { HitSource } from './source.ts'

export const footfall: HitSource = {
  kind: 'hits',
  title: 'NDJSON or CSV in our own fields',
  part({ parts, form }) {
    const [part, more] = parts
    if (!part || more) throw new JobFailure('wrong_file', 'One NDJSON or CSV file is read, plain, gzipped or alone in a zip.')
    if (form === 'parquet') throw new JobFailure('wrong_file', 'Parquet is not read here; export the hits as CSV or NDJSON.')
    return part
  },
  header(columns, map) {
    try {
      return unreadColumns(columns, map).map(what => ({ what, why: 'a column that is not read; name its field in map' }))
    } catch (error) {
      throw new JobFailure('wrong_columns', error instanceof Error ? error.message : 'The columns cannot be read.')
    }
  },
  convert: null,
}
