/** Footfall's own format: NDJSON, CSV or Parquet (docs/import.md), and its exports of hits. */
import { m } from '../messages.ts'
import { JobFailure } from '../../../../runtime/tasks/job.ts'
import { unreadColumns } from '../fields.ts'
import type { HitSource } from './source.ts'

export const footfall: HitSource = {
  kind: 'hits',
  title: 'NDJSON, CSV or Parquet with Footfall’s own fields',
  part({ parts }) {
    const [part, more] = parts
    if (!part || more) throw new JobFailure('wrong_file', m.one_file_of_ours())
    return part
  },
  header(columns, map) {
    try {
      return unreadColumns(columns, map).map(what => ({ what, why: m.column_not_mapped() }))
    } catch (error) {
      throw new JobFailure('wrong_columns', error instanceof Error ? error.message : m.columns_not_read())
    }
  },
  convert: null,
}
