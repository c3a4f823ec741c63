/** Stops the start where the place of files is another installation's. */
import { setTimeout } from 'node:timers/promises'
import type { App } from '../../../runtime/app.ts'
import { files } from './files.ts'
import { FolderOfAnother } from './one-installation.ts'

/** The start waits no longer for a bucket, ms: the first use asks again. */
const PATIENCE = 3_000

/** A place that cannot be looked at is told of and stops nothing. @throws FolderOfAnother */
export async function checkOwner({ use, log }: Pick<App, 'use' | 'log'>): Promise<void> {
  const late = new AbortController()
  const checked = use(files)
    .check()
    .catch((err: unknown) => {
      if (err instanceof FolderOfAnother) throw err
      log.warn({ err }, 'the place of files (FILES_URL) cannot be looked at')
    })
    .finally(() => late.abort())
  await Promise.race([checked, setTimeout(PATIENCE, undefined, { signal: late.signal }).catch(() => checked)])
  checked.catch(() => {}) // after that time, uses of it are refused
}
