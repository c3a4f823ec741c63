/**
 * Up and down time by UTC day, stored for longer than periods are. A day is summed up after its end, when no more results
 * for it can arrive. Later days are computed from the periods.
 */
import type { Db, Trx } from '../../../storage/store.ts'
import type { UptimeDayRow } from '../../../storage/tables/uptime.ts'
import { maintenanceSince, type Period, timeSpent } from '../../reports/availability/index.ts'
import { grouped } from '../../../storage/values/grouped.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

export const dayOf = (at: number): number => Math.floor(at / DAY_MS)

/** Stored days, including the current one. */
const DAYS = 90
/** Results arrive up to 10 minutes late (docs/decisions.md §5). */
const settleMs = 15 * 60_000

type DayTimes = Omit<UptimeDayRow, 'check_number'>

async function periodsOf(db: Db, checks: readonly number[], from: number): Promise<Map<number, Period[]>> {
  const rows = await db
    .selectFrom('uptime_periods as p')
    .select(['check_number', 'started_at', 'status'])
    .where('check_number', 'in', [...checks])
    .where(({ eb, selectFrom, fn, ref }) =>
      eb(
        'started_at',
        '>=',
        fn.coalesce(
          selectFrom('uptime_periods as before')
            .select(of => of.fn.max('before.started_at').as('at'))
            .whereRef('before.check_number', '=', ref('p.check_number'))
            .where('before.started_at', '<=', from),
          eb.val(0),
        ),
      ),
    )
    .orderBy('check_number')
    .orderBy('started_at')
    .execute()
  return grouped(rows, row => row.check_number)
}

interface TimesOf {
  readonly periods: readonly Period[]
  readonly days: readonly number[]
  readonly maintenance: NonNullable<Parameters<typeof timeSpent>[1]['maintenance']>
  readonly now: number
}

/** Up and down time of these days; the last day up to `now`. */
function timesOf({ periods, days, maintenance, now }: TimesOf): DayTimes[] {
  return days.map(day => {
    const { up, down } = timeSpent(periods, { from: day * DAY_MS, to: Math.min((day + 1) * DAY_MS, now), maintenance })
    return { day, up_ms: up, down_ms: down }
  })
}

const range = (from: number, to: number): number[] => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)

/** Sums up the ended days of all checks with numbers in this range, and deletes days that are too old. */
export async function rollUpDays(trx: Trx, [first, last]: readonly [number, number], now: number): Promise<void> {
  const over = dayOf(now - settleMs) - 1
  const done = await trx
    .selectFrom('uptime_checks as c')
    .leftJoin('uptime_days as d', 'd.check_number', 'c.number')
    .select(({ fn }) => ['c.number', fn.max('d.day').as('day')])
    .where('c.number', '>=', first)
    .where('c.number', '<=', last)
    .groupBy('c.number')
    .execute()
  const due = done.filter(({ day }) => (day ?? -1) < over).map(({ number }) => number)
  if (due.length === 0) return
  const earliest = over - DAYS + 2
  const periods = await periodsOf(trx, due, earliest * DAY_MS)
  const maintenanceOf = await maintenanceSince(trx, due, earliest * DAY_MS)
  const rows = done.flatMap(({ number, day }) => {
    const of = periods.get(number) ?? []
    const begins = Math.max(earliest, (day ?? -1) + 1, dayOf(of[0]?.started_at ?? now))
    return timesOf({ periods: of, days: range(begins, over), maintenance: maintenanceOf(number), now }).map(times => ({
      check_number: number,
      ...times,
    }))
  })
  for (let i = 0; i < rows.length; i += 1_000)
    await trx
      .insertInto('uptime_days')
      .values(rows.slice(i, i + 1_000))
      .execute()
  await trx.deleteFrom('uptime_days').where('check_number', 'in', due).where('day', '<', earliest).execute()
}

/** Up and down time of the last 90 UTC days, oldest first, the last one up to now. Days before a check existed are omitted. */
export async function recentDays(db: Db, checks: readonly number[], now: number): Promise<Map<number, DayTimes[]>> {
  const found = new Map<number, DayTimes[]>(checks.map(number => [number, []]))
  if (checks.length === 0) return found
  const today = dayOf(now)
  const rows = await db
    .selectFrom('uptime_days')
    .selectAll()
    .where('check_number', 'in', [...checks])
    .where('day', '>', today - DAYS)
    .where('day', '<', today)
    .orderBy('day')
    .execute()
  for (const { check_number, ...times } of rows) found.get(check_number)?.push(times)
  const summedUntil = Math.min(...checks.map(number => found.get(number)?.at(-1)?.day ?? today - DAYS))
  const periods = await periodsOf(db, checks, (summedUntil + 1) * DAY_MS)
  const maintenanceOf = await maintenanceSince(db, checks, (summedUntil + 1) * DAY_MS)
  for (const [number, times] of found) {
    const of = periods.get(number) ?? []
    const begins = Math.max(today - DAYS + 1, (times.at(-1)?.day ?? -1) + 1, dayOf(of[0]?.started_at ?? now))
    times.push(...timesOf({ periods: of, days: range(begins, today), maintenance: maintenanceOf(number), now }))
  }
  return found
}
