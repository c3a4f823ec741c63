/** The share of time that a check was up (docs/decisions.md §5). */
import type { Db } from '../../../storage/store.ts'
import type { UptimePeriodRow } from '../../../storage/tables/index.ts'

const HOUR = 3_600_000
export const windows = { '24h': 24 * HOUR, '7d': 168 * HOUR, '30d': 720 * HOUR } as const
export type Availability = { readonly [W in keyof typeof windows]: number | null }

export type Period = Pick<UptimePeriodRow, 'started_at' | 'status'>

export async function availabilityOf(db: Db, check_number: number, now: number): Promise<Availability> {
  const periods = await db
    .selectFrom('uptime_periods')
    .select(['started_at', 'status'])
    .where('check_number', '=', check_number)
    .orderBy('started_at')
    .execute()
  return {
    '24h': upPercent(periods, now - windows['24h'], now),
    '7d': upPercent(periods, now - windows['7d'], now),
    '30d': upPercent(periods, now - windows['30d'], now),
  }
}

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
