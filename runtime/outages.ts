/**
 * The database that cannot be used for now: said once a second, however many calls meet it, and remembered until a
 * write succeeds.
 */
import { sql } from 'kysely'
import type { Store } from '../storage/store.ts'
import { type OutageReason, StorageUnavailable, type UnavailableReason } from '../storage/unavailable.ts'
import type { Log } from './log.ts'

export interface Outages {
  /** Remembers why something failed, where the database is why. */
  note(thrown: unknown): void
  /** As `note`, and says so: for calls, which nobody else tells of. */
  refused(unavailable: StorageUnavailable): void
  /**
   * Asks the database, and after a failure has it write as well: a full disk answers questions.
   * @returns why calls fail; undefined where they do not
   */
  now(): Promise<string | undefined>
}

/** When to try again, seconds. */
export const retryAfter: Readonly<Record<UnavailableReason, number>> = { locked: 1, away: 2, full: 10, busy: 2 }

/** Too many reports are no outage: the database answers, and takes writes. */
const outageOf = (thrown: unknown): OutageReason | undefined =>
  thrown instanceof StorageUnavailable && thrown.reason !== 'busy' ? thrown.reason : undefined

/** A database that takes longer to answer, ms, does not. */
const patience = 2_000
/** So long, ms, there must have been no failure: on a full disk a small write may succeed where the next larger one fails. */
const settled: Readonly<Record<OutageReason, number>> = { locked: 0, away: 0, full: 3_000 }
const sayEvery = 1_000

const words: Readonly<Record<OutageReason, string>> = {
  locked: 'the database is locked',
  away: 'the database does not answer',
  full: 'the disk of the database is full',
}

export function openOutages(store: Store, log: Log, now: () => number): Outages {
  let last: { readonly reason: OutageReason; readonly at: number } | undefined
  let asking: Promise<string | undefined> | undefined
  const said = new Map<OutageReason, number>()

  function note(thrown: unknown): void {
    const reason = outageOf(thrown)
    if (reason) last = { reason, at: now() }
  }

  function refused(unavailable: StorageUnavailable): void {
    const reason = outageOf(unavailable)
    if (!reason) return
    note(unavailable)
    if (now() < (said.get(reason) ?? -Infinity) + sayEvery) return
    said.set(reason, now())
    log.error({ err: unavailable }, 'calls are answered 503')
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
    async now() {
      // One at a time: where the database hangs, who asks again and again takes no more of its connections.
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

/** Leaves nothing, but has to be kept like any other write. */
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
