/** The end of an import: in the journal, and told to the webhooks of the workspace, in one transaction. */
import { clipped } from '../../../runtime/clipped.ts'
import type { Emit } from '../../../runtime/event.ts'
import type { Store, Trx } from '../../../storage/store.ts'
import type { HitImportRow } from '../../../storage/tables/index.ts'
import { import_completed, import_failed } from './events.ts'
import { finishImport, type ImportKey, importOf, leaveImport } from './journal.ts'

export interface Ending {
  readonly key: ImportKey
  readonly site: { readonly id: string; readonly workspace_id: string }
  /** Emits in a transaction. @param at the event's time */
  emitIn(trx: Trx, at: number): Emit
  now(): number
}

/** Longest message of an event: it may name every column of a file, and a payload has its limit. */
const MESSAGE = 2_000

/** Told once, whichever run of the file comes first. */
export function complete(store: Store, { key, site, emitIn, now }: Ending): Promise<HitImportRow> {
  return store.transaction(async trx => {
    const at = now()
    const row = await finishImport(trx, key, at)
    if (!row) return importOf(trx, key)
    const data = { import_id: key.fingerprint, rows: row.hits }
    await emitIn(trx, at)(import_completed, { workspaceId: site.workspace_id, siteId: site.id, data })
    return row
  })
}

/** Told of each run that fails, but of none that fails because another has the file: that one has not ended. */
export function giveUp(store: Store, { key, site, emitIn, now }: Ending, before: HitImportRow, error: unknown): Promise<void> {
  return store.transaction(async trx => {
    const at = now()
    if (!(await leaveImport(trx, key, before, at))) return
    const message = clipped(error instanceof Error ? error.message : String(error), MESSAGE)
    const data = { import_id: key.fingerprint, error: message }
    await emitIn(trx, at)(import_failed, { workspaceId: site.workspace_id, siteId: site.id, data })
  })
}
