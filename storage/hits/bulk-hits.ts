/** Stores hits of the past, on any day and without batching them with other hits. */
import type { Store } from '../store.ts'
import { type CardinalityLimits, defaultLimits } from './cardinality.ts'
import { type HitTransaction, hitTransactions } from './hit-transactions.ts'
import { batchWriter } from './write.ts'

export interface BulkOptions {
  now(): number
  randomBytes(n: number): Buffer
  limits?: CardinalityLimits
}

/**
 * Opens a store for hits of the past. Visits are formed as usual, in any order of hits. Days long past get new salts, which
 * `forgetVisitors` deletes. A power cut may undo the last batches, so their caller continues after those that are stored, and ends with a
 * transaction of its own.
 */
export function openBulk(store: Store, { now, randomBytes, limits = defaultLimits }: BulkOptions): HitTransaction {
  return hitTransactions(store, batchWriter(store, randomBytes, limits, { anyDay: true }), { now, onInvalid() {}, mayBeLost: true })
}
