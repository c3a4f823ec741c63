/** Summarizes the uptime checks of a site. */
import { Type } from '@sinclair/typebox'
import { record, type Static } from '../../../runtime/table/schema.ts'
import type { Db } from '../../../storage/store.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import type { Availability as Uptime } from './availability.ts'
import { Availability, CheckAvailability, withAvailability } from './records.ts'

const MAX_CHECKS = 50

export const SiteUptime = record(
  'SiteUptime',
  {
    uptime: Type.Object(Availability.properties, {
      description: 'Availability of the site: the mean of its checks; null without data.',
    }),
    checks: Type.Array(CheckAvailability, { description: 'Checks of the site, oldest first, at most 50.' }),
  },
  'Uptime checks of a site and their availability.',
)

/** @param now epoch ms */
export async function siteUptime(db: Db, site: LiveSite, now: number): Promise<Static<typeof SiteUptime>> {
  const rows = await db
    .selectFrom('uptime_checks')
    .selectAll()
    .where('site_id', '=', site.id)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_CHECKS)
    .execute()
  const checks = await withAvailability(db, rows, now)
  const all = checks.map(check => check.uptime)
  return { uptime: { '24h': mean(all, '24h'), '7d': mean(all, '7d'), '30d': mean(all, '30d') }, checks }
}

/** Truncated to three decimals, like the value of a single check, so that 100 is never rounded up. */
function mean(all: readonly Uptime[], window: keyof Uptime): number | null {
  const known = all.flatMap(each => each[window] ?? [])
  if (known.length === 0) return null
  const thousandths = known.reduce((sum, percent) => sum + Math.round(percent * 1000), 0)
  return Math.floor(thousandths / known.length) / 1000
}
