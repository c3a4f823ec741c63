/** Channels of a site's own. */
import { text, int, bigint, instant, day, json, reference, nullable } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const channel_rules = table(
  {
    id: text,
    site_id: reference('sites'),
    channel: text,
    match: text,
    /** JSON list of {field, operator, value}. */
    conditions: json,
    /** From 1; the first that matches decides. */
    position: int,
    created_at: instant,
    updated_at: instant,
  },
  { indexes: [['site_id', 'position']] },
)
export type ChannelRuleRow = Row<typeof channel_rules>

/** State of a site that has or had rules. */
export const channel_rule_sets = table(
  {
    site_id: reference('sites'),
    /** Increases with every change, so that processes know when to read the rules again. */
    revision: int,
    changed_at: instant,
  },
  { key: ['site_id'] },
)
export type ChannelRuleSetRow = Row<typeof channel_rule_sets>

/** A job that gives the visits of these days their channels by the rules. */
export const channel_applications = table(
  {
    id: text,
    site_id: reference('sites'),
    status: text,
    /** Local days since 1970-01-01, both included. */
    from_day: day,
    to_day: day,
    /** The position from which it continues after an interruption. */
    next_day: day,
    next_visit: bigint,
    /** Visits that have another channel since. */
    changed: int,
    error: nullable(text),
    created_at: instant,
    started_at: nullable(instant),
    finished_at: nullable(instant),
  },
  { indexes: [['site_id']] },
)
export type ChannelApplicationRow = Row<typeof channel_applications>
