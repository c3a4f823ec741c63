/** A deleted record of each kind: a copy of one that the world has. */
import { sql } from 'kysely'
import { exampleRecords } from '../../../runtime/table/example.ts'
import type { IdKind } from '../../../runtime/values/ids.ts'
import { ids as sharingIds } from '../../exchange/sharing/records.ts'
import { ids as dashboardIds } from '../../reports/dashboards/records.ts'
import { ids as funnelIds } from '../../reports/funnels/records.ts'
import { ids as goalIds } from '../../sites/goals/records.ts'
import { ids as noteIds } from '../../sites/notes/records.ts'
import { ids as segmentIds } from '../../sites/segments/records.ts'
import { ids as alertIds } from '../../watch/alerts/records.ts'
import { ids as uptimeIds } from '../../watch/uptime/records.ts'
import { kinds } from './kinds.ts'

const idOf: Readonly<Record<keyof typeof kinds, IdKind>> = {
  goals: goalIds.goal,
  saved_segments: segmentIds.segment,
  notes: noteIds.note,
  funnels: funnelIds.funnel,
  shared_links: sharingIds.shared_link,
  dashboards: dashboardIds.dashboard,
  alerts: alertIds.alert,
  uptime_checks: uptimeIds.check,
}

export const example = exampleRecords(async ({ db, now, id, newId, random }) => {
  const made: Record<string, string> = {}
  for (const [table, { kind }] of Object.entries(kinds)) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)} where id = ${id(kind)}`.execute(db)
    const own = newId(idOf[table as keyof typeof kinds]) // a key of the kinds
    const names = {
      ...('name' in (rows[0] ?? {}) && { name: 'Deleted' }),
      ...(table === 'shared_links' && { slug: random(12).toString('hex') }),
    }
    await db
      .insertInto('deleted_records')
      .values({
        id: own,
        of: table,
        workspace_id: id('workspace'),
        site_id: table === 'dashboards' ? null : id('site'),
        name: 'Deleted',
        row: JSON.stringify({ ...rows[0], id: own, ...names }),
        deleted_at: now,
        deleted_by: 'owner@example.com',
      })
      .execute()
    made[`deleted_${kind}`] = own
  }
  return made
})
