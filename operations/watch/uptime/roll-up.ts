/**
 * What is kept of old results, so that a check stays small. Single results stay for 2 hours, sums of 10 minutes for
 * 25 hours, of an hour for 8 days, of 6 hours for 31 days: at one probe a minute 120 + 138 + 167 + 92 rows a location,
 * 18 KB on SQLite and 71 KB on Postgres, and no more after a year than after a month.
 */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { TaskContext } from '../../../runtime/task.ts'
import type { Store, Trx } from '../../../storage/store.ts'
import { periodsNeededFrom } from './periods.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** From the finest on: rows of `span` ms older than `keep` ms become rows of `into` ms, or end. */
const levels = [
  { span: 0, keep: 2 * HOUR, into: 10 * MINUTE },
  { span: 10 * MINUTE, keep: 25 * HOUR, into: HOUR },
  { span: HOUR, keep: 8 * DAY, into: 6 * HOUR },
  { span: 6 * HOUR, keep: 31 * DAY, into: undefined },
] as const

/** Checks rolled up in one transaction; between two of them other writers have their turn, which SQLite makes wait meanwhile. */
const checksAtOnce = 25

type Run = Pick<TaskContext, 'signal' | 'progress'>

export async function rollUp(store: Store, now: number, { signal, progress }: Run): Promise<void> {
  const { last } = await store.read
    .selectFrom('uptime_checks')
    .select(({ fn }) => fn.max('number').as('last'))
    .executeTakeFirstOrThrow()
  for (let from = 0; from <= (last ?? -1) && !signal.aborted; from += checksAtOnce) {
    await store.transaction(trx => rollUpChecks(trx, [from, from + checksAtOnce - 1], now))
    progress(Math.min(from + checksAtOnce, last ?? 0), last ?? 0)
    await setImmediate()
  }
}

type Numbers = readonly [first: number, last: number]

async function rollUpChecks(trx: Trx, [first, last]: Numbers, now: number): Promise<void> {
  for (const { span, keep, into } of levels) {
    // Whole rows of the next level only: what is left behind never belongs to one that was made already.
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
  // The state at the beginning of the longest window is said by the last period that began before it.
  await sql`
    delete from uptime_periods where check_number between ${first} and ${last} and started_at < (
      select max(started_at) from uptime_periods p
      where p.check_number = uptime_periods.check_number and p.started_at <= ${periodsNeededFrom(now)})`.execute(trx)
}
