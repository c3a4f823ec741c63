/**
 * The clock of a database. One process writes leases, limits and due times, and another one reads them. So all processes on
 * one Postgres follow its clock, however far their own clocks differ. SQLite is on one machine and so has one clock.
 */
import { sql } from 'kysely'
import type { Store } from '../store.ts'

/** Interval of queries for the time, ms. In it, clocks of different speeds diverge by about a millisecond. */
const ASK_EVERY = 10_000
/** Number of queries at the start, of which the fastest one bounds the difference best. */
const FIRST_ASKS = 3

export interface Clock {
  /** Epoch ms, whole. */
  now(): number
  close(): void
}

/**
 * Opens a clock that adds a difference to the monotonic clock of the process, which cannot be set and which continues while
 * the process is stopped. Each query bounds the difference (Cristian, Probabilistic clock synchronization, 1989, §3). The
 * difference changes only if it is outside of the bounds, so that the time does not jump within a round trip.
 * @throws StorageUnavailable if the database does not answer
 */
export async function openClock(store: Pick<Store, 'isShared' | 'read'>): Promise<Clock> {
  if (!store.isShared) return { now: Date.now, close() {} }
  let bounds = await ask(store)
  for (let asks = 1; asks < FIRST_ASKS; asks++) {
    const again = await ask(store)
    if (again.most - again.least < bounds.most - bounds.least) bounds = again
  }
  let ahead = (bounds.least + bounds.most) / 2
  const timer = setInterval(() => {
    void ask(store).then(
      ({ least, most }) => {
        ahead = Math.min(Math.max(ahead, least), most)
      },
      () => {}, // without the database, the last measurement is kept
    )
  }, ASK_EVERY)
  timer.unref()
  return {
    now: () => Math.floor(performance.now() + ahead),
    close: () => clearInterval(timer),
  }
}

/** Measures the least and the most that the database's clock is ahead of the monotonic one. */
async function ask({ read }: Pick<Store, 'read'>): Promise<{ readonly least: number; readonly most: number }> {
  const sent = performance.now()
  const { rows } = await sql<{ at: number }>`select extract(epoch from clock_timestamp()) * 1000 as at`.execute(read)
  const received = performance.now()
  const at = rows[0]?.at ?? Date.now()
  return { least: at - received, most: at - sent }
}
