/** How long a check was in which state, and what share of it it was up (docs/decisions.md §5). */
import type { Db } from '../../../storage/store.ts'
import type { UptimePeriodRow } from '../../../storage/tables/index.ts'

const HOUR = 3_600_000
const windows = { '24h': 24 * HOUR, '7d': 168 * HOUR, '30d': 720 * HOUR } as const
export type Availability = { readonly [W in keyof typeof windows]: number | null }

export type Period = Pick<UptimePeriodRow, 'started_at' | 'status'>

/** From here on the check is in this state. What was said of it from then on before is taken back. */
export async function beginPeriod(db: Db, check_number: number, { started_at, status }: Period): Promise<void> {
  await db.deleteFrom('uptime_periods')
    .where('check_number', '=', check_number).where('started_at', '>=', started_at).execute()
  await db.insertInto('uptime_periods').values({ check_number, started_at, status }).execute()
}

export async function availabilityOf(db: Db, check_number: number, now: number): Promise<Availability> {
  const periods = await db.selectFrom('uptime_periods').select(['started_at', 'status'])
    .where('check_number', '=', check_number).orderBy('started_at').execute()
  return {
    '24h': upPercent(periods, now - windows['24h'], now),
    '7d': upPercent(periods, now - windows['7d'], now),
    '30d': upPercent(periods, now - windows['30d'], now),
  }
}

/**
 * Up time / (up + down time) between two moments in percent, cut to three decimals: 100 is never a rounding.
 * @param periods oldest first, each until the next
 * @returns null where it was neither up nor down
 */
export function upPercent(periods: readonly Period[], from: number, to: number): number | null {
  const spent = { up: 0, down: 0, pending: 0, paused: 0 }
  for (const [i, { started_at, status }] of periods.entries()) {
    const ends = Math.min(periods[i + 1]?.started_at ?? to, to)
    spent[status] += Math.max(0, ends - Math.max(started_at, from))
  }
  const known = spent.up + spent.down
  return known === 0 ? null : Math.floor(spent.up / known * 100_000) / 1000
}

/** Periods that ended before this say nothing any more. */
export function periodsNeededFrom(now: number): number {
  return now - windows['30d']
}
