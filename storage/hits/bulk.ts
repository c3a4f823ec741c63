/** The way of hits that happened elsewhere long ago: any day takes them, and none waits for others to share a transaction. */
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
 * Visits are cut as ever, whatever order hits come in. Visitors of days long gone get salts of their own, which
 * `forgetVisitors` destroys.
 */
export function openBulk(store: Store, { now, randomBytes, limits = defaultLimits }: BulkOptions): HitTransaction {
  return hitTransactions(store, batchWriter(store, randomBytes, limits, { anyDay: true }), { now, onInvalid() {} })
}
