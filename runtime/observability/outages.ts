/**
 * Tracks outages of the database: logged once a second, however many calls fail, and remembered until a write succeeds.
 */
import { sql } from 'kysely'
import type { Store } from '../../storage/store.ts'
import { type OutageReason, StorageUnavailable, type UnavailableReason } from '../../storage/values/storage-unavailable.ts'
import type { Log } from './log.ts'

export interface Outages {
  /** Remembers the failure, if the database caused it. */
  note(thrown: unknown): void
  /** Like `note`, and logs it: for calls, which nothing else logs. */
  refused(unavailable: StorageUnavailable): void
  /**
   * Like `note`, and logs it once an outage, however often tasks run into it.
   * @returns whether the database is the reason; anything else is for the caller to log
   */
  failed(thrown: unknown): boolean
  /**
   * Queries the database; after a failure it also writes, because reads succeed on a full disk.
   * @returns why calls fail; undefined if they do not
   */
  now(): Promise<string | undefined>
}

/** Seconds for the Retry-After header; undefined if the same call will fail again. */
export const retryAfter: Readonly<Record<UnavailableReason, number | undefined>> = {
  moved: 5,
  locked: 1,
  away: 2,
  full: 10,
  busy: 2,
  stopping: 2,
  reports_waiting: 2,
  report_too_large: undefined,
  cluster: 10,
}

const isOutage = (reason: UnavailableReason): reason is OutageReason => Object.hasOwn(words, reason)
/** The other reasons are not outages: the database answers and accepts writes. */
const outageOf = (thrown: unknown): OutageReason | undefined =>
  thrown instanceof StorageUnavailable && isOutage(thrown.reason) ? thrown.reason : undefined

/** A database that takes longer than this to answer counts as away, ms. */
const patience = 2_000
/** Ms without failures that end an outage: on a full disk a small write may succeed where a larger one fails. */
const settled: Readonly<Record<OutageReason, number>> = { locked: 0, away: 0, moved: 0, full: 3_000 }
const sayEvery = 1_000
/** Ms without a failed task, after which the next one belongs to another outage: tasks try again at least every few seconds. */
const anotherAfter = 20_000

const words: Readonly<Record<OutageReason, string>> = {
  locked: 'the database is locked',
  away: 'the database does not answer',
  full: 'the disk of the database is full',
  moved: 'the database is being moved, or was moved: changes wait',
}

export function openOutages(store: Store, log: Log, now: () => number): Outages {
  let last: { readonly reason: OutageReason; readonly at: number } | undefined
  let asking: Promise<string | undefined> | undefined
  const loggedAt = new Map<UnavailableReason, number>()
  let taskFailedAt: number | undefined

  function note(thrown: unknown): void {
    const reason = outageOf(thrown)
    if (reason) last = { reason, at: now() }
  }

  function refused(unavailable: StorageUnavailable): void {
    const { reason } = unavailable
    if (!isOutage(reason) && reason !== 'cluster') return
    note(unavailable)
    if (now() < (loggedAt.get(reason) ?? -Infinity) + sayEvery) return
    loggedAt.set(reason, now())
    log.error({ err: unavailable }, 'calls are answered 503')
  }

  function failed(thrown: unknown): boolean {
    const reason = outageOf(thrown)
    if (!reason) return false
    note(thrown)
    const isNew = now() > (taskFailedAt ?? -Infinity) + anotherAfter
    taskFailedAt = now()
    if (isNew) log.error({ err: thrown }, 'background tasks wait for the database')
    return true
  }

  async function ask(): Promise<string | undefined> {
    try {
      await sql`select 1`.execute(store.read)
      if (!last) return undefined
      await write(store)
      if (now() >= last.at + settled[last.reason]) last = undefined
    } catch (error) {
      note(error)
      if (!(error instanceof StorageUnavailable)) return words.away
    }
    return last && words[last.reason]
  }

  return Object.freeze({
    note,
    refused,
    failed,
    async now() {
      // One query at a time: if the database hangs, frequent health checks must not use up its connections.
      asking ??= ask().finally(() => {
        asking = undefined
      })
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<string>(resolve => {
        timer = setTimeout(resolve, patience, words.away)
      })
      return Promise.race([asking, late]).finally(() => clearTimeout(timer))
    },
  })
}

/** Leaves no data behind, but has to be committed like any write. */
async function write(store: Store): Promise<void> {
  await store.transaction(async trx => {
    const name = 'whether writes succeed'
    await trx
      .insertInto('instance_secrets')
      .values({ name, value: '' })
      .onConflict(conflict => conflict.doNothing())
      .execute()
    await trx.deleteFrom('instance_secrets').where('name', '=', name).execute()
  })
}
