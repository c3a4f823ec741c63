/** The share of the monthly limit that a workspace has used. */
import { monthOf } from '../../../../storage/calendar/month.ts'
import { limitsOf } from '../../../people/plans/index.ts'
import type { MeasureContext } from './measure-context.ts'

/** Null if its plan has no limit. Counted by the task `usage_count`. */
export async function usageOf(
  workspaceId: string,
  { db, config, now }: MeasureContext,
): Promise<{ hits: number; limit: number; percent: number } | null> {
  const { hits_month: limit } = await limitsOf(db, config, workspaceId)
  if (limit === null) return null
  const row = await db
    .selectFrom('usage_months')
    .select('hits')
    .where('workspace_id', '=', workspaceId)
    .where('month', '=', monthOf(now).name)
    .executeTakeFirst()
  const hits = row?.hits ?? 0
  return { hits, limit, percent: Math.floor((1000 * hits) / limit) / 10 }
}
