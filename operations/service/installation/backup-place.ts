import { type ResourceContext, resource } from '../../../runtime/settings/resource.ts'
import { type Files, openPlace } from '../../exchange/files/index.ts'
import { BACKUP_URL } from './settings.ts'

const forBackups = { setting: 'BACKUP_URL', holds: 'backups', stored: 'Backups' } as const

/** The location of backups; undefined if none are made. */
export const backupPlace = resource<Files | undefined>({
  name: 'backups',
  open: ({ config, now }) => openBackupPlace(config, now),
  close: async () => {},
})

export function openBackupPlace(config: ResourceContext['config'], now: () => number): Files | undefined {
  const location = config.of(BACKUP_URL)
  return location === 'none' ? undefined : openPlace(location, now, forBackups)
}
