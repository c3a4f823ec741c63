/** Reports that Footfall mails every day, week or month. */
import { m } from './messages.ts'
import { sentenceOf } from '../../../runtime/texts/message.ts'
import { Type } from '@sinclair/typebox'
import type { Config } from '../../../runtime/settings/config.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import { among, brief, DateTime, Id, iso, Name, Nullable, OneOf, record, Sentence, type Static } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { Db } from '../../../storage/store.ts'
import type { EmailReportRow } from '../../../storage/tables/email-reports.ts'
import { canMail, MAX_REFUSALS } from '../../people/mail/index.ts'
import { dimensionNames } from '../../reports/stats/index.ts'
import { frequencies } from './schedule.ts'
import { languages } from '../../../runtime/texts/reader.ts'

export const ids = { email_report: idKind('rep_'), email_report_mail: idKind('repm_') }

export const limits = { reports: 100, sites: 20, recipients: 50, panels: 8, goals: 5 } as const

export const fields = {
  name: Name({ maxLength: 100, description: 'Name, with which its mails begin.' }),
  site_ids: Type.Array(Id({ description: 'A site.' }), {
    minItems: 1,
    maxItems: limits.sites,
    description: 'Covered sites, in this order. The calendar of the first site decides the days.',
  }),
  frequency: OneOf(frequencies, { description: 'Whether it covers the last day, week or month.' }),
  hour: Type.Integer({
    minimum: 0,
    maximum: 23,
    description: 'Hour at which it is sent, in the time zone of the site; with several sites, in the zone that reaches it last.',
  }),
  recipients: Type.Array(Type.String({ format: 'email', description: 'An e-mail address.' }), {
    minItems: 1,
    maxItems: limits.recipients,
    description: 'Recipients. Each gets a separate mail with a link to unsubscribe.',
  }),
  panels: Type.Array(OneOf(dimensionNames, { description: 'A dimension.' }), {
    maxItems: limits.panels,
    description: 'Dimensions whose top values it shows, in this order.',
    [brief]: { description: 'Dimensions as in `stats_breakdown`.', items: { type: 'string' } },
  }),
  goal_ids: Type.Array(Id({ description: 'A goal.' }), { maxItems: limits.goals, description: 'Goals of its sites to include.' }),
  locale: OneOf(languages, { description: 'Language of its mails, also for numbers and dates.' }),
  skip_empty: Type.Boolean({ description: 'Whether to skip it if there were no visitors.' }),
  include_imported: Type.Boolean({ description: 'Whether it includes imported history, for days before the first hit.' }),
  enabled: Type.Boolean({ description: 'Whether Footfall sends it.' }),
}
export const segmentId = Id({ description: 'Segment to which it is restricted; requires exactly one site.' })

export const EmailReport = record(
  'EmailReport',
  {
    id: Type.String({ description: 'Prefix `rep_`.' }),
    workspace_id: Type.String({ description: 'Workspace it belongs to.' }),
    name: Type.String({ description: 'Name of the report.' }),
    site_ids: Type.Array(Type.String(), { description: fields.site_ids.description ?? '' }),
    frequency: fields.frequency,
    hour: Type.Integer({ description: fields.hour.description ?? '' }),
    recipients: Type.Array(Type.String(), { description: 'Recipients.' }),
    unsubscribed: Type.Array(Type.String(), { description: 'Recipients who unsubscribed; only they can subscribe again.' }),
    failing: Type.Array(Type.String(), {
      description: 'Recipients whose mailbox refused 3 mails in a row. They get no mails until `recipients` is set again.',
    }),
    segment_id: Nullable(Type.String(), { description: 'Segment to which it is restricted.' }),
    panels: Type.Array(Type.String(), { description: 'Dimensions whose top values it shows.' }),
    goal_ids: Type.Array(Type.String(), { description: 'Included goals.' }),
    locale: fields.locale,
    skip_empty: fields.skip_empty,
    include_imported: fields.include_imported,
    enabled: fields.enabled,
    next_at: Nullable(DateTime(), { description: 'Time of the next mails; null if none are planned.' }),
    last_sent_at: Nullable(DateTime(), { description: 'Time at which it was last sent to a recipient.' }),
    last_error: Nullable(Sentence(), { description: 'Reason for which it is not sent, or not to all recipients; null if it is.' }),
    created_at: DateTime({ description: 'Creation time.' }),
    updated_at: DateTime({ description: 'Time of the last change.' }),
  },
  'A report that Footfall mails regularly.',
)

export interface Recipient {
  readonly email: string
  readonly unsubscribed_at: number | null
  readonly refused: number
}

/** A report with its sites, goals and recipients, in order. */
export interface FullReport extends EmailReportRow {
  readonly site_ids: readonly string[]
  readonly goal_ids: readonly string[]
  readonly recipients: readonly Recipient[]
}

/** Adds sites, goals and recipients to reports. Omits sites that were deleted, or that moved while the report was changed. */
export async function withLinks(db: Db, rows: readonly EmailReportRow[]): Promise<FullReport[]> {
  const found = rows.map(({ id }) => id)
  if (found.length === 0) return []
  const sites = await db
    .selectFrom('email_report_sites as l')
    .innerJoin('sites as s', 's.id', 'l.site_id')
    .innerJoin('email_reports as r', 'r.id', 'l.report_id')
    .select(['l.report_id', 'l.site_id as id'])
    .where('l.report_id', 'in', found)
    .whereRef('s.workspace_id', '=', 'r.workspace_id')
    .where('s.deleted_at', 'is', null)
    .orderBy('l.position')
    .execute()
  const goals = await db
    .selectFrom('email_report_goals')
    .select(['report_id', 'goal_id as id'])
    .where('report_id', 'in', found)
    .orderBy('position')
    .execute()
  const recipients = await db
    .selectFrom('email_report_recipients')
    .select(['report_id', 'email', 'unsubscribed_at', 'refused'])
    .where('report_id', 'in', found)
    .where('position', 'is not', null)
    .orderBy('position')
    .execute()
  return rows.map(row => {
    const own = <T extends { report_id: string }>(all: readonly T[]) => all.filter(({ report_id }) => report_id === row.id)
    return {
      ...row,
      site_ids: own(sites).map(({ id }) => id),
      goal_ids: own(goals).map(({ id }) => id),
      recipients: own(recipients).map(({ email, unsubscribed_at, refused }) => ({ email, unsubscribed_at, refused })),
    }
  })
}

export const emailReport = subject<'email_report', FullReport>({
  name: 'email_report',
  async find(db, id) {
    const rows = await db.selectFrom('email_reports').selectAll().where('id', '=', id).execute()
    const [row] = await withLinks(db, rows)
    return row && { row, workspaceId: row.workspace_id, siteId: null }
  },
  async lock(db, id) {
    const rows = await db
      .updateTable('email_reports')
      .set(({ ref }) => ({ name: ref('name') }))
      .where('id', '=', id)
      .returningAll()
      .execute()
    return (await withLinks(db, rows))[0]
  },
})

export function panelsOf({ panels }: Pick<EmailReportRow, 'panels'>): string[] {
  const list: unknown = JSON.parse(panels)
  return Array.isArray(list) ? list.filter(each => typeof each === 'string') : []
}

export const noServer = m.no_server()

export function toEmailReport(row: FullReport, config: Config): Static<typeof EmailReport> {
  const isSent = canMail(config)
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    name: row.name,
    site_ids: [...row.site_ids],
    frequency: among(frequencies, row.frequency),
    hour: row.hour,
    recipients: row.recipients.map(({ email }) => email),
    unsubscribed: row.recipients.filter(({ unsubscribed_at }) => unsubscribed_at !== null).map(({ email }) => email),
    failing: row.recipients.filter(({ refused }) => refused >= MAX_REFUSALS).map(({ email }) => email),
    segment_id: row.segment_id,
    panels: panelsOf(row),
    goal_ids: [...row.goal_ids],
    locale: among(languages, row.locale),
    skip_empty: row.skip_empty === 1,
    include_imported: row.include_imported === 1,
    enabled: row.enabled === 1,
    next_at: isSent ? iso(row.next_at) : null,
    last_sent_at: iso(row.last_sent_at),
    last_error: isSent ? row.last_error && sentenceOf(row.last_error) : noServer,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}
