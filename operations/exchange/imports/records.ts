/** Imports: files of other products or of Footfall that become history of a site. */
import { restoreMessages } from '../../../runtime/texts/message.ts'
import { Type } from '@sinclair/typebox'
import { idKind } from '../../../runtime/values/ids.ts'
import { jobFields, jobState, jobStates } from '../../../runtime/tasks/job.ts'
import { among, CalendarDay, DateTime, Nullable, OneOf, record, Sentence, type Static, technical } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { ImportRow } from '../../../storage/tables/index.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { ofSite } from '../../sites/sites/records.ts'
import type { Ignored } from './left-out.ts'
import { sourceNames } from './sources/index.ts'

export const ids = { import: idKind('imp_') }

/** States of an import: the states of a job, and before them the wait for the file. */
export const states = ['awaiting_upload', ...jobStates] as const

/** How to treat days that an earlier import of the source has. */
export const overlaps = ['refuse', 'skip', 'replace', 'add'] as const
export type Overlap = (typeof overlaps)[number]

const count = (description: string) => Type.Integer({ unit: 'count', description })

export const Import = record(
  'Import',
  {
    id: Type.String({ description: 'Prefix `imp_`.' }),
    site_id: Type.String({ description: 'Site that receives the history.' }),
    source: OneOf(sourceNames, { description: 'Product that exported the file.' }),
    kind: OneOf(['hits', 'aggregates'], {
      description: '`hits` count like collected hits; `aggregates` are daily totals, shown only with `include_imported`.',
    }),
    filename: Type.String({ description: 'Name of the file.' }),
    url: Nullable(Type.String(), { description: 'URL of the file, without its query; null if the file is uploaded.' }),
    map: Type.Record(Type.String(), Type.String(), { description: 'The column of the file for each field.' }),
    timezone: Type.String({ description: 'IANA time zone of times without an offset.' }),
    from: Nullable(CalendarDay(), { description: 'First imported day; until it is known, the first requested day.' }),
    to: Nullable(CalendarDay(), { description: 'Last imported day; until it is known, the last requested day.' }),
    dry_run: Type.Boolean({ [technical]: true, description: 'Whether it only reports what it would import.' }),
    overlap: OneOf(overlaps, { [technical]: true, description: 'Treatment of days that an earlier import of the same source has.' }),
    upload_url: Nullable(Type.String(), {
      description: 'URL to PUT the file for 24 hours, complete or in pieces with Content-Range. Returned only when the import is created.',
    }),
    rows_read: count('Rows read so far.'),
    rows_taken: count('Imported rows.'),
    rows_refused: count('Refused rows; `imports_refused_list` lists them.'),
    ignored: Type.Array(
      Type.Object({
        what: Type.String({ description: 'A column or field, a kind of row, or a file of the archive.' }),
        why: Sentence({ description: 'Reason for which it is ignored.' }),
        rows: Nullable(count('Rows that have it; null if they are not counted, as for a file of the archive.')),
      }),
      { description: 'Columns, fields, kinds of rows and files that the import ignores.' },
    ),
    undoable: Type.Boolean({ [technical]: true, description: 'Whether deleting the import also deletes its data.' }),
    fingerprint: Nullable(Type.String(), { [technical]: true, description: 'SHA-256 of the unpacked file; null until it is started.' }),
    ...jobFields(states, '`awaiting_upload` until it is started.'),
  },
  'An import of a file.',
)

export const Refused = record(
  'RefusedLine',
  {
    file: Type.String({ description: 'File of the archive, or the uploaded file.' }),
    line: Type.Integer({ description: 'Its line, from 1.' }),
    reason: Sentence({ description: 'Reason of the refusal.' }),
    text: Type.String({ description: 'Text of the line, at most 500 characters; empty if it could not be read.' }),
  },
  'A line that an import refused.',
)

export const ImportUpload = record(
  'ImportUpload',
  {
    upload_url: Type.String({ description: 'Where to PUT the file, whole or in pieces by Content-Range.' }),
    received: Type.Integer({ unit: 'bytes', description: 'Bytes that are there: go on from here.' }),
    total: Nullable(Type.Integer({ unit: 'bytes' }), { description: 'Size that the upload announced; null before it began.' }),
    expires_at: DateTime({ description: 'When the link ends, and with it the import that has no file by then.' }),
  },
  'The upload of an import.',
)

const findImport = ofSite('imports')
export const imported = subject<'import', ImportRow>({
  name: 'import',
  calledBy: null,
  async find(db, id) {
    const found = await findImport(db, id)
    return found?.row.removing === 0 ? found : undefined
  },
  lock: (db, id) =>
    db
      .updateTable('imports')
      .set(({ ref }) => ({ status: ref('status') }))
      .where('id', '=', id)
      .where('removing', '=', 0)
      .returningAll()
      .executeTakeFirst(),
})

/** Rows, fields and amounts that an import leaves out. Imports of older versions did not count rows. */
export const ignoredOf = ({ ignored }: Pick<ImportRow, 'ignored'>): readonly Ignored[] =>
  JSON.parse(ignored, restoreMessages).map((each: Ignored) => ({ ...each, rows: each.rows ?? null }))

/** @param beside computed fields: whether it can be undone, and the link, for its creator */
export function toImport(
  row: ImportRow,
  { undoable, uploadUrl = null }: { undoable: boolean; uploadUrl?: string | null },
): Static<typeof Import> {
  const dateIn = (day: number | null) => (day === null ? null : dateOf(day))
  return {
    id: row.id,
    site_id: row.site_id,
    source: among(sourceNames, row.source),
    kind: among(['hits', 'aggregates'], row.kind),
    filename: row.filename,
    url: row.url_shown,
    map: JSON.parse(row.map),
    timezone: row.timezone,
    from: dateIn(row.first_day ?? row.from_day),
    to: dateIn(row.last_day ?? row.to_day),
    dry_run: row.dry_run === 1,
    overlap: among(overlaps, row.overlap),
    upload_url: uploadUrl,
    rows_read: row.rows_read,
    rows_taken: row.rows_taken,
    rows_refused: row.rows_refused,
    ignored: [...ignoredOf(row)],
    undoable,
    fingerprint: row.fingerprint,
    status: among(states, row.status),
    ...jobState(row),
  }
}
