import type { Config } from '../../../runtime/settings/config.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { adding, type Quota } from '../../../runtime/table/quota.ts'
import { onHook } from '../../../runtime/events/subscriber.ts'
import type { Db } from '../../../storage/store.ts'
import { workspace } from '../workspaces/records.ts'
import { planOf, plansOf } from './plan-of.ts'
import type { Limits } from './plans-file.ts'
import { invitationsOpen, membersUsed, sitesUsed } from './used.ts'
import { m } from './messages.ts'

/** Messages for exceeded limits. */
const beyond = { members: m.most_members, sites: m.most_sites } as const

interface Counted {
  readonly limit: keyof Limits & keyof typeof beyond
  used(db: Db, workspaceId: string, now: number): Promise<number>
}

const counts: Readonly<Record<Quota, Counted>> = {
  sites: { limit: 'sites', used: sitesUsed },
  members: { limit: 'members', used: membersUsed },
  invitations: {
    limit: 'members',
    used: async (db, workspaceId, now) => (await membersUsed(db, workspaceId)) + (await invitationsOpen(db, workspaceId, now)),
  },
}

/** Whether no plan limits or sells anything, so that the database need not be read. */
const refusesNothing = (config: Config): boolean =>
  plansOf(config).every(
    ({ limits, stripePrice }) => stripePrice === null && Object.values(counts).every(({ limit }) => limits[limit] === null),
  )

/** Counts under a lock of the workspace: if two processes add at the same time, the second one counts the record of the first. */
export const refuse_beyond_plan = onHook(adding, async ({ workspaceId, quota }, { db, config, now }) => {
  if (refusesNothing(config)) return
  const { plan, blockedFrom } = await planOf(db, config, workspaceId)
  if (blockedFrom !== null && blockedFrom <= now) fail('limit_reached', m.not_paid())
  if (quota === undefined) return
  const { limit, used } = counts[quota]
  const max = plan.limits[limit]
  if (max === null) return
  await workspace.lock?.(db, workspaceId)
  if ((await used(db, workspaceId, now)) >= max) {
    fail('limit_reached', beyond[limit]({ plan: plan.name, most: max }))
  }
})
