/** The share of time that a check was up (docs/decisions.md §5). */
import type { Db } from '../../../storage/store.ts'
import type { UptimePeriodRow } from '../../../storage/tables/index.ts'

const HOUR = 3_600_000
export const windows = { '24h': 24 * HOUR, '7d': 168 * HOUR, '30d': 720 * HOUR } as const
export type Availability = { readonly [W in keyof typeof windows]: number | null }

export type Period = Pick<UptimePeriodRow, 'started_at' | 'status'>

/** Availability of these checks, by their numbers; one query for all of them. @param now epoch ms */
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
  return check => {
    const of = periods.get(check) ?? []
    return {
      '24h': upPercent(of, now - windows['24h'], now),
      '7d': upPercent(of, now - windows['7d'], now),
      '30d': upPercent(of, now - windows['30d'], now),
    }
  }
}

export const availabilityOf = async (db: Db, check: { readonly number: number }, now: number): Promise<Availability> =>
  (await availabilities(db, [check], now))(check.number)

/**
 * Up time / (up + down time) between two times in percent, truncated to three decimals, so that 100 is never rounded
 * up.
 * @param periods oldest first, each lasting until the next
 * @returns null if it was neither up nor down
 */
export function upPercent(periods: readonly Period[], from: number, to: number): number | null {
  const spent = { up: 0, down: 0, pending: 0, paused: 0 }
  for (const [i, { started_at, status }] of periods.entries()) {
    const ends = Math.min(periods[i + 1]?.started_at ?? to, to)
    spent[status] += Math.max(0, ends - Math.max(started_at, from))
  }
  const known = spent.up + spent.down
  return known === 0 ? null : Math.floor((spent.up / known) * 100_000) / 1000
}
