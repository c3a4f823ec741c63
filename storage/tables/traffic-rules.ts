/** Rules that exclude hits of a site. */
import { text, int, instant, day, flag, reference, nullable } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const traffic_rules = table(
  {
    id: text,
    site_id: reference('sites'),
    kind: text,
    action: text,
    /** A range, a code or a pattern, in the form to compare. */
    value: text,
    note: nullable(text),
    enabled: flag,
    expires_at: nullable(instant),
    created_at: instant,
    updated_at: instant,
  },
  { unique: [['site_id', 'kind', 'value']] },
)
export type TrafficRuleRow = Row<typeof traffic_rules>

/** Number of hits that a rule excluded, by UTC day. Rows outlive their rule, and expire. */
export const traffic_rule_matches = table(
  {
    rule_id: text,
    /** Days since 1970-01-01. */
    day: day,
    count: int,
    last_at: instant,
  },
  { key: ['rule_id', 'day'], indexes: [['last_at']] },
)
export type TrafficRuleMatchRow = Row<typeof traffic_rule_matches>

/** Sites without a row have the defaults and no rules. */
export const traffic_settings = table(
  {
    site_id: reference('sites'),
    bots: text,
    spam_referrers: flag,
    /** Increases with every change of a rule, so that processes read the rules again. */
    revision: int,
    updated_at: instant,
  },
  { key: ['site_id'] },
)
export type TrafficSettingsRow = Row<typeof traffic_settings>
