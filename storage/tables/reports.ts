/** Stored settings of reports: funnels, dashboards, and the display of events and properties. */

export interface FunnelRow {
  id: string
  site_id: string
  name: string
  /** JSON list: each the id of a goal, or a condition of its own. */
  steps: string
  created_at: number
  updated_at: number
}

export interface DashboardRow {
  id: string
  workspace_id: string
  name: string
  /** JSON list, in order. */
  cards: string
  created_at: number
  updated_at: number
}

/** Settings of an event, by the name that is sent. */
export interface EventSettingRow {
  site_id: string
  name: string
  /** Null: shown under its own name. */
  display_name: string | null
  hidden: number
  /** ISO 4217, for amounts sent without a currency. */
  currency: string | null
  updated_at: number
}

/** Settings of a property, by the key that is sent. */
export interface PropertySettingRow {
  site_id: string
  key: string
  display_name: string | null
  hidden: number
  export_safe: number
  updated_at: number
}

/** A requested deletion of an event: the hits that had this id when the event lost its name. */
export interface EventDeletionRow {
  site_id: string
  /** Id in the dictionary of events; no new hit gets it. */
  event: number
  name: string
  /** Hits deleted so far. */
  hits: number
  /** The first day that may still have some; null until the search begins. */
  next_day: number | null
  /** Percent of the days searched. */
  progress: number
  requested_at: number
  finished_at: number | null
}

export interface ReportsTables {
  funnels: FunnelRow
  dashboards: DashboardRow
  event_settings: EventSettingRow
  property_settings: PropertySettingRow
  event_deletions: EventDeletionRow
}
