import { Type } from '@sinclair/typebox'
import { fail } from '../../../runtime/table/errors.ts'
import { clipped } from '../../../runtime/values/clip.ts'
import { oneLine } from '../../../runtime/values/one-line.ts'
import { deleteFor, restoring } from '../../../runtime/table/restoring.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { DateTime, optional } from '../../../runtime/table/schema.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { daysInput, instantsOf } from '../../../runtime/table/day-range.ts'
import { site } from '../sites/records.ts'
import { Note, note, toNote, ids } from './records.ts'

const fields = {
  text: Type.String({ minLength: 1, maxLength: 500, description: 'Text of the note, for example "Deployed 2.0".' }),
  at: DateTime({ description: 'Time that the note marks. Defaults to now.' }),
}

export const notes_list = list({
  route: 'GET /sites/{site_id}/notes',
  summary: 'List the notes of a site',
  empty: {
    says: 'A note marks a day on every chart: a release, a campaign, an outage. Later you see what it changed.',
    like: [
      ['v2.0', '2026-03-10'],
      ['Newsletter #14', '2026-03-17'],
    ],
  },
  description: 'Deploys, campaigns, outages and other events that explain a chart. Latest first, by the marked time.',
  place: 'records',
  access: 'analytics.read',
  on: site,
  groups: true,
  effect: 'read',
  input: daysInput('Only notes', 'in the site’s time zone'),
  of: Note,
  examples: [
    { input: { site_id: '{{site}}' } },
    { summary: 'Of one month', input: { site_id: '{{site}}', from: '2026-03-01', to: '2026-03-31' } },
  ],
  async run({ db, site, input, page }) {
    const { from, to } = instantsOf(input, site.timezone)
    let query = db.selectFrom('notes').selectAll().where('site_id', '=', site.id)
    if (from !== undefined) query = query.where('at', '>=', from)
    if (to !== undefined) query = query.where('at', '<', to)
    const { rows, total } = await pageOf(query.orderBy('at', 'desc').orderBy('id', 'desc'), page)
    return { rows: rows.map(toNote), total }
  },
})

export const notes_create = operation({
  route: 'POST /sites/{site_id}/notes',
  summary: 'Add a note: for example on a deploy, a campaign or an outage',
  description: 'Marks a time on charts, so that they explain why something changed.',
  access: 'content.write',
  on: site,
  groups: true,
  effect: 'create',
  input: { text: fields.text, at: optional(fields.at) },
  output: Note,
  examples: [
    { summary: 'From a deploy', input: { site_id: '{{site}}', text: 'Deployed 2.1' } },
    { summary: 'Afterwards', input: { site_id: '{{site}}', text: 'Outage', at: '2026-03-01T09:30:00Z' } },
  ],
  async run({ db, site, caller, input, now, newId }) {
    const row = {
      id: newId(ids.note),
      site_id: site.id,
      at: input.at === undefined ? now : Date.parse(input.at),
      text: input.text,
      author: caller.member.name,
      created_at: now,
      updated_at: now,
    }
    await db.insertInto('notes').values(row).execute()
    return toNote(row)
  },
})

export const notes_get = operation({
  route: 'GET /sites/{site_id}/notes/{id}',
  summary: 'Get a note',
  access: 'analytics.read',
  on: [site, note],
  groups: true,
  effect: 'read',
  input: {},
  output: Note,
  examples: [{ input: { site_id: '{{site}}', id: '{{note}}' } }],
  run: ({ note }) => toNote(note),
})

export const notes_update = operation({
  route: 'PATCH /sites/{site_id}/notes/{id}',
  summary: 'Change a note',
  access: 'content.write',
  on: [site, note],
  groups: true,
  effect: 'update',
  input: { text: optional(fields.text), at: optional(DateTime({ description: 'Time that the note marks.' })) },
  output: Note,
  examples: [{ input: { site_id: '{{site}}', id: '{{note}}', text: 'Deployed 2.0.1' } }],
  async run({ db, note, input, now }) {
    const changed = await db
      .updateTable('notes')
      .set({ text: input.text, at: input.at === undefined ? undefined : Date.parse(input.at), updated_at: now })
      .where('id', '=', note.id)
      .returningAll()
      .executeTakeFirst()
    return toNote(changed ?? fail('not_found'))
  },
})

export const notes_delete = operation({
  route: 'DELETE /sites/{site_id}/notes/{id}',
  summary: 'Delete a note',
  description: '`notes_restore` undoes it within 30 days.',
  access: 'content.write',
  on: [site, note],
  groups: true,
  effect: 'delete',
  input: {},
  output: Note,
  examples: [{ input: { site_id: '{{site}}', id: '{{note}}' } }],
  async run({ site, note: { id, text }, ...call }) {
    return toNote(
      await deleteFor(call, { table: 'notes', id, name: clipped(oneLine(text), 100), workspaceId: site.workspace_id, siteId: site.id }),
    )
  },
})

export const notes_restore = restoring({
  route: 'POST /sites/{site_id}/notes/{id}/restore',
  undoes: 'notes_delete',
  table: 'notes',
  of: note,
  summary: 'Restore a deleted note',
  description: 'Brings it back with its id, within 30 days of its deletion.',
  help: 'Brings it back as it was.',
  done: 'Note restored.',
  access: 'content.write',
  on: site,
  groups: true,
  output: Note,
  examples: [{ input: { site_id: '{{site}}', id: '{{deleted_note}}' } }],
  answer: toNote,
})
