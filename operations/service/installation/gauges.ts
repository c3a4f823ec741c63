import type { Gauge } from '../../../runtime/observability/metrics.ts'
import type { Gauges } from '../../../runtime/table/gauges.ts'
import { backupPlace } from './backup-place.ts'
import { backupState } from './due.ts'
import { BACKUP_HOURS } from './settings.ts'

/** Age and size of the last backup that was read back and checked are missing before the first one. Without `BACKUP_URL`, all are. */
export const backups: Gauges = async ({ use, store, config, now }) => {
  if (!use(backupPlace)) return []
  const { last, verified } = await backupState(store.read)
  const gauge = (name: string, help: string, value: number): Gauge => ({ name, help, values: [{ labels: {}, value }] })
  return [
    gauge('backup_interval_seconds', 'Time from one backup to the next (BACKUP_HOURS).', config.of(BACKUP_HOURS) * 3_600),
    gauge('backup_failed', 'Whether the last attempt to make a backup failed.', last && last.error !== null ? 1 : 0),
    ...(verified
      ? [
          gauge(
            'backup_age_seconds',
            'Age of the last backup that was read back and checked.',
            Math.max(0, now() - verified.started_at) / 1000,
          ),
          gauge('backup_bytes', 'Its size.', verified.bytes ?? 0),
        ]
      : []),
  ]
}
