/** A note marks a time on a site's charts, for example a deploy, a campaign or an outage. */
import { Type } from '@sinclair/typebox'
import { DateTime, iso, record, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { NoteRow } from '../../../storage/tables/index.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import { ofSite } from '../sites/records.ts'

export const ids = { note: idKind('note_') }

export const Note = record(
  'Note',
  {
    id: Type.String({ description: 'Prefix `note_`.' }),
    site_id: Type.String({ description: 'Site of the note.' }),
    at: DateTime({ description: 'Time that the note marks.' }),
    text: Type.String({ description: 'Text of the note.' }),
    author: Type.String({ description: 'Member who wrote the note: the name; otherwise, the e-mail address.' }),
    created_at: DateTime({ description: 'When the note was created.' }),
    updated_at: DateTime({ description: 'When the note was last changed.' }),
  },
  'A note on an event at a time, shown on the charts of its site.',
)

export const note = subject<'note', NoteRow>({ name: 'note', calledBy: null, table: 'notes', find: ofSite('notes') })

export function toNote({ id, site_id, at, text, author, created_at, updated_at }: NoteRow): Static<typeof Note> {
  return { id, site_id, at: iso(at), text, author, created_at: iso(created_at), updated_at: iso(updated_at) }
}
