/** The share of the monthly limit that a workspace has used. */
import { hitsByDay, hitsUsed, limitsOf } from '../../../people/plans/index.ts'
import type { MeasureContext } from './measure-context.ts'
import { DAY_MS } from '../../../../storage/values/durations.ts'

/** Null if its plan has no limit. Counted by the task `usage_count`. */
export async function usageOf(
  workspaceId: string,
  { db, config, now, since, once }: MeasureContext,
): Promise<{ hits: number; limit: number; percent: number } | null> {
  const { hits_month: limit } = await limitsOf(db, config, workspaceId)
  if (limit === null) return null
  // Sums of months are the present ones; a preview adds up the days before.
  const hits =
    since === undefined
      ? await hitsUsed(db, workspaceId, now)
      : await once(`usage ${Math.floor(now / DAY_MS)}`, async () =>
          (await hitsByDay(db, workspaceId, now)).reduce((sum, day) => sum + day.hits, 0),
        )
  return { hits, limit, percent: Math.floor((1000 * hits) / limit) / 10 }
}
