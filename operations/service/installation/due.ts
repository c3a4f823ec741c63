/** When a backup is due, and when one is missing. */
import type { Db } from '../../../storage/store.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'

/** After a failure it is tried again this much later. */
const AGAIN_MS = HOUR_MS

/** The newest verified backup, and the newest attempt. */
export async function backupState(db: Db) {
  const newest = db.selectFrom('backups').selectAll().orderBy('started_at', 'desc').limit(1)
  const [last, verified] = await Promise.all([newest.executeTakeFirst(), newest.where('verified_at', 'is not', null).executeTakeFirst()])
  return { last, verified }
}
type BackupState = Awaited<ReturnType<typeof backupState>>

export function isDue({ last, verified }: BackupState, hours: number, now: number): boolean {
  if (last && last.id !== verified?.id && now < last.started_at + AGAIN_MS) return false
  return !verified || now >= verified.started_at + hours * HOUR_MS
}

/** Whether the newest backup is older than it should ever be: two are missing. A new installation has as much time. */
export function isMissing({ last, verified }: BackupState, hours: number, now: number): boolean {
  const since = verified?.started_at ?? last?.started_at
  return since !== undefined && (verified === undefined ? last?.error !== null : now >= since + 2 * hours * HOUR_MS)
}
