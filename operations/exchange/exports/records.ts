/** An export: hits, visits or totals of a site as a file. */
import { Type } from '@sinclair/typebox'
import { idKind } from '../../../runtime/values/ids.ts'
import { jobFields, jobState, jobStates } from '../../../runtime/tasks/job.ts'
import { among, CalendarDay, DateTime, iso, Nullable, OneOf, record, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { Db } from '../../../storage/store.ts'
import type { ExportRow } from '../../../storage/tables/index.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { ofSite } from '../../sites/sites/records.ts'

export const ids = { export: idKind('exp_') }
export const kinds = ['hits', 'visits', 'aggregates', 'crawlers'] as const
export const formats = ['csv', 'ndjson', 'parquet'] as const

/** Of exports of a site and of a workspace: the file, and the job that writes it. */
export const fileFields = {
  download_url: Nullable(Type.String(), {
    description: 'URL to GET the file without a token; null before it is ready and after it has expired.',
  }),
  expires_at: Nullable(DateTime(), { description: 'Time until which the file is kept.' }),
  rows: Type.Integer({ unit: 'count', description: 'Rows written so far.' }),
  bytes: Nullable(Type.Integer(), { unit: 'bytes', description: 'Size of the file; null before it is ready.' }),
  sha256: Nullable(Type.String(), { description: 'SHA-256 of the file, hex; null before it is ready.' }),
  ...jobFields(jobStates, 'State of the export.'),
}

export const Export = record(
  'Export',
  {
    id: Type.String({ description: 'Prefix `exp_`.' }),
    site_id: Type.String({ description: 'Exported site.' }),
    kind: OneOf(kinds, {
      description:
        '`hits` and `aggregates` can be imported again; `visits` has one row for each visit; `aggregates` is a zip of daily totals; `crawlers` has one row for each crawler and day.',
    }),
    format: OneOf(formats, { description: 'Format of the file, or of the files in the zip.' }),
    from: CalendarDay({ description: 'First day.' }),
    to: CalendarDay({ description: 'Last day, included.' }),
    filters: Type.Array(Type.Unknown(), { description: 'Conditions of the exported visits.' }),
    segment_id: Nullable(Type.String(), { description: 'Segment of the exported visits.' }),
    raw: Type.Boolean({ description: 'Whether cells of a CSV that begin like a formula stay unchanged.' }),
    bom: Type.Boolean({ description: 'Whether a CSV begins with a byte order mark.' }),
    ...fileFields,
  },
  'An export of a site’s data.',
)

export const lock = (db: Db, id: string): Promise<ExportRow | undefined> =>
  db
    .updateTable('exports')
    .set(({ ref }) => ({ status: ref('status') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const exported = subject<'export', ExportRow>({
  name: 'export',
  calledBy: null,
  find: ofSite('exports'),
  lock,
})

/** The columns of an export that waits for its task, without a selection. */
export const newExport = (now: number) =>
  ({
    raw: 0,
    bom: 0,
    filters: null,
    segment_id: null,
    scope: null,
    rows_written: 0,
    bytes: null,
    sha256: null,
    expires_at: null,
    status: 'pending',
    progress: 0,
    error_code: null,
    error_message: null,
    started_at: null,
    finished_at: null,
    created_at: now,
    updated_at: now,
  }) satisfies Partial<ExportRow>

/** @param downloadUrl null if there is no file */
export const fileOf = (row: ExportRow, downloadUrl: string | null) => ({
  download_url: downloadUrl,
  expires_at: iso(row.expires_at),
  rows: row.rows_written,
  bytes: row.bytes,
  sha256: row.sha256,
  status: among(jobStates, row.status),
  ...jobState(row),
})

/** @param downloadUrl null if there is no file */
export function toExport(row: ExportRow, downloadUrl: string | null): Static<typeof Export> {
  return {
    id: row.id,
    site_id: row.site_id,
    kind: among(kinds, row.kind),
    format: among(formats, row.format),
    from: dateOf(row.from_day),
    to: dateOf(row.to_day),
    filters: row.filters === null ? [] : JSON.parse(row.filters), // written by exports_create
    segment_id: row.segment_id,
    raw: row.raw === 1,
    bom: row.bom === 1,
    ...fileOf(row, downloadUrl),
  }
}
