/** An import: a file of another product, or of ours, that becomes history of a site. */
import { restoreMessages } from '../../../runtime/texts/message.ts'
import { Type } from '@sinclair/typebox'
import { idKind } from '../../../runtime/values/ids.ts'
import { jobFields, jobState, jobStates } from '../../../runtime/tasks/job.ts'
import { among, CalendarDay, DateTime, Nullable, OneOf, record, Sentence, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { ImportRow } from '../../../storage/tables/index.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { ofSite } from '../../sites/sites/records.ts'
import { sourceNames } from './sources/index.ts'

export const ids = { import: idKind('imp_') }

/** States before a job's: the file is not here yet. */
export const states = ['awaiting_upload', ...jobStates] as const

const count = (description: string) => Type.Integer({ unit: 'count', description })

export const Import = record(
  'Import',
  {
    id: Type.String({ description: 'Prefix `imp_`.' }),
    site_id: Type.String({ description: 'Site it brings history to.' }),
    source: OneOf(sourceNames, { description: 'Product whose file it reads.' }),
    kind: OneOf(['hits', 'aggregates'], {
      description: '`hits` count like those that were collected; `aggregates` are daily totals, shown only with `include_imported`.',
    }),
    filename: Type.String({ description: 'Name of the file.' }),
    url: Nullable(Type.String(), { description: 'Where the file is fetched from, without its query; null where it is uploaded.' }),
    map: Type.Record(Type.String(), Type.String(), { description: 'Columns of the file that fields are read from.' }),
    timezone: Type.String({ description: 'IANA time zone of times without an offset.' }),
    from: Nullable(CalendarDay(), { description: 'First day of what it brings; until it is known, the first that is wanted.' }),
    to: Nullable(CalendarDay(), { description: 'Last day of what it brings; until it is known, the last that is wanted.' }),
    dry_run: Type.Boolean({ description: 'Whether it only reports what it would import.' }),
    upload_url: Nullable(Type.String(), {
      description: 'Where to PUT the file, for 24 hours, whole or in pieces by Content-Range. Shown once, when the import is made.',
    }),
    rows_read: count('Rows read so far.'),
    rows_taken: count('Rows that were taken over.'),
    rows_refused: count('Rows that were refused; `imports_refused_list` has them.'),
    ignored: Type.Array(
      Type.Object({
        what: Type.String({ description: 'A column, or a file of the archive.' }),
        why: Sentence({ description: 'Why it is left out.' }),
      }),
      { description: 'What the file has and the import leaves out.' },
    ),
    undoable: Type.Boolean({ description: 'Whether deleting it takes out again what it brought.' }),
    fingerprint: Nullable(Type.String(), { description: 'SHA-256 of the unpacked file; null until it is started.' }),
    ...jobFields(states, '`awaiting_upload` until it is started.'),
  },
  'An import of a file.',
)

export const Refused = record(
  'RefusedLine',
  {
    file: Type.String({ description: 'File of the archive; the uploaded one where there is none.' }),
    line: Type.Integer({ description: 'Its line, from 1.' }),
    reason: Sentence({ description: 'Why it was refused.' }),
    text: Type.String({ description: 'What it says, as it was read, up to 500 characters; empty where it could not be read.' }),
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

/** @param beside what is worked out: whether it can be undone, and the link, for who made it */
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
    upload_url: uploadUrl,
    rows_read: row.rows_read,
    rows_taken: row.rows_taken,
    rows_refused: row.rows_refused,
    ignored: JSON.parse(row.ignored, restoreMessages),
    undoable,
    fingerprint: row.fingerprint,
    status: among(states, row.status),
    ...jobState(row),
  }
}
