/**
 * Rolls up old results, so that the data of a check stays small. Single results are kept for 2 hours, sums of 10
 * minutes for 25 hours, of an hour for 8 days, of 6 hours for 31 days: at one probe a minute that is 120 + 138 + 167 +
 * 92 rows a location, 18 KB on SQLite and 71 KB on Postgres, and no more after a year than after a month.
 */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { TaskContext } from '../../../runtime/table/task.ts'
import type { Store, Trx } from '../../../storage/store.ts'
import { rollUpDays } from './days.ts'
import { lockChecks } from './lock.ts'
import { periodsNeededFrom } from './periods.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../storage/values/durations.ts'

/** Finest first: rows of `span` ms that are older than `keep` ms are summed into rows of `into` ms, or deleted. */
const levels = [
  { span: 0, keep: 2 * HOUR_MS, into: 10 * MINUTE_MS },
  { span: 10 * MINUTE_MS, keep: 25 * HOUR_MS, into: HOUR_MS },
  { span: HOUR_MS, keep: 8 * DAY_MS, into: 6 * HOUR_MS },
  { span: 6 * HOUR_MS, keep: 31 * DAY_MS, into: undefined },
] as const

/** Checks rolled up in one transaction; SQLite's other writers can run between two transactions. */
const checksAtOnce = 25

type Run = Pick<TaskContext, 'signal' | 'progress'>

export async function rollUp(store: Store, now: number, { signal, progress }: Run): Promise<void> {
  const { last } = await store.read
    .selectFrom('uptime_checks')
    .select(({ fn }) => fn.max('number').as('last'))
    .executeTakeFirstOrThrow()
  for (let from = 0; from <= (last ?? -1) && !signal.aborted; from += checksAtOnce) {
    const range = [from, from + checksAtOnce - 1] as const
    await store.transaction(async trx => {
      // A run that another run has overtaken would sum up the same results again.
      await lockChecks(trx, store.dialect).select('number').where('number', '>=', range[0]).where('number', '<=', range[1]).execute()
      await rollUpChecks(trx, range, now)
    })
    progress(Math.min(from + checksAtOnce, last ?? 0), last ?? 0)
    await setImmediate()
  }
}

type Numbers = readonly [first: number, last: number]

async function rollUpChecks(trx: Trx, [first, last]: Numbers, now: number): Promise<void> {
  for (const { span, keep, into } of levels) {
    // Only whole rows of the next level, so that no later result belongs to a row that already exists.
    const until = now - keep - ((now - keep) % (into ?? span))
    const old = () => sql`check_number between ${first} and ${last} and span = ${span} and at < ${until}`
    if (into !== undefined) {
      const start = sql`at - at % ${sql.lit(into)}`
      await sql`
        insert into uptime_results (check_number, location, span, at, probes, failures, timed, total_ms)
        select check_number, location, ${sql.lit(into)}, ${start}, sum(probes), sum(failures), sum(timed), sum(total_ms)
        from uptime_results where ${old()} group by check_number, location, ${start}
        on conflict (check_number, location, span, at) do update set
          probes = uptime_results.probes + excluded.probes, failures = uptime_results.failures + excluded.failures,
          timed = uptime_results.timed + excluded.timed, total_ms = uptime_results.total_ms + excluded.total_ms
      `.execute(trx)
    }
    await sql`delete from uptime_results where ${old()}`.execute(trx)
  }
  await rollUpDays(trx, [first, last], now)
  // Keep the last period that began before the longest window: it has the state at the window's start.
  await sql`
    delete from uptime_periods where check_number between ${first} and ${last} and started_at < (
      select max(started_at) from uptime_periods p
      where p.check_number = uptime_periods.check_number and p.started_at <= ${periodsNeededFrom(now)})`.execute(trx)
}
