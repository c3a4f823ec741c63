/** Messages of exports: notices, states, and faults of their fields. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('exports', {
  the_export_of_site_is_ready: 'The export of {site} is ready',
  the_export_of_site_failed: 'The export of {site} failed',
  it_belongs_to_kind_from_to: 'It belongs to {kind}, {from} to {to}.',
  the_file_is_ready: 'The file is ready.',
  the_export_failed: 'The export failed.',
  export_created: 'Export created.',
  export_cancelled: 'Export cancelled.',
  went_wrong: 'Something went wrong on our side.',
  rows_kept: 'The file has {count, plural, one {# row} other {# rows}} and is kept for seven days.',
  to_before_from: '{field} must not be before from.',
  too_many_open: '{most} exports of this site are already in progress: wait for one, or cancel it.',
  is_already: 'This export is already {state}.',
  narrows_only_hits: '{field} applies only to hits and visits; received kind={kind}.',
  export_rows: 'Rows: {count}',
  export_file: 'Download the file ({size})',
  export_until: 'It is kept until {when}.',
  export_gone: 'The file is no longer kept: make the export again.',
  export_named: '{kind}, {format}, {from} – {to}',
})
