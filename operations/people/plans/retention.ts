/** How long the visits of a workspace are kept, by its plan. */
import type { Config } from '../../../runtime/settings/config.ts'
import type { Db } from '../../../storage/store.ts'
import { limitsOfAll } from './plan-of.ts'

/** After a change of the plan nothing is deleted by it for so long: a card that fails must not cost a history. */
const graceMs = 30 * 86_400_000

/**
 * @param ofInstallation days that the installation keeps; 0: for ever
 * @returns full days that a workspace’s visits are kept; 0: for ever
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
