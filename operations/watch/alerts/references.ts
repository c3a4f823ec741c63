/** Checks ids in an input. Ids of records that the caller may not see count as unknown (docs/decisions.md §1). */
import { fieldTerm, type Message, type Term } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'
import { type Caller, maySee } from '../../../runtime/table/caller.ts'
import type { Fault } from '../../../runtime/table/errors.ts'
import { isPlausibleId } from '../../../runtime/values/ids.ts'
import type { Db } from '../../../storage/store.ts'
import { goal } from '../../sites/goals/records.ts'
import { site } from '../../sites/sites/records.ts'
import type { Condition } from './condition.ts'

interface Named extends Pick<Condition, 'site_id' | 'goal_id' | 'uptime_check_id'> {
  readonly channels: readonly string[]
  /** Kind of the alert that is created or changed. */
  readonly kind?: string
}

/**
 * Returns a fault for every unknown id. Ids that the alert already had are not checked again, so that a client can send a
 * record back as it was read, even after a record that it names was deleted.
 */
export async function unknownIds(
  db: Db,
  { caller, named, before }: { caller: Caller; named: Named; before?: Named | undefined },
): Promise<Fault[]> {
  const { site_id, goal_id, uptime_check_id, channels, kind = '' } = named
  const moved = site_id !== before?.site_id
  const faults = site_id !== null && moved ? await unknownSite(db, caller, site_id) : []
  if (site_id !== null && faults.length === 0 && ofChecks.has(kind) && (await isGroup(db, site_id)))
    faults.push({ pointer: '/site_id', code: 'mismatch', message: m.no_checks_of_group() })
  const hidden = faults.length > 0 // reveal nothing about a site the caller may not see, not even which goals it has
  if (goal_id !== null && site_id !== null && (moved || goal_id !== before?.goal_id)) {
    const known = !hidden && (await isGoalOf(db, site_id, goal_id))
    if (!known) faults.push(notFound('/goal_id', m.unknown_goal, goal_id))
  }
  if (uptime_check_id !== null && (moved || uptime_check_id !== before?.uptime_check_id)) {
    const known = !hidden && site_id !== null && (await isCheckOf(db, site_id, uptime_check_id))
    if (!known) faults.push(notFound('/uptime_check_id', m.unknown_check, uptime_check_id))
  }
  const channelsThere = await channelsAmong(db, caller.workspaceId, channels)
  for (const [i, id] of channels.entries()) {
    const known = channelsThere.has(id) || before?.channels.includes(id)
    if (!known) faults.push(notFound(`/channel_ids/${i}`, m.unknown_channel, id))
  }
  return faults
}

/** Kinds that watch uptime checks, which belong to single sites. */
const ofChecks: ReadonlySet<string> = new Set(['uptime', 'ssl'])

async function isGroup(db: Db, id: string): Promise<boolean> {
  const found = isPlausibleId(id) ? await site.find(db, id) : undefined
  return found !== undefined && 'isGroup' in found
}

/** Returns the id of the goal or the uptime check of an alert if there is none any more; otherwise null. */
export async function goneOf(
  db: Db,
  { site_id, goal_id, uptime_check_id }: Pick<Condition, 'site_id' | 'goal_id' | 'uptime_check_id'>,
): Promise<string | null> {
  if (site_id === null) return null
  if (goal_id !== null && !(await isGoalOf(db, site_id, goal_id))) return goal_id
  return uptime_check_id !== null && !(await isCheckOf(db, site_id, uptime_check_id)) ? uptime_check_id : null
}

export async function unknownSite(db: Db, caller: Caller, id: string): Promise<Fault[]> {
  const found = isPlausibleId(id) ? await site.find(db, id) : undefined
  const seen = found && 'workspaceId' in found && maySee(caller, found.workspaceId, found.siteId)
  return seen ? [] : [notFound('/site_id', m.unknown_site, id)]
}

/** The goal that an alert begins to watch: it cannot be deleted before the transaction ends. */
export async function lockGoal(db: Db, id: string | null | undefined): Promise<void> {
  if (typeof id === 'string' && isPlausibleId(id)) await goal.lock?.(db, id)
}

async function isGoalOf(db: Db, siteId: string, id: string): Promise<boolean> {
  if (!isPlausibleId(id)) return false
  const goals = await db.selectFrom('goals').select('id').where('id', '=', id).where('site_id', '=', siteId).execute()
  return goals.length > 0
}

async function isCheckOf(db: Db, siteId: string, id: string): Promise<boolean> {
  if (!isPlausibleId(id)) return false
  const checks = await db.selectFrom('uptime_checks').select('id').where('id', '=', id).where('site_id', '=', siteId).execute()
  return checks.length > 0
}

async function channelsAmong(db: Db, workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const asked = ids.filter(isPlausibleId)
  if (asked.length === 0) return new Set()
  const rows = await db.selectFrom('channels').select('id').where('workspace_id', '=', workspaceId).where('id', 'in', asked).execute()
  return new Set(rows.map(({ id }) => id))
}

function notFound(pointer: string, wanted: (params: { field: Term | string; received: string }) => Message, id: string): Fault {
  const field = pointer.slice(1).replace('/', '.')
  const received = JSON.stringify(id.slice(0, 64))
  return { pointer, code: 'not_found', message: wanted({ field: field.includes('.') ? field : fieldTerm(field), received }) }
}
