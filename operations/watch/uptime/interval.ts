/** The interval of probes, which the plan of the workspace limits. */
import { m } from './messages.ts'
import type { Config } from '../../../runtime/settings/config.ts'
import { fail } from '../../../runtime/table/errors.ts'
import type { Db } from '../../../storage/store.ts'
import { planOf } from '../../people/plans/index.ts'

const usual = 300

/**
 * @param given seconds; undefined for the default
 * @throws Failure `limit_reached` below the minimum of the plan
 */
export async function intervalIn(
  db: Db,
  { config, workspaceId, given }: { config: Config; workspaceId: string; given: number | undefined },
): Promise<number> {
  const { plan } = await planOf(db, config, workspaceId)
  const min = plan.limits.min_interval_seconds ?? 0
  if (given === undefined) return Math.max(usual, min)
  if (given < min) {
    const message = m.interval_too_short({ plan: plan.name, least: min, received: given })
    fail('limit_reached', message, { details: [{ pointer: '/interval_seconds', code: 'too_small', message }] })
  }
  return given
}
