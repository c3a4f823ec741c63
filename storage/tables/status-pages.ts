/** Public status pages, their incidents, and the subscribers who are mailed about these. */
import { text, int, instant, flag, reference, nullable, unique, withDefault } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const status_pages = table(
  {
    id: text,
    workspace_id: reference('workspaces'),
    name: text,
    slug: unique(text),
    /** Additional host that serves the page. */
    domain: nullable(unique(text)),
    description: text,
    show_response_times: flag,
    theme: text,
    indexable: flag,
    auto_incidents: flag,
    language: withDefault(text, 'en'),
    timezone: withDefault(text, 'UTC'),
    created_at: instant,
    updated_at: instant,
  },
  { indexes: [['workspace_id']] },
)
export type StatusPageRow = Row<typeof status_pages>

export const status_page_groups = table(
  {
    page_id: reference('status_pages'),
    position: int,
    name: text,
  },
  { key: ['page_id', 'position'], clustered: true },
)
export type StatusPageGroupRow = Row<typeof status_page_groups>

/** A check on a page: the position of its group, and its position in the group. */
export const status_page_checks = table(
  {
    page_id: reference('status_pages'),
    check_number: reference('uptime_checks.number', { type: 'int' }),
    group_position: int,
    position: int,
    label: nullable(text),
  },
  { key: ['page_id', 'check_number'], clustered: true, indexes: [['check_number']] },
)
export type StatusPageCheckRow = Row<typeof status_page_checks>

export const status_incidents = table(
  {
    id: text,
    page_id: reference('status_pages'),
    kind: text,
    title: text,
    impact: text,
    status: text,
    /** 1 if the service opened the incident because a check was down. */
    automatic: flag,
    /** Id of the page while this is its open automatic incident, of which a page has at most one. */
    automatic_for: nullable(unique(text)),
    starts_at: instant,
    /** The planned end of maintenance, or when an incident was resolved. */
    ends_at: nullable(instant),
    /** When the status next changes by itself; null if it does not. */
    clock_at: nullable(instant),
    /** When messages to subscribers are to be created; null if all are. */
    notify_at: nullable(instant),
    /** Subscribers are to be mailed about updates after this time. */
    notify_since: nullable(instant),
    /** The last subscriber for whom a message was created, in the order of ids. */
    notify_after: text,
    created_at: instant,
    updated_at: instant,
  },
  { indexes: [['page_id', 'starts_at'], ['clock_at'], ['notify_at']] },
)
export type StatusIncidentRow = Row<typeof status_incidents>

export const status_incident_checks = table(
  {
    incident_id: reference('status_incidents'),
    check_number: reference('uptime_checks.number', { type: 'int' }),
    /** The incident of the check (`uptime_incidents`) for which an automatic one was opened. */
    outage_id: nullable(text),
  },
  { key: ['incident_id', 'check_number'], clustered: true, indexes: [['check_number'], ['outage_id']] },
)
export type StatusIncidentCheckRow = Row<typeof status_incident_checks>

export const status_incident_updates = table(
  {
    id: text,
    incident_id: reference('status_incidents'),
    status: text,
    /** Markdown. */
    body: text,
    notify: flag,
    created_at: instant,
  },
  { indexes: [['incident_id', 'created_at']] },
)
export type StatusIncidentUpdateRow = Row<typeof status_incident_updates>

export const status_subscribers = table(
  {
    id: text,
    page_id: reference('status_pages'),
    email: text,
    /** When an unconfirmed subscriber is deleted; null once confirmed. */
    pending_until: nullable(instant),
    confirmed_at: nullable(instant),
    /** Number of consecutive mails that the mailbox refused permanently. */
    refused: withDefault(int, 0),
    created_at: instant,
  },
  { indexes: [{ name: 'status_subscribers_address', on: ['page_id', 'email'], unique: true }, ['page_id', 'id'], ['pending_until']] },
)
export type StatusSubscriberRow = Row<typeof status_subscribers>

/** The mails to a subscriber about one incident: one row, due again with every update. */
export const status_messages = table(
  {
    id: text,
    incident_id: reference('status_incidents'),
    subscriber_id: reference('status_subscribers'),
    due_at: nullable(instant),
    leased_until: nullable(instant),
    attempt: int,
    /** The subscriber was mailed about updates up to this time. */
    told_until: instant,
    sent_at: nullable(instant),
  },
  { indexes: [{ name: 'status_messages_one', on: ['incident_id', 'subscriber_id'], unique: true }, ['subscriber_id'], ['due_at']] },
)
export type StatusMessageRow = Row<typeof status_messages>
