import { fieldTerm, valueTerm } from '../../../runtime/texts/message.ts'
import { firstVisit } from '../../../storage/hits/first-and-last-visit.ts'
import { Type } from '@sinclair/typebox'
import { sql } from 'kysely'
import { fail, failWith } from '../../../runtime/table/errors.ts'
import { outcomeOf } from '../../../runtime/table/outcome.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { CalendarDay, OneOf, optional } from '../../../runtime/table/schema.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import { jobsOpen } from '../../../runtime/tasks/job.ts'
import { countOf, pageOf } from '../../../storage/sql/page.ts'
import type { Db } from '../../../storage/store.ts'
import type { ExportRow } from '../../../storage/tables/index.ts'
import { dayOf, localDay } from '../../../storage/calendar/zones.ts'
import { type LiveSite, site } from '../../sites/sites/records.ts'
import { apply, type Scope, statsInput } from '../../reports/stats/index.ts'
import { Export, exported, formats, ids, kinds, newExport, toExport } from './records.ts'
import { exportTask } from './export-files.ts'
import { m } from './messages.ts'
import { cancel, created, downloadUrl, type LinkServices, remove } from './outcomes.ts'

/** Exports of a site that have not ended, at most. */
const MAX_OPEN = 20

const ofExport = { site_id: '{{site}}', id: '{{export}}' }

const shown = async (row: ExportRow, services: LinkServices) => toExport(row, await downloadUrl(row, services))

export const exports_list = list({
  route: 'GET /sites/{site_id}/exports',
  summary: 'List the exports of a site',
  empty: {
    says: 'An export is a file with raw hits, visits or reports, for a spreadsheet or another program.',
    like: [
      ['visits-2026-10.csv', '12 MB'],
      ['hits-2026-q3.parquet', '48 MB'],
    ],
  },
  description: 'Newest first, with links to the files that are ready.',
  place: 'data',
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
  summary: 'Get an export: its progress, and the link to its file',
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
  summary: 'Export hits, visits, daily totals or crawlers as a file',
  label: 'Create an export',
  description:
    'CSV, NDJSON or Parquet; hits and totals can be imported again. The event `export.ready` and a mail announce that the file is ready.',
  help: 'CSV, NDJSON or Parquet; hits and totals can be imported again. A mail announces that the file is ready.',
  access: 'analytics.export',
  on: locked(site),
  effect: 'create',
  secrets: ['download_url'],
  input: {
    kind: OneOf(kinds, { description: 'Data to export.' }),
    format: OneOf(formats, { default: 'csv', description: 'Format of the file; totals are a zip of files in this format.' }),
    from: optional(CalendarDay({ description: 'First day, in the time zone of the site; defaults to the first day with data.' })),
    to: optional(CalendarDay({ description: 'Last day, included; defaults to today.' })),
    filters: statsInput.filters,
    segment_id: statsInput.segment_id,
    raw: Type.Boolean({
      default: false,
      description: 'Keep cells of a CSV that begin with = + - @ unchanged. Use it only if no spreadsheet opens the file.',
    }),
    bom: Type.Boolean({
      default: false,
      description: 'Begin a CSV with a byte order mark, so that Excel reads its letters as UTF-8.',
    }),
  },
  output: Export,
  outcome: ({ status, error }) => outcomeOf(status, created, error),
  examples: [
    { summary: 'Everything', input: { site_id: '{{site}}', kind: 'hits', format: 'ndjson' } },
    { summary: 'Visits from Germany', input: { site_id: '{{site}}', kind: 'visits', filters: [['country', 'is', 'DE']] } },
    { summary: 'Totals of a month', input: { site_id: '{{site}}', kind: 'aggregates', from: '2026-02-01', to: '2026-02-28' } },
  ],
  async run({ db, site, caller, input, now, newId, use, config }) {
    const first = await firstDay(db, site, input.kind)
    const today = localDay(site.timezone, now).day
    const to = input.to === undefined ? today : (dayOf(input.to) ?? today)
    const from = input.from === undefined ? Math.min(first ?? to, to) : (dayOf(input.from) ?? to)
    if (to < from) failWith([{ pointer: '/to', code: 'too_small', message: m.to_before_from({ field: fieldTerm('to') }) }])
    const scope = await scopeOf(db, { site, input, now })
    const open = db.selectFrom('exports').where('site_id', '=', site.id).where('status', 'in', jobsOpen)
    if ((await countOf(open)) >= MAX_OPEN) fail('limit_reached', m.too_many_open({ most: MAX_OPEN }))
    const row: ExportRow = {
      ...newExport(now),
      id: newId(ids.export),
      workspace_id: site.workspace_id,
      site_id: site.id,
      created_by: caller.member.accountId,
      kind: input.kind,
      format: input.format,
      from_day: from,
      to_day: to,
      raw: Number(input.raw),
      bom: Number(input.bom),
      filters: scope && JSON.stringify(input.filters ?? []),
      segment_id: input.segment_id ?? null,
      scope: scope && JSON.stringify(scope),
    }
    await db.insertInto('exports').values(row).execute()
    wakeAfter(db, exportTask)
    return shown(row, { db, box: use(secretBox), config, now })
  },
})

export const exports_cancel = operation({
  route: 'POST /sites/{site_id}/exports/{id}/cancel',
  summary: 'Cancel an export',
  label: 'Stop the export',
  done: 'Export cancelled.',
  access: 'analytics.export',
  on: [site, locked(exported)],
  effect: 'update',
  discards: true,
  offered: { status: jobsOpen },
  secrets: ['download_url'],
  input: {},
  output: Export,
  examples: [{ input: ofExport }],
  run: async ({ db, export: row, now }) => toExport(await cancel(db, row, now), null),
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
  run: async ({ db, export: row }) => toExport(await remove(db, row), null),
})

/** The first day with data; null if there is none. */
async function firstDay(db: Db, site: LiveSite, kind: string): Promise<number | null> {
  if (kind !== 'crawlers') {
    const first = await firstVisit(db, site.number)
    return first && Math.min(first.day, localDay(site.timezone, first.at).day)
  }
  const min = sql<number | null>`min(day)`.as('day')
  const first = await db.selectFrom('crawler_days').select(min).where('site_id', '=', site.id).executeTakeFirst()
  return first?.day ?? null
}

interface Narrowing {
  readonly kind: string
  readonly filters?: unknown
  readonly segment_id?: string | undefined
}

/** Resolves the conditions now, so that a later change of the segment does not affect the export. Null without conditions. */
async function scopeOf(
  db: Db,
  { site, input: { kind, filters, segment_id }, now }: { site: LiveSite; input: Narrowing; now: number },
): Promise<Pick<Scope, 'where' | 'goals'> | null> {
  const given = Array.isArray(filters) && filters.length > 0
  if (!given && segment_id === undefined) return null
  if (kind !== 'hits' && kind !== 'visits') {
    const field = given ? 'filters' : 'segment_id'
    failWith([{ pointer: `/${field}`, code: 'mismatch', message: m.narrows_only_hits({ field: fieldTerm(field), kind: valueTerm(kind) }) }])
  }
  const { where, goals } = await apply(db, site, now, { period: '30d', compare: 'none', match_weekday: false, filters, segment_id })
  return { where, goals }
}
