/** The current state of a site's uptime checks: all of them, or the one that the alert names. */
import { clipped } from '../../../../runtime/values/clip.ts'
import type { AlertRow, UptimeCheckRow } from '../../../../storage/tables/index.ts'
import type { LiveSite } from '../../../sites/sites/records.ts'
import { maintenanceSince } from '../../../reports/availability/index.ts'
import { maintenanceAt } from '../../uptime/index.ts'
import type { MeasureContext } from './measure-context.ts'

type Watched = Pick<AlertRow, 'uptime_check_id'>

async function checksOf({ uptime_check_id }: Watched, site: LiveSite, measuring: MeasureContext): Promise<UptimeCheckRow[]> {
  const checks = await measuring.once(`checks ${site.id}`, () =>
    measuring.db.selectFrom('uptime_checks').selectAll().where('site_id', '=', site.id).orderBy('created_at').orderBy('id').execute(),
  )
  const then = measuring.since === undefined ? checks : await checksThen(checks, site, measuring)
  return uptime_check_id === null ? then : then.filter(check => check.id === uptime_check_id)
}

/** The checks with the states that they had at a time of the past. Periods are kept for as long as a preview reaches back. */
async function checksThen(checks: readonly UptimeCheckRow[], site: LiveSite, { db, once, now }: MeasureContext): Promise<UptimeCheckRow[]> {
  const numbers = checks.map(({ number }) => number)
  const periods = await once(`periods ${site.id}`, async () =>
    numbers.length === 0
      ? []
      : db.selectFrom('uptime_periods').selectAll().where('check_number', 'in', numbers).orderBy('started_at', 'desc').execute(),
  )
  return checks
    .filter(({ created_at }) => created_at <= now)
    .map(check => {
      const then = periods.find(({ check_number, started_at }) => check_number === check.number && started_at <= now)
      return { ...check, status: then?.status ?? 'pending', status_since: then?.started_at ?? check.created_at }
    })
}

const nameOf = ({ name, url, host, port }: UptimeCheckRow): string =>
  clipped(name ?? url ?? `${host ?? ''}${port === null ? '' : `:${port}`}`, MAX_OF_NAME)
/** Characters of a name in a message: a URL may have 2,000. */
const MAX_OF_NAME = 300

/**
 * The names of the checks that are down, and how many have a decided state. Null if none has. Pending and paused checks do
 * not count, nor do checks that went down in maintenance while it lasts. `none` if the site has no checks.
 */
export async function checksDown(
  alert: Watched,
  site: LiveSite,
  measuring: MeasureContext,
): Promise<{ down: string[]; all: number } | 'none' | null> {
  const checks = await checksOf(alert, site, measuring)
  if (checks.length === 0) return 'none'
  const maintenanceOf = await measuring.once(`maintenance ${site.id}`, () =>
    maintenanceSince(
      measuring.db,
      checks.filter(({ status }) => status === 'down' || measuring.since !== undefined).map(({ number }) => number),
      measuring.since ?? measuring.now,
    ),
  )
  const isExpected = ({ number, status_since }: UptimeCheckRow) => {
    const began = maintenanceAt(maintenanceOf(number), measuring.now)
    return began !== undefined && began <= status_since
  }
  const decided = checks.filter(check => check.status === 'up' || (check.status === 'down' && !isExpected(check)))
  if (decided.length === 0) return null
  return { down: decided.filter(({ status }) => status === 'down').map(nameOf), all: decided.length }
}

/**
 * The certificate that expires first, and its remaining validity in ms. Null if no certificate was seen; `none` if
 * there are no checks.
 */
export async function firstToExpire(
  alert: Watched,
  site: LiveSite,
  measuring: MeasureContext,
): Promise<{ name: string; ms: number } | 'none' | null> {
  const checks = await checksOf(alert, site, measuring)
  if (checks.length === 0) return 'none'
  const seen = checks.flatMap(check =>
    check.ssl_expires_at === null || check.status === 'paused' ? [] : [{ name: nameOf(check), ms: check.ssl_expires_at - measuring.now }],
  )
  return seen.length === 0 ? null : seen.reduce((first, next) => (next.ms < first.ms ? next : first))
}
