/** Stores hits: collected into batches, and durable before they are answered. */
import type { Store, Trx } from '../store.ts'
import type { DropRow } from '../tables/index.ts'
import { type CardinalityLimits, defaultLimits } from './cardinality.ts'
import { dropCounter, dropWriter } from './drops.ts'
import { groupCommit } from './group-commit.ts'
import { hitTransactions } from './hit-transactions.ts'
import type { NewHit, Outcome } from './new-hit.ts'
import { batchWriter } from './write.ts'

export interface HitStore {
  /**
   * Stores hits in one transaction.
   * @returns the outcome of each, once they are durable; refusals and ignored revenue are counted as drops
   * @throws the database's error; then none of them is stored
   */
  append(hits: readonly NewHit[]): Promise<readonly Outcome[]>
  /**
   * Counts a hit that was refused earlier; written with the next batch, or within a second.
   * @param site `sites.number`, 0 if unknown
   * @param zone of the site, which determines the day
   */
  countDrop(site: number, zone: string, reason: string): void
  /** Too much is waiting: refuse hits (503). */
  full(): boolean
  /** Accepts no more, and resolves when everything is stored. */
  close(): Promise<void>
}

export interface HitStoreOptions {
  now(): number
  randomBytes(n: number): Buffer
  /** Time to wait for further hits before a batch begins, ms. Default 0: as long as each turn of the event loop brings some. */
  lingerMs?: number
  /** Most hits in a transaction. Default 512. */
  maxBatch?: number
  /** Most hits waiting before it is `full`. Default 20,000. */
  maxQueued?: number
  /** New texts a site and day; further ones become `(other)`. */
  limits?: CardinalityLimits
  /** Receives the error when a hit, or a batch, was `invalid`. */
  onInvalid?(error: unknown): void
}

const DROPS_WITHIN_MS = 1000

export function openHitStore(store: Store, options: HitStoreOptions): HitStore {
  const { now, randomBytes, lingerMs = 0, maxBatch = 512, maxQueued = 20_000, onInvalid = () => {} } = options
  const { limits = defaultLimits } = options
  const transact = hitTransactions(store, batchWriter(store, randomBytes, limits), { now, onInvalid })
  const writeDrops = dropWriter(store)
  const drops = dropCounter()
  let dropTimer: NodeJS.Timeout | undefined

  /** One transaction: the hits, and the drops counted so far. */
  async function commit(hits: readonly NewHit[]): Promise<readonly Outcome[]> {
    clearTimeout(dropTimer)
    dropTimer = undefined
    const counted = drops.take()
    if (hits.length === 0 && counted.length === 0) return []
    try {
      return await transact(hits, (trx, outcomes) => writeDropped(trx, hits, outcomes, counted))
    } catch (error) {
      drops.add(counted)
      writeDropsSoon()
      throw error
    }
  }

  function writeDropped(trx: Trx, hits: readonly NewHit[], outcomes: readonly Outcome[], counted: readonly DropRow[]): Promise<unknown> {
    const dropped = dropCounter(counted)
    for (const [i, { site, zone, revenueFault }] of hits.entries()) {
      const outcome = outcomes[i]
      if (revenueFault && outcome?.stored) dropped.count(site, zone, revenueFault, now())
      if (outcome?.stored === false)
        dropped.count(outcome.reason === 'unknown_site' ? 0 : site, outcome.reason === 'invalid' ? 'UTC' : zone, outcome.reason, now())
    }
    return writeDrops(trx, dropped.take())
  }

  const queue = groupCommit(commit, { lingerMs, maxBatch, maxQueued })

  function writeDropsSoon(): void {
    dropTimer ??= setTimeout(queue.wake, DROPS_WITHIN_MS).unref()
  }

  return Object.freeze<HitStore>({
    append: queue.add,
    countDrop(site, zone, reason) {
      drops.count(site, zone, reason, now())
      writeDropsSoon()
    },
    full: queue.full,
    async close() {
      await queue.close()
      await commit([]).finally(() => clearTimeout(dropTimer))
    },
  })
}
