/** Public status pages, what is told on them, and who is told of it by mail. */
import { text, int, instant, flag, reference, nullable, unique, withDefault } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const status_pages = table(
  {
    id: text,
    workspace_id: reference('workspaces'),
    name: text,
    slug: unique(text),
    /** Host that it is served at as well. */
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

/** A check on a page: the place of its group, and its place within. */
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
    /** Opened by the service because a check was down. */
    automatic: flag,
    /** Id of the page while it is its open automatic incident; a page has one at most. */
    automatic_for: nullable(unique(text)),
    starts_at: instant,
    /** The planned end of maintenance, or when an incident was resolved. */
    ends_at: nullable(instant),
    /** When the clock next changes its status; null: never. */
    clock_at: nullable(instant),
    /** When messages to subscribers are to be made; null where all are. */
    notify_at: nullable(instant),
    /** Updates after this time are to be told. */
    notify_since: nullable(instant),
    /** The last subscriber that a message was made for, in the order of their ids. */
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
    /** The incident of the check (`uptime_incidents`) that an automatic one was opened for. */
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
    /** When it is forgotten unless it is confirmed by then; null once it is. */
    pending_until: nullable(instant),
    confirmed_at: nullable(instant),
    /** Mails in a row that the mailbox refused for good. */
    refused: withDefault(int, 0),
    created_at: instant,
  },
  { indexes: [{ name: 'status_subscribers_address', on: ['page_id', 'email'], unique: true }, ['page_id', 'id'], ['pending_until']] },
)
export type StatusSubscriberRow = Row<typeof status_subscribers>

/** A subscriber's notices of one incident: one row, due again with every update. */
export const status_messages = table(
  {
    id: text,
    incident_id: reference('status_incidents'),
    subscriber_id: reference('status_subscribers'),
    due_at: nullable(instant),
    leased_until: nullable(instant),
    attempt: int,
    /** Updates up to this time were told. */
    told_until: instant,
    sent_at: nullable(instant),
  },
  { indexes: [{ name: 'status_messages_one', on: ['incident_id', 'subscriber_id'], unique: true }, ['subscriber_id'], ['due_at']] },
)
export type StatusMessageRow = Row<typeof status_messages>
