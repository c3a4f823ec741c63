/** Custom channels of a site. */
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
    /** From 1; the first rule that matches decides. */
    position: int,
    created_at: instant,
    updated_at: instant,
  },
  { indexes: [['site_id', 'position']] },
)
export type ChannelRuleRow = Row<typeof channel_rules>

/** The revision of the rules of a site that has or had some. */
export const channel_rule_sets = table(
  {
    site_id: reference('sites'),
    /** Increases with every change, so that processes read the rules again. */
    revision: int,
    changed_at: instant,
  },
  { key: ['site_id'] },
)
export type ChannelRuleSetRow = Row<typeof channel_rule_sets>

/** A job that applies the rules to the visits of past days. */
export const channel_applications = table(
  {
    id: text,
    site_id: reference('sites'),
    status: text,
    /** Both included. */
    from_day: day,
    to_day: day,
    /** The position from which the job continues after an interruption. */
    next_day: day,
    next_visit: bigint,
    /** Number of visits whose channel changed. */
    changed: int,
    error: nullable(text),
    created_at: instant,
    started_at: nullable(instant),
    finished_at: nullable(instant),
  },
  { indexes: [['site_id']] },
)
export type ChannelApplicationRow = Row<typeof channel_applications>
