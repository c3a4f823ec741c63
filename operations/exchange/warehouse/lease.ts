/**
 * The lease of a sync while its days are sent. It is renewed before each request, not by a timer, so that a suspended
 * process finds that it has lost the lease before it sends more.
 */
import type { Store } from '../../../storage/store.ts'
import type { WarehouseSyncRow } from '../../../storage/tables/warehouse.ts'

export const LEASE_MS = 240_000
/** A request begins only while the lease lasts at least this much longer, which is longer than any request takes. */
const MARGIN_MS = 120_000

/** Another process has the sync, or it was changed or deleted. */
export class LeaseLost extends Error {}

export interface SyncLease {
  /** Expiry, epoch ms. */
  readonly until: number
  /** @throws LeaseLost */
  hold(): Promise<void>
}

export function syncLease(
  store: Store,
  { sync: { id, leased_until }, now, signal }: { sync: WarehouseSyncRow; now: () => number; signal: AbortSignal },
): SyncLease {
  let until = leased_until ?? 0
  return {
    get until() {
      return until
    },
    async hold() {
      if (signal.aborted) throw new LeaseLost()
      if (until - now() > MARGIN_MS) return
      const next = now() + LEASE_MS
      const { numUpdatedRows } = await store.write
        .updateTable('warehouse_syncs')
        .set({ leased_until: next })
        .where('id', '=', id)
        .where('leased_until', '=', until)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) throw new LeaseLost()
      until = next
    },
  }
}
