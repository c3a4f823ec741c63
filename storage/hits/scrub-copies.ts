/** Ends copies of deleted texts, so that none of their bytes stay in the files of the database. */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store } from '../store.ts'
import { forgetSamples } from './forget-samples.ts'

/** How often to wait for readers of SQLite that need the log, and for how long each time. */
const MAX_WAITS = 100
const WAIT_MS = 50

/**
 * Ends the copies of deleted texts that a database keeps besides its rows: SQLite in unused bytes of pages, and in its log, which is
 * emptied once no reader needs it; Postgres in its statistics.
 */
export async function scrubCopies(store: Store): Promise<void> {
  if (store.isShared) return forgetSamples(store)
  const { rewriteTexts } = await import('./rewrite-texts.ts')
  await rewriteTexts(store)
  for (let waits = 0; waits < MAX_WAITS; waits++) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(store.write)
    if (rows[0]?.busy !== 1) return
    await wait(WAIT_MS)
  }
}
