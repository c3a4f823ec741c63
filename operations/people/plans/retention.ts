/** Finds how long a plan keeps the visits of a workspace. */
import type { Config } from '../../../runtime/settings/config.ts'
import type { Db } from '../../../storage/store.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'
import { limitsOfAll, planOf } from './plan-of.ts'
import type { Limits } from './plans-file.ts'

/** After a change of the plan, nothing is deleted because of it for this time, ms: a rejected card must not cost a history. */
const graceMs = 30 * DAY_MS

export interface Keeping {
  readonly config: Config
  readonly now: number
  /** Days of the setting of the installation; 0: forever. */
  readonly ofInstallation: number
}

/** @returns a function that finds the full days for which visits of a workspace are kept; 0: forever */
export async function keptDays(db: Db, keeping: Keeping): Promise<(workspaceId: string) => number> {
  const limitsOf = await limitsOfAll(db, keeping.config)
  return workspaceId => daysBy(limitsOf(workspaceId), keeping)
}

/** The full days for which visits of one workspace are kept; 0: forever. */
export async function keptDaysOf(db: Db, keeping: Keeping, workspaceId: string): Promise<number> {
  const { plan, since } = await planOf(db, keeping.config, workspaceId)
  return daysBy({ limits: plan.limits, since }, keeping)
}

function daysBy({ limits, since }: { limits: Limits; since: number | null }, { now, ofInstallation }: Keeping): number {
  const isNew = since !== null && now < since + graceMs
  const days = [ofInstallation, isNew ? 0 : (limits.retention_days ?? 0)].filter(each => each > 0)
  return days.length === 0 ? 0 : Math.min(...days)
}
