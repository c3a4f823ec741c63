/** Ends an import: updates the journal and emits the event, in one transaction. */
import type { Sentence } from '../../../runtime/texts/message.ts'
import { clipped } from '../../../runtime/values/clip.ts'
import type { Emit } from '../../../runtime/events/event.ts'
import type { Store, Trx } from '../../../storage/store.ts'
import type { HitImportRow } from '../../../storage/tables/index.ts'
import { import_completed, import_failed } from './events.ts'
import { finishImport, forgetImport, type ImportKey, importOf, leaveImport } from './journal.ts'

export interface Ending {
  readonly key: ImportKey
  readonly site: { readonly id: string; readonly workspace_id: string }
  /** Emits in a transaction. @param at the event's time */
  emitIn(trx: Trx, at: number): Emit
  now(): number
  /** Reason of an import without a single imported row. */
  readonly failure?: Sentence | undefined
}

/** Longest message of an event: it may name every column of a file, and a payload is limited. */
const MESSAGE = 2_000

/** Emits the event once, in the run that finishes the file first. */
export function completeImport(store: Store, { key, site, emitIn, now, failure }: Ending): Promise<HitImportRow> {
  return store.transaction(async trx => {
    const at = now()
    const row = await finishImport(trx, key, at)
    if (!row) return importOf(trx, key)
    const about = { workspaceId: site.workspace_id, siteId: site.id }
    if (failure === undefined) {
      await emitIn(trx, at)(import_completed, { ...about, data: { import_id: key.fingerprint, rows: row.hits } })
    } else {
      await forgetImport(trx, key)
      await emitIn(trx, at)(import_failed, { ...about, data: { import_id: key.fingerprint, error: clipped(String(failure), MESSAGE) } })
    }
    return row
  })
}

/** Emits the event for each failed run, unless it failed because another run imports the file. */
export function failImport(
  store: Store,
  { ending: { key, site, emitIn, now }, before, error }: { ending: Ending; before: HitImportRow; error: unknown },
): Promise<void> {
  return store.transaction(async trx => {
    const at = now()
    if (!(await leaveImport(trx, { key, before, now: at }))) return
    const message = clipped(error instanceof Error ? error.message : String(error), MESSAGE)
    const data = { import_id: key.fingerprint, error: message }
    await emitIn(trx, at)(import_failed, { workspaceId: site.workspace_id, siteId: site.id, data })
  })
}
