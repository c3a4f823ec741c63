/** Channels of a site's own. */

export interface ChannelRuleRow {
  id: string
  site_id: string
  channel: string
  match: string
  /** JSON list of {field, operator, value}. */
  conditions: string
  /** From 1; the first that matches decides. */
  position: number
  created_at: number
  updated_at: number
}

/** State of a site that has or had rules. */
export interface ChannelRuleSetRow {
  site_id: string
  /** Increases with every change, so that processes know when to read the rules again. */
  revision: number
  changed_at: number
}

/** A job that gives the visits of these days their channels by the rules. */
export interface ChannelApplicationRow {
  id: string
  site_id: string
  status: string
  /** Local days since 1970-01-01, both included. */
  from_day: number
  to_day: number
  /** The position from which it continues after an interruption. */
  next_day: number
  next_visit: number
  /** Visits that have another channel since. */
  changed: number
  error: string | null
  created_at: number
  started_at: number | null
  finished_at: number | null
}

declare module './index.ts' {
  interface Tables {
    channel_rules: ChannelRuleRow
    channel_rule_sets: ChannelRuleSetRow
    channel_applications: ChannelApplicationRow
  }
}
