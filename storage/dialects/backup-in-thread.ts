/** Copies and checks SQLite databases in a thread of its own, next to a service that continues to answer. */
import { Worker } from 'node:worker_threads'
import { threadScript } from '../system/thread-script.ts'

export type BackupWork = { readonly file: string; readonly copy: string } | { readonly check: string; readonly known: readonly string[] }
export interface BackupOutcome {
  readonly fault?: string
}

/** Copies a database that is in use, and its key, as one snapshot. @throws Error */
export const copyInThread = (file: string, copy: string): Promise<void> => inThread({ file, copy })

/** Reads all of a copy. @param known names of the migrations of this version @throws Error if it cannot be restored by this version */
export const checkInThread = (copy: string, known: readonly string[]): Promise<void> => inThread({ check: copy, known })

async function inThread(workerData: BackupWork): Promise<void> {
  const { script, ...options } = await threadScript('backup-thread', new URL('./backup-thread.ts', import.meta.url).href)
  const worker = new Worker(script, { ...options, execArgv: [], workerData, name: 'backup' })
  try {
    const { fault } = await new Promise<BackupOutcome>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', code => reject(new Error(`the thread of the backup ended with ${code}`)))
    })
    if (fault !== undefined) throw new Error(fault)
  } finally {
    await worker.terminate()
  }
}
