/** Transactions of hits, in which an invalid hit fails without the other hits. */
import { setTimeout } from 'node:timers/promises'
import type { Store, TransactionOptions, Trx } from '../store.ts'
import { type BatchMark, StorageUnavailable } from '../values/storage-unavailable.ts'
import { isDataError } from './data-error.ts'
import type { NewHit, Outcome } from './new-hit.ts'
import { withSavepoint } from './savepoint.ts'
import type { Batch, WriteBatch } from './write.ts'

const MAX_TRIES = 4

/**
 * @param writeMore makes further writes in the same transaction; may run twice, of which only the second is committed
 * @param mark names the batch where a connection may be lost at its end
 * @returns the outcome of each hit, once all are durable
 * @throws the database's error; then nothing is stored, unless the error has the mark
 */
export type HitTransaction = (
  hits: readonly NewHit[],
  writeMore: (trx: Trx, outcomes: readonly Outcome[]) => Promise<unknown>,
  mark?: BatchMark,
) => Promise<readonly Outcome[]>

/** A connection that is lost at the end of a transaction does not tell whether it was committed. */
function interrupted(error: unknown, batch: BatchMark | undefined): never {
  if (!(error instanceof StorageUnavailable) || error.reason !== 'away') throw error
  throw new StorageUnavailable('away', error.message, { cause: error, batch })
}

interface HitTransactionOptions extends TransactionOptions {
  now(): number
  /** Receives the error when a hit, or a batch, was invalid. */
  onInvalid(error: unknown): void
}

export function hitTransactions(store: Store, write: WriteBatch, { now, onInvalid, ...options }: HitTransactionOptions): HitTransaction {
  const together: typeof oneByOne = (trx, hits, mark) => write(trx, hits, now(), mark)

  /** Stores each hit separately, after a batch failed because of one of them. */
  async function oneByOne(trx: Trx, hits: readonly NewHit[], mark?: BatchMark): Promise<Batch> {
    const batches: Batch[] = []
    for (const hit of hits) batches.push(await withSavepoint(trx, () => write(trx, [hit], now(), mark)).catch(refused))
    return {
      outcomes: batches.flatMap(batch => batch.outcomes),
      committed: () => batches.forEach(batch => batch.committed()),
    }
  }

  function refused(error: unknown): Batch {
    if (!isDataError(error)) throw error
    onInvalid(error)
    return { outcomes: [{ stored: false, reason: 'invalid' }], committed() {} }
  }

  /**
   * Repeats a transaction that Postgres ended because it and another one, such as a step of a newer version, waited for each
   * other. Nothing of it was stored. SQLite's store waits itself.
   */
  async function inSpiteOfDeadlocks<T>(run: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await run()
      } catch (error) {
        const isLocked = error instanceof StorageUnavailable && error.reason === 'locked'
        if (!isLocked || !store.isShared || tries === MAX_TRIES) throw error
      }
      await setTimeout(tries * 20)
    }
  }

  return async (hits, writeMore, mark) => {
    async function transact(writeHits: typeof oneByOne): Promise<readonly Outcome[]> {
      const { outcomes, committed } = await inSpiteOfDeadlocks(() =>
        store.transaction(async trx => {
          const batch = await writeHits(trx, hits, mark)
          await writeMore(trx, batch.outcomes)
          return batch
        }, options),
      ).catch(error => interrupted(error, mark))
      committed()
      return outcomes
    }
    return transact(together).catch(async error => {
      if (!isDataError(error)) throw error
      const outcomes = await transact(oneByOne)
      if (outcomes.every(outcome => outcome.stored || outcome.reason !== 'invalid')) onInvalid(error)
      return outcomes
    })
  }
}
