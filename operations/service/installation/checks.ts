/** Checks that backups can be stored, and that the last one is not too old. */
import { check } from '../../../runtime/table/check.ts'
import { fileOf } from '../../../storage/store.ts'
import { FilesUnusable } from '../../exchange/files/index.ts'
import { backupPlace } from './backup-place.ts'
import { backupState, isMissing } from './due.ts'
import { BACKUP_HOURS } from './settings.ts'

export const backups_kept = check({
  what: 'the location of backups (BACKUP_URL)',
  async start({ use, store, log }) {
    const place = use(backupPlace)
    if (!place) return
    if (fileOf(store.url) === undefined) {
      const { programsFor } = await import('../../../storage/dialects/postgres-programs.ts')
      await programsFor(store.url)
    }
    await place.probe(true).catch((err: unknown) => {
      if (err instanceof FilesUnusable && err.isLasting) throw new Error(err.advice, { cause: err })
      log.warn({ err }, 'the location of backups (BACKUP_URL) cannot be used')
    })
  },
  async now({ use, store, config, now }) {
    if (!use(backupPlace)) return undefined
    const state = await backupState(store.read)
    if (!isMissing(state, config.of(BACKUP_HOURS), now())) return undefined
    const { verified } = state
    const reason = verified ? `the last backup is from ${new Date(verified.started_at).toISOString()}` : 'there is no backup yet'
    return { reason, isUnready: false }
  },
})
