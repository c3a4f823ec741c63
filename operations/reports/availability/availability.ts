/** Availability: the share of time that a check was up (docs/decisions.md §5). */
import type { Db } from '../../../storage/store.ts'
import type { UptimePeriodRow } from '../../../storage/tables/index.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'

export const windows = { '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS, '30d': 720 * HOUR_MS } as const
export type Availability = { readonly [W in keyof typeof windows]: number | null }

export type Period = Pick<UptimePeriodRow, 'started_at' | 'status'>

/** Returns the availability of these checks by number, with one query for all of them. @param now epoch ms */
export async function availabilities(
  db: Db,
  checks: readonly { readonly number: number }[],
  now: number,
): Promise<(check: number) => Availability> {
  const periods = new Map<number, Period[]>(checks.map(({ number }) => [number, []]))
  if (checks.length > 0) {
    const rows = await db
      .selectFrom('uptime_periods')
      .select(['check_number', 'started_at', 'status'])
      .where('check_number', 'in', [...periods.keys()])
      .orderBy('check_number')
      .orderBy('started_at')
      .execute()
    for (const row of rows) periods.get(row.check_number)?.push(row)
  }
  const maintenanceOf = await maintenanceSince(db, [...periods.keys()], now - windows['30d'])
  return check => {
    const of = periods.get(check) ?? []
    const maintenance = maintenanceOf(check)
    return {
      '24h': upPercent({ periods: of, from: now - windows['24h'], to: now, maintenance }),
      '7d': upPercent({ periods: of, from: now - windows['7d'], to: now, maintenance }),
      '30d': upPercent({ periods: of, from: now - windows['30d'], to: now, maintenance }),
    }
  }
}

/** Planned maintenance, which availability does not count. */
export interface Maintenance {
  readonly starts_at: number
  readonly ends_at: number
}

/** Returns maintenance of these checks that ended after `from`, epoch ms, ordered by its start. */
export async function maintenanceSince(db: Db, checks: readonly number[], from: number): Promise<(check: number) => Maintenance[]> {
  if (checks.length === 0) return () => []
  const rows = await db
    .selectFrom('uptime_maintenance')
    .select(['check_number', 'starts_at', 'ends_at'])
    .where('check_number', 'in', [...checks])
    .where('ends_at', '>', from)
    .orderBy('starts_at')
    .execute()
  return check => rows.filter(({ check_number }) => check_number === check)
}

export const availabilityOf = async (db: Db, check: { readonly number: number }, now: number): Promise<Availability> =>
  (await availabilities(db, [check], now))(check.number)

interface UpPercent {
  readonly periods: readonly Period[]
  readonly from: number
  readonly to: number
  readonly maintenance?: readonly Maintenance[] | undefined
}

/**
 * Up time / (up + down time) between two times in percent, truncated to three decimals, so that 100 is never rounded
 * up.
 * @param periods oldest first, each lasting until the next
 * @returns null if the check was neither up nor down
 */
export function upPercent({ periods, from, to, maintenance = [] }: UpPercent): number | null {
  return percentOf(timeSpent(periods, { from, to, maintenance }))
}

/** @param time in any unit */
export function percentOf({ up, down }: { readonly up: number; readonly down: number }): number | null {
  const known = up + down
  return known === 0 ? null : Math.floor((up / known) * 100_000) / 1000
}

interface Span {
  readonly from: number
  readonly to: number
  /** Ordered by its start; the time in it does not count. */
  readonly maintenance?: readonly Maintenance[]
}

/**
 * Returns the ms in each state between two times.
 * @param periods oldest first, each lasting until the next
 */
export function timeSpent(periods: readonly Period[], { from, to, maintenance = [] }: Span): Record<Period['status'], number> {
  const spent = { up: 0, down: 0, pending: 0, paused: 0 }
  for (const [i, { started_at, status }] of periods.entries()) {
    const begins = Math.max(started_at, from)
    const ends = Math.min(periods[i + 1]?.started_at ?? to, to)
    if (ends > begins) spent[status] += ends - begins - covered(begins, ends, maintenance)
  }
  return spent
}

/** Returns the ms of a range in maintenance; several maintenance windows may overlap. */
function covered(from: number, to: number, maintenance: readonly Maintenance[]): number {
  let sum = 0
  let reached = from
  for (const { starts_at, ends_at } of maintenance) {
    const [begins, ends] = [Math.max(starts_at, reached), Math.min(ends_at, to)]
    if (ends <= begins) continue
    sum += ends - begins
    reached = ends
  }
  return sum
}
