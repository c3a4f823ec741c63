import { claimDue } from '../../../runtime/tasks/lease.ts'
import { task } from '../../../runtime/table/task.ts'
import { processDueRows } from '../../../runtime/tasks/process-due-rows.ts'
import type { WarehouseSyncRow } from '../../../storage/tables/warehouse.ts'
import { LEASE_MS } from './lease.ts'
import { syncing } from './task-name.ts'

const queue = { table: 'warehouse_syncs', due: 'next_at' } as const
/** Syncs under way at once in this process: each may hold a part of a day in memory. */
const AT_ONCE = 4

export const warehouse_syncs_run_due = task({
  name: syncing,
  summary: 'Sends finished days to warehouses, and sends days that changed again',
  every: 10_000,
  lease: 60_000,
  shared: true,
  queue,
  async run(context) {
    const { store, signal, now } = context
    await processDueRows<WarehouseSyncRow, void>({
      max: AT_ONCE,
      signal,
      laneOf: sync => sync.workspace_id,
      checkIntervalMs: 2_000,
      claim: async free => (free === 0 ? [] : claimDue(store, { ...queue, limit: free, leaseMs: LEASE_MS, now: now() })),
      work: async sync => (await import('./run.ts')).runSync(context, sync),
    })
  },
})
