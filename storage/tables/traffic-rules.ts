/** Which hits of a site are not counted. */

export interface TrafficRuleRow {
  id: string
  site_id: string
  kind: string
  action: string
  /** A range, a code or a pattern, in the form that is compared. */
  value: string
  note: string | null
  enabled: number
  expires_at: number | null
  created_at: number
  updated_at: number
}

/** Hits that a rule kept out, by day (UTC). Rows outlive their rule, and expire. */
export interface TrafficRuleMatchRow {
  rule_id: string
  /** Days since 1970-01-01. */
  day: number
  count: number
  last_at: number
}

/** Sites without a row have the defaults, and no rules. */
export interface TrafficSettingsRow {
  site_id: string
  bots: string
  spam_referrers: number
  /** Increases with every change of a rule, so that processes know when to read them again. */
  revision: number
  updated_at: number
}

declare module './index.ts' {
  interface Tables {
    traffic_rules: TrafficRuleRow
    traffic_rule_matches: TrafficRuleMatchRow
    traffic_settings: TrafficSettingsRow
  }
}
