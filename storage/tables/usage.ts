/** Hits of a workspace in a month. */

/** Hits of a site's day, as counted at this `rev` of the day. */
export interface UsageDayRow {
  site_id: number
  day: number
  rev: number
  hits: number
}

export interface UsageMonthRow {
  workspace_id: string
  /** `2026-11` */
  month: string
  hits: number
  /** Highest percentage of the limit for which `usage.threshold` was emitted this month. */
  announced: number
  /** The limit that these percentages are of; null: none. */
  hits_limit: number | null
}

export interface UsageTables {
  usage_days: UsageDayRow
  usage_months: UsageMonthRow
}
