/** Finds how long a plan keeps the visits of a workspace. */
import type { Config } from '../../../runtime/settings/config.ts'
import type { Db } from '../../../storage/store.ts'
import { limitsOfAll } from './plan-of.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

/** After a change of the plan, nothing is deleted because of it for this time, ms: a rejected card must not cost a history. */
const graceMs = 30 * DAY_MS

/**
 * @param ofInstallation days of the setting of the installation; 0: forever
 * @returns a function that finds the full days for which visits of a workspace are kept; 0: forever
 */
export async function keptDays(
  db: Db,
  { config, now, ofInstallation }: { config: Config; now: number; ofInstallation: number },
): Promise<(workspaceId: string) => number> {
  const limitsOf = await limitsOfAll(db, config)
  return workspaceId => {
    const { limits, since } = limitsOf(workspaceId)
    const isNew = since !== null && now < since + graceMs
    const days = [ofInstallation, isNew ? 0 : (limits.retention_days ?? 0)].filter(each => each > 0)
    return days.length === 0 ? 0 : Math.min(...days)
  }
}
