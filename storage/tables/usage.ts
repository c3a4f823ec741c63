/** Hits of a workspace in a month. */
import { text, int, bigint, day, reference, nullable } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

/** Hits of a site's day, as counted at this `rev` of the day. */
export const usage_days = table(
  {
    site_id: int,
    day: day,
    rev: int,
    hits: int,
  },
  { key: ['site_id', 'day'] },
)
export type UsageDayRow = Row<typeof usage_days>

export const usage_months = table(
  {
    workspace_id: reference('workspaces'),
    /** `2026-11` */
    month: text,
    hits: bigint,
    /** Highest percentage of the limit for which `usage.threshold` was emitted this month. */
    announced: int,
    /** The limit that these percentages are of; null: none. */
    hits_limit: nullable(bigint),
  },
  { key: ['workspace_id', 'month'] },
)
export type UsageMonthRow = Row<typeof usage_months>
