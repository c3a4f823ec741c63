/** Stored settings of reports: funnels, dashboards, and the display of events and properties. */
import { text, int, bigint, instant, day, flag, json, reference, nullable, withDefault } from '../schema/column.ts'
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

/** A requested erasure: of visits that meet conditions, or of the hits that a traffic rule would have dropped. */
export const visit_erasures = table(
  {
    id: text,
    site_id: reference('sites'),
    /** First and last day, in the time zone of the site. */
    from_day: day,
    to_day: day,
    /** JSON list of the conditions, as they were given. */
    filters: json,
    segment_id: nullable(text),
    /** JSON: the conditions, with the conditions of the segment, and the goals that they name. */
    scope: json,
    /** JSON: the traffic rule; null if visits are erased. */
    rule: nullable(json),
    /** 1 if visits with a value of a property are erased. The value is in `scope` until the erasure is finished. */
    by_value: withDefault(flag, 0),
    /** Numbers of what was erased so far. */
    visits: int,
    pageviews: int,
    events: int,
    /** Minor units. */
    revenue: bigint,
    /** The first day that may still have such visits; null until the search begins. */
    next_day: nullable(day),
    /** Percent of the days searched. */
    progress: int,
    /** Visits that began later stay. */
    requested_at: instant,
    finished_at: nullable(instant),
  },
  { indexes: [['site_id', 'requested_at']] },
)
export type VisitErasureRow = Row<typeof visit_erasures>
