/** Finds the plan of a workspace. */
import type { Config } from '../../../runtime/settings/config.ts'
import type { Db } from '../../../storage/store.ts'
import { type Limits, type Plan, selfHosted } from './plans-file.ts'
import { PLANS_FILE, USAGE_LIMIT } from './settings.ts'

export interface PlanInForce {
  readonly plan: Plan
  /** When the workspace got it. Null: it has had it from the beginning. */
  readonly since: number | null
  /** When creating things becomes blocked. Null: never. */
  readonly blockedFrom: number | null
}

/** The available plans. The first one applies to new workspaces. */
export function plansOf(config: Config): readonly Plan[] {
  const plans = config.of(PLANS_FILE)
  const limit = config.of(USAGE_LIMIT)
  return limit > 0 && plans[0] === selfHosted ? [{ ...selfHosted, limits: { ...selfHosted.limits, hits_month: limit } }] : plans
}

const firstOf = (plans: readonly Plan[]): Plan => plans[0] ?? selfHosted

/** The plan of a workspace. Defaults to the first plan, also if its own plan no longer exists. */
export async function planOf(db: Db, config: Config, workspaceId: string): Promise<PlanInForce> {
  const row = await db.selectFrom('workspace_plans').selectAll().where('workspace_id', '=', workspaceId).executeTakeFirst()
  const plans = plansOf(config)
  const known = plans.find(({ id }) => id === row?.plan)
  return { plan: known ?? firstOf(plans), since: row?.since ?? null, blockedFrom: row?.blocked_from ?? null }
}

export async function limitsOf(db: Db, config: Config, workspaceId: string): Promise<Limits> {
  return (await planOf(db, config, workspaceId)).plan.limits
}

/** Returns a function that finds the limits of any workspace. Reads only the workspaces with another plan than the first. */
export async function limitsOfAll(db: Db, config: Config): Promise<(workspaceId: string) => { limits: Limits; since: number | null }> {
  const plans = plansOf(config)
  const rows = plans.length > 1 || plans[0] !== selfHosted ? await db.selectFrom('workspace_plans').selectAll().execute() : []
  const byWorkspace = new Map(rows.map(row => [row.workspace_id, row]))
  return workspaceId => {
    const row = byWorkspace.get(workspaceId)
    const { limits } = plans.find(({ id }) => id === row?.plan) ?? firstOf(plans)
    return { limits, since: row?.since ?? null }
  }
}

/**
 * Assigns a plan to a workspace. If the workspace already has the plan, keeps the time of its assignment.
 * @param plan its id; null: the plan of new workspaces
 */
export async function assignPlan(
  db: Db,
  { config, now }: { config: Config; now: number },
  { workspaceId, plan, blockedFrom = null }: { workspaceId: string; plan: string | null; blockedFrom?: number | null },
): Promise<void> {
  const before = await planOf(db, config, workspaceId)
  const id = plan ?? firstOf(plansOf(config)).id
  const row = { plan: id, since: before.plan.id === id && before.since !== null ? before.since : now, blocked_from: blockedFrom }
  await db
    .insertInto('workspace_plans')
    .values({ workspace_id: workspaceId, ...row })
    .onConflict(on => on.column('workspace_id').doUpdateSet(row))
    .execute()
}
