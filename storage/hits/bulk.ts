/** Stores hits of the past: any day accepts them, and they are not batched with others. */
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
 * Visits are formed as usual, in whatever order hits come. Visitors of days long past get new salts, which
 * `forgetVisitors` destroys.
 */
export function openBulk(store: Store, { now, randomBytes, limits = defaultLimits }: BulkOptions): HitTransaction {
  return hitTransactions(store, batchWriter(store, randomBytes, limits, { anyDay: true }), { now, onInvalid() {} })
}
