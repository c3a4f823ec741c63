/** Helpers of the operations on checks: creating, listing, starting over. */
import type { Static, TObject } from '@sinclair/typebox'
import { sql } from 'kysely'
import { failWith } from '../../../runtime/table/errors.ts'
import { oneLine } from '../../../runtime/values/one-line.ts'
import type { Page } from '../../../runtime/table/operation.ts'
import type { Services } from '../../../runtime/table/call-services.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import type { Db } from '../../../storage/store.ts'
import type { UptimeCheckRow } from '../../../storage/tables/index.ts'
import { targetName, toCheck, withAvailability } from '../../reports/availability/records.ts'
import { followDomain } from './domains/refresh.ts'
import type { createFields } from './fields.ts'
import { beginPeriod } from './periods.ts'
import { intervalIn } from './interval.ts'
import { ids } from './records.ts'
import { registrableDomain, resolveTarget } from './target.ts'

/**
 * How far back results of probes are accepted, ms (docs/decisions.md §5). For a new check all of these count, since it
 * never had another target.
 */
export const resultsReach = 10 * 60_000

type New = Static<TObject<typeof createFields>>
type CreationServices = Pick<Services, 'db' | 'config' | 'now' | 'newId'>
type Place = Pick<UptimeCheckRow, 'workspace_id' | 'site_id'>

/** @throws Failure `validation_failed` with every fault of the target */
export async function makeCheck({ db, config, now, newId }: CreationServices, place: Place, input: New) {
  const { target, faults } = resolveTarget(input)
  failWith(faults)
  const domain = registrableDomain(target)
  const row = await db
    .insertInto('uptime_checks')
    .values({
      id: newId(ids.check),
      ...place,
      ...target,
      name: ownName(input.name, targetName(target)) ?? null,
      interval_seconds: await intervalIn(db, { config, workspaceId: place.workspace_id, given: input.interval_seconds }),
      timeout_seconds: input.timeout_seconds,
      public: Number(input.public),
      ...startAgain(now),
      watched_since: now - resultsReach,
      last_checked_at: null,
      last_response_ms: null,
      ...nothingKnown,
      domain,
      domain_expires_at: await followDomain(db, domain, now),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await beginPeriod(db, row.number, { started_at: now, status: 'pending' })
  wakeAfter(db, 'domains_refresh')
  return toCheck(row)
}

/** Undefined keeps the name; empty, or the target itself, means no name of its own. */
export function ownName(given: string | null | undefined, ...targets: readonly string[]): string | null | undefined {
  if (given === undefined || given === null) return given
  return given === '' || targets.map(oneLine).includes(given) ? null : given
}

/** Columns of a check without results: probed at once, pending until results decide. */
export function startAgain(now: number) {
  return { status: 'pending', status_since: now, watched_since: now, next_check_at: now, leased_until: null } as const
}
export const nothingKnown = { ssl_expires_at: null, ssl_issuer: null } as const

/** Deletes the state of its locations, and begins a new `pending` period. */
export async function watchAgain(db: Db, check: UptimeCheckRow, now: number): Promise<void> {
  await db.deleteFrom('uptime_locations').where('check_number', '=', check.number).execute()
  await beginPeriod(db, check.number, { started_at: now, status: 'pending' })
}

interface Wanted {
  readonly workspaceId: string
  /** Empty: all sites, and checks without a site. */
  readonly siteIds: readonly string[]
  readonly status?: UptimeCheckRow['status'] | undefined
  readonly query?: string | undefined
}

export async function pageOfChecks(
  db: Db,
  { wanted: { workspaceId, siteIds, status, query }, page, now }: { wanted: Wanted; page: Page; now: number },
) {
  let checks = db.selectFrom('uptime_checks').selectAll().where('workspace_id', '=', workspaceId)
  if (siteIds.length > 0) checks = checks.where('site_id', 'in', siteIds)
  if (status) checks = checks.where('status', '=', status)
  if (query) {
    const part = `%${query.replace(/[\\%_]/g, '\\$&')}%`
    // The displayed text (host:port), so that a search finds it.
    const target = sql<string>`coalesce(url, case when port is null then host else host || ':' || port end)`
    checks = checks.where(sql<boolean>`lower(coalesce(name, '') || ' ' || ${target}) like lower(${part}) escape '\\'`)
  }
  const { rows, total } = await pageOf(checks.orderBy('created_at').orderBy('id'), page)
  return { rows: await withAvailability(db, rows, now), total }
}
