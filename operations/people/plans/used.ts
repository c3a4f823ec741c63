/** Counts the usage of a workspace. */
import { countOf } from '../../../storage/sql/page.ts'
import type { Db } from '../../../storage/store.ts'
import { monthOf } from '../../../storage/calendar/month.ts'
import { dateOf } from '../../../storage/calendar/zones.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export const sitesUsed = (db: Db, workspaceId: string): Promise<number> =>
  countOf(db.selectFrom('sites').where('workspace_id', '=', workspaceId).where('domain', 'is not', null).where('deleted_at', 'is', null))

export const membersUsed = (db: Db, workspaceId: string): Promise<number> =>
  countOf(db.selectFrom('members').where('workspace_id', '=', workspaceId).where('active', '=', 1))

/** Counts open invitations that are still valid. */
export const invitationsOpen = (db: Db, workspaceId: string, now: number): Promise<number> =>
  countOf(db.selectFrom('invitations').where('workspace_id', '=', workspaceId).where('expires_at', '>', now))

/** Usage of the month, as last counted by the task `usage_count`. */
export async function hitsUsed(db: Db, workspaceId: string, now: number): Promise<number> {
  const row = await db
    .selectFrom('usage_months')
    .select('hits')
    .where('workspace_id', '=', workspaceId)
    .where('month', '=', monthOf(now).name)
    .executeTakeFirst()
  return row?.hits ?? 0
}

export async function questionsUsed(db: Db, workspaceId: string, now: number): Promise<number> {
  const row = await db
    .selectFrom('ai_questions')
    .select('questions')
    .where('workspace_id', '=', workspaceId)
    .where('month', '=', monthOf(now).name)
    .executeTakeFirst()
  return row?.questions ?? 0
}

/** Hits of each day of the month so far, as last counted by the task `usage_count`, including days without hits. */
export async function hitsByDay(db: Db, workspaceId: string, now: number): Promise<{ date: string; hits: number }[]> {
  const { fromDay } = monthOf(now)
  const today = Math.floor(now / DAY_MS)
  const rows = await db
    .selectFrom('usage_days as u')
    .innerJoin('sites as s', 's.number', 'u.site_id')
    .select(['u.day', ({ fn }) => fn.sum<number>('u.hits').as('hits')])
    .where('s.workspace_id', '=', workspaceId)
    .where('u.day', '>=', fromDay)
    .where('u.day', '<=', today)
    .groupBy('u.day')
    .execute()
  const counted = new Map(rows.map(({ day, hits }) => [day, hits]))
  return Array.from({ length: today - fromDay + 1 }, (_, i) => ({ date: dateOf(fromDay + i), hits: counted.get(fromDay + i) ?? 0 }))
}
