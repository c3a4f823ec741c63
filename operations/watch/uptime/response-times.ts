/** Response times over a range, by location: averages of buckets aligned to UTC. */
import { sql } from 'kysely'
import { iso } from '../../../runtime/table/schema.ts'
import type { Db } from '../../../storage/store.ts'
import { HOUR_MS, MINUTE_MS } from '../../../storage/values/durations.ts'

/** Width of a bucket in ms, and the number of buckets in the range. Stored sums are at least as fine: roll-up.ts. */
export const ranges = {
  '24h': { bucket: 10 * MINUTE_MS, count: 144 },
  '7d': { bucket: HOUR_MS, count: 168 },
  '30d': { bucket: 6 * HOUR_MS, count: 120 },
} as const
export type Range = keyof typeof ranges
export const rangeNames = Object.keys(ranges) as Range[]

export interface ResponseTimes {
  readonly unit: 'ms'
  readonly labels: string[]
  readonly series: Record<string, (number | null)[]>
}

/** @param now epoch ms; it belongs to the last bucket */
export async function responseTimes(
  db: Db,
  { checkNumber, range, now }: { checkNumber: number; range: Range; now: number },
): Promise<ResponseTimes> {
  const { bucket, count } = ranges[range]
  const first = now - (now % bucket) - (count - 1) * bucket
  const start = sql<number>`at - at % ${sql.lit(bucket)}`
  const rows = await db
    .selectFrom('uptime_results')
    .select(['location', start.as('start')])
    .select(({ fn }) => [fn.sum<number>('timed').as('timed'), fn.sum<number>('total_ms').as('total_ms')])
    .where('check_number', '=', checkNumber)
    .where('at', '>=', first)
    .where('at', '<', first + count * bucket)
    .groupBy(['location', start])
    .orderBy('location')
    .execute()
  const series: Record<string, (number | null)[]> = {}
  for (const { location, start, timed, total_ms } of rows) {
    const points = (series[location] ??= Array.from({ length: count }, () => null))
    points[(start - first) / bucket] = timed === 0 ? null : Math.round(total_ms / timed)
  }
  return { unit: 'ms', labels: Array.from({ length: count }, (_, i) => iso(first + i * bucket)), series }
}

/**
 * Response times of the last 24 hours, of all locations together: an average for each hour, oldest first; null for hours
 * without a response.
 * @param now epoch ms; it belongs to the last hour
 */
export async function hourlyAverages(db: Db, checkNumbers: readonly number[], now: number): Promise<Map<number, (number | null)[]>> {
  const found = new Map<number, (number | null)[]>()
  if (checkNumbers.length === 0) return found
  const first = now - (now % HOUR_MS) - 23 * HOUR_MS
  const hour = sql<number>`(at - ${sql.lit(first)}) / ${sql.lit(HOUR_MS)}`
  const rows = await db
    .selectFrom('uptime_results')
    .select(['check_number', hour.as('hour')])
    .select(({ fn }) => [fn.sum<number>('timed').as('timed'), fn.sum<number>('total_ms').as('total_ms')])
    .where('check_number', 'in', [...checkNumbers])
    .where('at', '>=', first)
    .where('at', '<', first + 24 * HOUR_MS)
    .groupBy(['check_number', hour])
    .execute()
  for (const { check_number, hour, timed, total_ms } of rows) {
    const points = found.get(check_number) ?? Array.from({ length: 24 }, () => null)
    found.set(check_number, points)
    points[hour] = timed === 0 ? null : Math.round(total_ms / timed)
  }
  return found
}
