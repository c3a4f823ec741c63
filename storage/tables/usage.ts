/** Numbers of hits, for the limits of plans. */
import { text, int, bigint, day, reference, nullable } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

/** Number of hits of a site on a day, counted at this `rev` of the day. */
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
    /** Highest percentage of the limit for which `usage.threshold` was emitted in the month. */
    announced: int,
    /** The limit of these percentages; null for none. */
    hits_limit: nullable(bigint),
  },
  { key: ['workspace_id', 'month'] },
)
export type UsageMonthRow = Row<typeof usage_months>
