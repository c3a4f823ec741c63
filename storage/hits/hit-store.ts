/** Stores hits in batches, in lanes of sites. Hits are durable before their calls are answered. */
import type { Store, Trx } from '../store.ts'
import { sortableId } from '../values/sortable-id.ts'
import type { BatchMark } from '../values/storage-unavailable.ts'
import type { DropRow } from '../tables/index.ts'
import { type CardinalityLimits, defaultLimits } from './cardinality.ts'
import { dropCounter, openDrops } from './drops.ts'
import { groupCommit } from './group-commit.ts'
import { hitTransactions } from './hit-transactions.ts'
import type { NewHit, Outcome } from './new-hit.ts'
import { batchWriter } from './write.ts'

export interface HitStore {
  /**
   * Stores hits in one transaction, together with the hits of other calls.
   * @returns the outcome of each, once they are durable; refusals and ignored revenue are counted as drops
   * @throws the database's error; then none of them is stored, unless the error names a batch
   */
  append(hits: readonly NewHit[]): Promise<readonly Outcome[]>
  /** Stores hits in a transaction of their own. @param writeMore makes further writes in it; may run twice, of which only the second is committed */
  appendWith(hits: readonly NewHit[], writeMore: (trx: Trx) => Promise<unknown>): Promise<readonly Outcome[]>
  /**
   * Counts a hit that was refused earlier. The count is written with the next batch, or within a second.
   * @param site `sites.number`, 0 if unknown
   * @param zone of the site, which determines the day
   */
  countDrop(site: number, zone: string, reason: string): void
  /** Whether too many hits wait, so that further ones are to be refused (503). */
  full(): boolean
  /** Accepts no more hits, and resolves when everything is stored. */
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
  /** Limits of new texts for each site and day; further texts become `(other)`. */
  limits?: CardinalityLimits
  /** Whether an error names the batch that may be committed nevertheless. Takes a write of one row a batch, with Postgres only. */
  isMarking?: boolean
  /** Receives the error when a hit, or a batch, was `invalid`. */
  onInvalid?(error: unknown): void
}

interface Committing {
  readonly writeMore?: (trx: Trx) => Promise<unknown>
  readonly mark?: BatchMark
}

export function openHitStore(store: Store, options: HitStoreOptions): HitStore {
  const { now, randomBytes, lingerMs = 0, maxBatch = 512, maxQueued = 20_000, onInvalid = () => {} } = options
  const { limits = defaultLimits, isMarking = false } = options
  const transact = hitTransactions(store, batchWriter(store, randomBytes, limits), { now, onInvalid })
  const drops = openDrops(store, now)

  /** Runs one transaction with the hits, their refusals, and the drops of their sites counted so far. */
  async function commit(hits: readonly NewHit[], { writeMore, mark }: Committing): Promise<readonly Outcome[]> {
    const counted = drops.take(new Set(hits.map(({ site }) => site)))
    const write = async (trx: Trx, outcomes: readonly Outcome[]) => {
      await drops.write(trx, [...counted, ...refusalsOf(hits, outcomes)])
      await writeMore?.(trx)
    }
    try {
      const outcomes = await transact(hits, write, mark)
      for (const outcome of outcomes) if (isUnknown(outcome)) drops.count(0, 'UTC', 'unknown_site')
      return outcomes
    } catch (error) {
      drops.add(counted)
      throw error
    }
  }

  /** Returns the drops of the batch's own sites. With a row that other sites share, their batches would wait for this one. */
  function refusalsOf(hits: readonly NewHit[], outcomes: readonly Outcome[]): readonly DropRow[] {
    const dropped = dropCounter()
    for (const [i, { site, zone, revenueFault }] of hits.entries()) {
      const outcome = outcomes[i]
      if (revenueFault && outcome?.stored) dropped.count(site, zone, revenueFault, now())
      if (outcome?.stored === false && !isUnknown(outcome))
        dropped.count(site, outcome.reason === 'invalid' ? 'UTC' : zone, outcome.reason, now())
    }
    return dropped.take()
  }

  /** Commits batches and names each. After a failure it takes another name, so that nothing follows the batch in question. */
  function committer(): (hits: readonly NewHit[]) => Promise<readonly Outcome[]> {
    const next = () => ({ writer: sortableId(now(), randomBytes(14)), position: 0 })
    let last = next()
    return async hits => {
      last = { ...last, position: last.position + 1 }
      try {
        return await commit(hits, isMarking ? { mark: { ...last, at: now() } } : {})
      } catch (error) {
        last = next()
        throw error
      }
    }
  }

  /**
   * A transaction locks its sites until it is committed, and other processes may have locked one of them: so sites are
   * divided into lanes, each with one transaction at a time. A call of several sites is not divided, as it is stored as
   * a whole; calls of the same sites always share a lane, and so stay in order.
   */
  const lanes = Array.from({ length: store.writers }, () => groupCommit(committer(), { lingerMs, maxBatch }))
  const laneOf = (hits: readonly NewHit[]) => lanes[lanes.length === 1 ? 0 : Math.min(...hits.map(({ site }) => site)) % lanes.length]

  const nothing: Promise<readonly Outcome[]> = Promise.resolve([])

  return Object.freeze<HitStore>({
    append: hits => (hits.length === 0 ? nothing : (laneOf(hits)?.add(hits) ?? nothing)),
    appendWith: (hits, writeMore) => commit(hits, { writeMore }),
    countDrop: drops.count,
    full: () => lanes.reduce((queued, lane) => queued + lane.queued(), 0) >= maxQueued,
    async close() {
      await Promise.all(lanes.map(lane => lane.close()))
      await drops.close()
    },
  })
}

const isUnknown = (outcome: Outcome): boolean => !outcome.stored && outcome.reason === 'unknown_site'
