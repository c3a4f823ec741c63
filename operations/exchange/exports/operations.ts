import { Type } from '@sinclair/typebox'
import type { Config } from '../../../runtime/config.ts'
import { fail, failWith } from '../../../runtime/errors.ts'
import { list, operation } from '../../../runtime/operation.ts'
import { CalendarDay, OneOf, optional } from '../../../runtime/schema.ts'
import { type SecretBox, secretBox } from '../../../runtime/secret-box.ts'
import { locked } from '../../../runtime/subject.ts'
import { wakeAfter } from '../../../runtime/wake.ts'
import { pageOf } from '../../../storage/page.ts'
import type { Db } from '../../../storage/store.ts'
import type { ExportRow } from '../../../storage/tables/index.ts'
import { dayOf, localDay } from '../../../storage/zones.ts'
import { site } from '../../sites/sites/records.ts'
import { linkTo } from '../files/index.ts'
import { Export, exported, formats, ids, kinds, toExport } from './records.ts'
import { downloadPath, exporting } from './work.ts'

/** Exports of a site that are not done yet. */
const MOST_OPEN = 20

const ofExport = { site_id: '{{site}}', id: '{{export}}' }

interface Making {
  readonly db: Db
  readonly box: SecretBox
  readonly config: Config
  readonly now: number
}

async function shown(row: ExportRow, { now, ...making }: Making) {
  const isThere = row.status === 'completed' && row.expires_at !== null && row.expires_at > now
  return toExport(row, isThere ? await linkTo(making, 'GET', downloadPath(row.id), row.expires_at ?? 0) : null)
}

export const exports_list = list({
  route: 'GET /sites/{site_id}/exports',
  summary: 'List the exports of a site',
  description: 'Newest first, with links to the files that are ready.',
  access: 'analytics.export',
  on: site,
  effect: 'read',
  secrets: ['download_url'],
  input: {},
  of: Export,
  examples: [{ input: { site_id: '{{site}}' } }],
  async run({ db, site, page, use, config, now }) {
    const all = db.selectFrom('exports').selectAll().where('site_id', '=', site.id)
    const { rows, total } = await pageOf(all.orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
    return { rows: await Promise.all(rows.map(row => shown(row, { db, box: use(secretBox), config, now }))), total }
  },
})

export const exports_get = operation({
  route: 'GET /sites/{site_id}/exports/{id}',
  summary: 'Get an export: how far it is, and the link to its file',
  access: 'analytics.export',
  on: [site, exported],
  effect: 'read',
  secrets: ['download_url'],
  input: {},
  output: Export,
  examples: [{ input: ofExport }],
  run: ({ db, export: row, use, config, now }) => shown(row, { db, box: use(secretBox), config, now }),
})

export const exports_create = operation({
  route: 'POST /sites/{site_id}/exports',
  summary: 'Export hits, visits or daily totals as a file',
  description: 'CSV, NDJSON or Parquet; hits and totals can be imported again. The event export.ready tells when the file is there.',
  access: 'analytics.export',
  on: site,
  effect: 'create',
  secrets: ['download_url'],
  input: {
    kind: OneOf(kinds, { description: 'What to export.' }),
    format: OneOf(formats, { default: 'csv', description: 'Format of the file; totals are a zip of such files.' }),
    from: optional(CalendarDay({ description: 'First day, in the time zone of the site; default: all there is.' })),
    to: optional(CalendarDay({ description: 'Last day, included; default: today.' })),
    raw: Type.Boolean({
      default: false,
      description: 'Leave cells of a CSV that begin with = + - @ as they are: no spreadsheet will read it.',
    }),
  },
  output: Export,
  examples: [
    { summary: 'Everything', input: { site_id: '{{site}}', kind: 'hits', format: 'ndjson' } },
    { summary: 'Totals of a month', input: { site_id: '{{site}}', kind: 'aggregates', from: '2026-02-01', to: '2026-02-28' } },
  ],
  async run({ db, site, input, now, newId, use, config }) {
    const first = await db
      .selectFrom('visits')
      .select(({ fn }) => fn.min('day').as('day'))
      .where('site_id', '=', site.number)
      .executeTakeFirst()
    const today = localDay(site.timezone, now).day
    const to = input.to === undefined ? today : (dayOf(input.to) ?? today)
    const from = input.from === undefined ? Math.min(first?.day ?? to, to) : (dayOf(input.from) ?? to)
    if (to < from) failWith([{ pointer: '/to', code: 'too_small', message: 'to must not be before from.' }])
    const open = await db
      .selectFrom('exports')
      .select('id')
      .where('site_id', '=', site.id)
      .where('status', 'in', ['pending', 'running'])
      .limit(MOST_OPEN)
      .execute()
    if (open.length === MOST_OPEN) fail('limit_reached', `${MOST_OPEN} exports of this site are under way: wait for one, or cancel it.`)
    const row: ExportRow = {
      id: newId(ids.export),
      workspace_id: site.workspace_id,
      site_id: site.id,
      kind: input.kind,
      format: input.format,
      from_day: from,
      to_day: to,
      raw: Number(input.raw),
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
    }
    await db.insertInto('exports').values(row).execute()
    wakeAfter(db, exporting)
    return shown(row, { db, box: use(secretBox), config, now })
  },
})

export const exports_cancel = operation({
  route: 'POST /sites/{site_id}/exports/{id}/cancel',
  summary: 'Cancel an export',
  access: 'analytics.export',
  on: [site, locked(exported)],
  effect: 'update',
  offered: { status: ['pending', 'running'] },
  secrets: ['download_url'],
  input: {},
  output: Export,
  examples: [{ input: ofExport }],
  async run({ db, export: row, now }) {
    if (row.status !== 'pending' && row.status !== 'running') fail('invalid_state', `This export is ${row.status} already.`)
    const cancelled = await db
      .updateTable('exports')
      .set({ status: 'cancelled', finished_at: now, updated_at: now })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toExport(cancelled, null)
  },
})

export const exports_delete = operation({
  route: 'DELETE /sites/{site_id}/exports/{id}',
  summary: 'Delete an export and its file',
  access: 'analytics.export',
  on: [site, exported],
  effect: 'delete',
  secrets: ['download_url'],
  input: {},
  output: Export,
  examples: [{ input: ofExport }],
  async run({ db, export: row }) {
    const gone = await db.deleteFrom('exports').where('id', '=', row.id).returningAll().executeTakeFirst()
    return toExport(gone ?? fail('not_found'), null)
  },
})
