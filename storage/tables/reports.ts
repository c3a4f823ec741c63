/** What reports are kept of: funnels, dashboards, and how events and properties are shown. */

export interface FunnelRow {
  id: string
  site_id: string
  name: string
  /** JSON list: each a goal by its id, or a condition of its own. */
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

/** What a site says of an event, by the name that is sent. */
export interface EventSettingRow {
  site_id: string
  name: string
  /** Null: it is shown under its own name. */
  display_name: string | null
  hidden: number
  /** ISO 4217: of amounts that are sent without a currency. */
  currency: string | null
  updated_at: number
}

/** What a site says of a property, by its key as it is sent. */
export interface PropertySettingRow {
  site_id: string
  key: string
  display_name: string | null
  hidden: number
  export_safe: number
  updated_at: number
}

/** An event that was asked to be deleted: the hits that had this id when it lost its name. */
export interface EventDeletionRow {
  site_id: string
  /** Id in the dictionary of events; no hit gets it any more. */
  event: number
  name: string
  /** How many are gone. */
  hits: number
  /** The first day that may still have some; null before the first look. */
  next_day: number | null
  /** Percent of the days. */
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
