/** Reports that are mailed every day, week or month, their recipients, and the mails. */
import { text, int, instant, day, flag, json, oneOf, reference, nullable, unique, withDefault } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const email_reports = table(
  {
    id: text,
    workspace_id: reference('workspaces'),
    /** The account that created the report and is mailed if it fails; null once the account is deleted. */
    created_by: nullable(reference('accounts', { onDelete: 'set null' })),
    name: text,
    frequency: text,
    /** Hour of the day, local to the sites. */
    hour: int,
    /** Not a foreign key: if the segment is deleted, the report is not sent. With null, it would report on all visitors. */
    segment_id: nullable(text),
    /** Names of dimensions, JSON. */
    panels: json,
    locale: text,
    skip_empty: flag,
    /** 1 if imported history is included, for days before the first hit. */
    include_imported: withDefault(flag, 1),
    enabled: flag,
    /** First day of the next period to report; null if none is planned. */
    next_day: nullable(day),
    next_at: nullable(instant),
    leased_until: nullable(instant),
    last_sent_at: nullable(instant),
    last_error: nullable(text),
    /** 1 if its creator was mailed about the failures since the last success. */
    told: flag,
    created_at: instant,
    updated_at: instant,
  },
  { indexes: [['workspace_id'], ['created_by'], ['next_at']] },
)
export type EmailReportRow = Row<typeof email_reports>

export const email_report_sites = table(
  {
    report_id: reference('email_reports'),
    site_id: reference('sites'),
    position: int,
  },
  { key: ['report_id', 'site_id'], indexes: [['site_id']] },
)
export type EmailReportSiteRow = Row<typeof email_report_sites>

export const email_report_goals = table(
  {
    report_id: reference('email_reports'),
    goal_id: reference('goals'),
    position: int,
  },
  { key: ['report_id', 'goal_id'], indexes: [['goal_id']] },
)
export type EmailReportGoalRow = Row<typeof email_report_goals>

export const email_report_recipients = table(
  {
    report_id: reference('email_reports'),
    email: text,
    /** Null for a former recipient who unsubscribed. The row is kept so that only the recipient can undo that. */
    position: nullable(int),
    unsubscribed_at: nullable(instant),
    /** SHA-256, in hex, of the secret in the links of the recipient's mails; and the secret, sealed. */
    token_hash: unique(text),
    token: text,
    /** Number of consecutive mails that the mailbox refused permanently. */
    refused: withDefault(int, 0),
  },
  { key: ['report_id', 'email'] },
)
export type EmailReportRecipientRow = Row<typeof email_report_recipients>

/** A mail: one for each report, period and recipient. */
export const email_report_mails = table(
  {
    id: text,
    report_id: reference('email_reports'),
    email: text,
    from_day: day,
    to_day: day,
    status: oneOf('pending', 'sent', 'failed', 'skipped'),
    attempt: int,
    due_at: nullable(instant),
    leased_until: nullable(instant),
    /** The mail is not sent after this time. */
    expires_at: instant,
    created_at: instant,
  },
  { unique: [['report_id', 'from_day', 'to_day', 'email']], indexes: [['due_at']] },
)
export type EmailReportMailRow = Row<typeof email_report_mails>
