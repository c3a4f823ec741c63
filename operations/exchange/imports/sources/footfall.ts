/** Our own form: NDJSON, CSV or Parquet, as docs/import.md has it, and our exports of hits. */
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { unreadColumns } from '../fields.ts'
import type { HitSource } from './source.ts'

export const footfall: HitSource = {
  kind: 'hits',
  title: 'NDJSON, CSV or Parquet in our own fields',
  part({ parts }) {
    const [part, more] = parts
    if (!part || more)
      throw new JobFailure(
        'wrong_file',
        'One NDJSON, CSV or Parquet file is read; NDJSON and CSV also gzipped or as the only file of a zip.',
      )
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
