/**
 * The time of a database. Leases, limits and due times are written by one process and read by another, so processes on one
 * Postgres all follow its clock, however far their own are apart; SQLite is on one machine, and so has one clock.
 */
import { sql } from 'kysely'
import type { Store } from '../store.ts'

/** How often the database is asked, ms: in that time clocks that run at different speeds part by a millisecond or so. */
const ASK_EVERY = 10_000
/** Before the first answer counts: the fastest of these bounds the difference best. */
const FIRST_ASKS = 3

export interface Clock {
  /** Epoch ms, whole. */
  now(): number
  close(): void
}

/**
 * Measured from the monotonic clock of the process, which nobody sets and which goes on while the process is stopped. A
 * difference is known to lie between two bounds (Cristian, Probabilistic clock synchronization, 1989, §3); it changes only
 * when it lies outside, so that time does not jump about within what a round trip takes.
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
      () => {}, // while the database is away, what was measured holds
    )
  }, ASK_EVERY)
  timer.unref()
  return {
    now: () => Math.floor(performance.now() + ahead),
    close: () => clearInterval(timer),
  }
}

/** What the database's clock is ahead of the monotonic one, at least and at most. */
async function ask({ read }: Pick<Store, 'read'>): Promise<{ readonly least: number; readonly most: number }> {
  const sent = performance.now()
  const { rows } = await sql<{ at: number }>`select extract(epoch from clock_timestamp()) * 1000 as at`.execute(read)
  const received = performance.now()
  const at = rows[0]?.at ?? Date.now()
  return { least: at - received, most: at - sent }
}
