/** Public status pages, what is told on them, and who is told of it by mail. */

export interface StatusPageRow {
  id: string
  workspace_id: string
  name: string
  slug: string
  /** Host that it is served at as well. */
  domain: string | null
  description: string
  show_response_times: number
  theme: string
  indexable: number
  auto_incidents: number
  language: string
  timezone: string
  created_at: number
  updated_at: number
}

export interface StatusPageGroupRow {
  page_id: string
  position: number
  name: string
}

/** A check on a page: the place of its group, and its place within. */
export interface StatusPageCheckRow {
  page_id: string
  check_number: number
  group_position: number
  position: number
  label: string | null
}

export interface StatusIncidentRow {
  id: string
  page_id: string
  kind: string
  title: string
  impact: string
  status: string
  /** Opened by the service because a check was down. */
  automatic: number
  /** Id of the page while it is its open automatic incident; a page has one at most. */
  automatic_for: string | null
  starts_at: number
  /** The planned end of maintenance, or when an incident was resolved. */
  ends_at: number | null
  /** When the clock next changes its status; null: never. */
  clock_at: number | null
  /** When messages to subscribers are to be made; null where all are. */
  notify_at: number | null
  /** Updates after this time are to be told. */
  notify_since: number | null
  /** The last subscriber that a message was made for, in the order of their ids. */
  notify_after: string
  created_at: number
  updated_at: number
}

export interface StatusIncidentCheckRow {
  incident_id: string
  check_number: number
  /** The incident of the check (`uptime_incidents`) that an automatic one was opened for. */
  outage_id: string | null
}

export interface StatusIncidentUpdateRow {
  id: string
  incident_id: string
  status: string
  /** Markdown. */
  body: string
  notify: number
  created_at: number
}

export interface StatusSubscriberRow {
  id: string
  page_id: string
  email: string
  /** When it is forgotten unless it is confirmed by then; null once it is. */
  pending_until: number | null
  confirmed_at: number | null
  /** Mails in a row that the mailbox refused for good. */
  refused: number
  created_at: number
}

/** A subscriber's notices of one incident: one row, due again with every update. */
export interface StatusMessageRow {
  id: string
  incident_id: string
  subscriber_id: string
  due_at: number | null
  leased_until: number | null
  attempt: number
  /** Updates up to this time were told. */
  told_until: number
  sent_at: number | null
}

declare module './index.ts' {
  interface Tables {
    status_pages: StatusPageRow
    status_page_groups: StatusPageGroupRow
    status_page_checks: StatusPageCheckRow
    status_incidents: StatusIncidentRow
    status_incident_checks: StatusIncidentCheckRow
    status_incident_updates: StatusIncidentUpdateRow
    status_subscribers: StatusSubscriberRow
    status_messages: StatusMessageRow
  }
}
