/** Runs in a thread: copies a SQLite database, or reads all of a copy. Both take minutes with a large one. */
import { parentPort, workerData } from 'node:worker_threads'
import { backUpSqlite } from './sqlite-backup.ts'
import { checkCopy } from './sqlite-check.ts'
import type { BackupWork, BackupOutcome } from './backup-in-thread.ts'

const work = workerData as BackupWork // set by backup-in-thread.ts
const tell = (outcome: BackupOutcome): void => parentPort?.postMessage(outcome)
try {
  if ('check' in work) {
    checkCopy(work.check, new Set(work.known))
    tell({})
  } else void backUpSqlite(work.file, work.copy).then(() => tell({}), failed)
} catch (error) {
  failed(error)
}

function failed(error: unknown): void {
  tell({ fault: error instanceof Error ? error.message : String(error) })
}
