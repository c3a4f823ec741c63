/** Reports that are mailed every day, week or month, who gets them, and the mails. */

export interface EmailReportRow {
  id: string
  workspace_id: string
  /** The account that made it, which is told where it fails; null once that is deleted. */
  created_by: string | null
  name: string
  frequency: string
  /** Hour of the day, local to the sites. */
  hour: number
  /** No foreign key: a report whose segment is gone is not sent, where one without a segment would tell of everybody. */
  segment_id: string | null
  /** Names of dimensions, JSON. */
  panels: string
  locale: string
  skip_empty: number
  enabled: number
  /** First day of the period that is reported next; null while it is not planned. */
  next_day: number | null
  next_at: number | null
  leased_until: number | null
  last_sent_at: number | null
  last_error: string | null
  /** 1: who made it was told of the trouble that it has had since a period went well. */
  told: number
  created_at: number
  updated_at: number
}

export interface EmailReportSiteRow {
  report_id: string
  site_id: string
  position: number
}

export interface EmailReportGoalRow {
  report_id: string
  goal_id: string
  position: number
}

export interface EmailReportRecipientRow {
  report_id: string
  email: string
  /** Null: no longer a recipient, and kept because the person unsubscribed: nobody else takes that back. */
  position: number | null
  unsubscribed_at: number | null
  /** SHA-256 of the secret in the links of this person's mails, hex; and the secret, sealed. */
  token_hash: string
  token: string
  /** Mails in a row that the mailbox refused for good. */
  refused: number
}

/** A mail: one for each report, period and recipient. */
export interface EmailReportMailRow {
  id: string
  report_id: string
  email: string
  from_day: number
  to_day: number
  status: 'pending' | 'sent' | 'failed' | 'skipped'
  attempt: number
  due_at: number | null
  leased_until: number | null
  /** It is not sent after that. */
  expires_at: number
  created_at: number
}

declare module './index.ts' {
  interface Tables {
    email_reports: EmailReportRow
    email_report_sites: EmailReportSiteRow
    email_report_goals: EmailReportGoalRow
    email_report_recipients: EmailReportRecipientRow
    email_report_mails: EmailReportMailRow
  }
}
