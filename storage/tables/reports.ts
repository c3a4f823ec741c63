/** Stored settings of reports: funnels, dashboards, and the display of events and properties. */
import { text, int, instant, day, flag, json, reference, nullable } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const funnels = table(
  {
    id: text,
    site_id: reference('sites'),
    name: text,
    /** JSON list of steps, each the id of a goal or a condition. */
    steps: json,
    created_at: instant,
    updated_at: instant,
  },
  { unique: [['site_id', 'name']] },
)
export type FunnelRow = Row<typeof funnels>

export const dashboards = table(
  {
    id: text,
    workspace_id: reference('workspaces'),
    name: text,
    /** JSON list, in order. */
    cards: json,
    created_at: instant,
    updated_at: instant,
  },
  { indexes: [['workspace_id', 'created_at']] },
)
export type DashboardRow = Row<typeof dashboards>

/** Settings of an event, by its sent name. */
export const event_settings = table(
  {
    site_id: reference('sites'),
    name: text,
    /** Null to show the sent name. */
    display_name: nullable(text),
    hidden: flag,
    /** ISO 4217, for amounts sent without a currency. */
    currency: nullable(text),
    updated_at: instant,
  },
  { key: ['site_id', 'name'], clustered: true },
)
export type EventSettingRow = Row<typeof event_settings>

/** Settings of a property, by its sent key. */
export const property_settings = table(
  {
    site_id: reference('sites'),
    key: text,
    display_name: nullable(text),
    hidden: flag,
    export_safe: flag,
    updated_at: instant,
  },
  { key: ['site_id', 'key'], clustered: true, unique: [['site_id', 'display_name']] },
)
export type PropertySettingRow = Row<typeof property_settings>

/** A requested deletion of an event: of the hits with the id that its name had. */
export const event_deletions = table(
  {
    site_id: reference('sites'),
    /** Id in the dictionary of events, which no new hit gets. */
    event: int,
    name: text,
    /** Number of hits deleted so far. */
    hits: int,
    /** The first day that may still have such hits; null until the search begins. */
    next_day: nullable(day),
    /** Percent of the days searched. */
    progress: int,
    requested_at: instant,
    finished_at: nullable(instant),
  },
  { key: ['site_id', 'event'], clustered: true },
)
export type EventDeletionRow = Row<typeof event_deletions>
