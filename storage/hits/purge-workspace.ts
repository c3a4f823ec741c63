/** Deletes what a deleted workspace leaves in tables without a reference to it: its audit log and its events. */
import { sql } from 'kysely'
import { scrubbing } from './scrubbing.ts'
import { inRanges } from '../moved-days/ranges.ts'
import type { Store } from '../store.ts'

/** @returns false if `signal` ended it before */
export async function purgeWorkspace(store: Store, workspace: string, signal: AbortSignal): Promise<boolean> {
  for (const table of ['events', 'audit_entries'] as const) {
    const isGone = await inRanges(
      store,
      (rows, timed) =>
        store.transaction(trx =>
          timed(() =>
            scrubbing(store, trx, async () => {
              const { numAffectedRows = 0n } = await sql`
                delete from ${sql.table(table)} where id in (
                  select id from ${sql.table(table)} where workspace_id = ${workspace} limit ${rows})`.execute(trx)
              return Number(numAffectedRows) < rows
            }),
          ),
        ),
      signal,
    )
    if (!isGone) return false
  }
  return true
}
