import { task, type TaskContext } from '../../../runtime/table/task.ts'
import { sayIn } from '../../../runtime/texts/say.ts'
import { queueMail } from '../../people/mail/index.ts'
import { backupPlace } from './backup-place.ts'
import { backupState, isDue, isMissing } from './due.ts'
import { m } from './messages.ts'
import { operatorsOf } from './operators.ts'
import { ids } from './records.ts'
import { BACKUP_HOURS, BACKUP_KEEP } from './settings.ts'
import { DAY_MS, MINUTE_MS } from '../../../storage/values/durations.ts'

/** Failed attempts are listed this long. */
const FAILED_MS = 30 * DAY_MS

export const backups_make = task({
  name: 'backups_make',
  summary: 'Makes a backup, reads it back and checks it, and deletes old ones (`BACKUP_URL`)',
  every: 10 * MINUTE_MS,
  lease: 2 * MINUTE_MS,
  async run(context) {
    const { store, config, use, now, newId, signal, log } = context
    const place = use(backupPlace)
    const state = await backupState(store.read)
    if (!place || !isDue(state, config.of(BACKUP_HOURS), now())) return
    const { makeBackup } = await import('./make-backup.ts')
    const started_at = now()
    const name = `bak_${new Date(started_at).toISOString().replace(/[-:]|\.\d+/g, '')}`
    const row = { id: newId(ids.backup), name, started_at, verified_at: null, bytes: null, error: null, mailed_at: null }
    await store.write.insertInto('backups').values(row).execute()
    try {
      const { bytes, isRestored } = await makeBackup({ url: store.url, place, name, signal })
      await store.write.updateTable('backups').set({ bytes, verified_at: now() }).where('id', '=', row.id).execute()
      log.info({ name, bytes, check: isRestored ? 'restored' : 'read' }, 'a backup was made')
      await deleteOld(context)
    } catch (err) {
      if (signal.aborted) return void (await store.write.deleteFrom('backups').where('id', '=', row.id).execute())
      await noteFailure(context, { id: row.id, name, err })
    }
  },
})

/** Deletes the oldest verified ones beyond `BACKUP_KEEP`, and lists failed attempts no longer. */
async function deleteOld({ store, config, use, now }: TaskContext): Promise<void> {
  const place = use(backupPlace)
  const { keyName } = await import('./make-backup.ts')
  const [verified, failed] = await Promise.all([
    store.read.selectFrom('backups').selectAll().where('verified_at', 'is not', null).orderBy('started_at', 'desc').execute(),
    store.read
      .selectFrom('backups')
      .selectAll()
      .where('verified_at', 'is', null)
      .where('started_at', '<', now() - FAILED_MS)
      .execute(),
  ])
  for (const { id, name } of [...verified.slice(config.of(BACKUP_KEEP)), ...failed]) {
    await place?.remove(name)
    await place?.remove(keyName(name))
    await store.write.deleteFrom('backups').where('id', '=', id).execute()
  }
}

/** Logs it, removes what was stored of it, and mails the operators once until a backup succeeds again. */
async function noteFailure(context: TaskContext, { id, name, err }: { id: string; name: string; err: unknown }): Promise<void> {
  const { store, config, use, now, newId, log } = context
  log.error({ err, name }, 'a backup failed')
  const { keyName } = await import('./make-backup.ts')
  for (const each of [name, keyName(name)])
    await use(backupPlace)
      ?.remove(each)
      .catch(() => {})
  const error = (err instanceof Error ? err.message : String(err)).slice(0, 1_000)
  await store.transaction(async trx => {
    await trx.updateTable('backups').set({ error }).where('id', '=', id).execute()
    const state = await backupState(trx)
    const since = state.verified?.started_at ?? 0
    const mailed = await trx.selectFrom('backups').select('id').where('mailed_at', '>', since).limit(1).executeTakeFirst()
    if (mailed || !isMissing(state, config.of(BACKUP_HOURS), now())) return
    const at = now()
    await trx.updateTable('backups').set({ mailed_at: at }).where('id', '=', id).execute()
    for (const { email, locale } of await operatorsOf(trx, config)) {
      const say = await sayIn(locale)
      await queueMail(
        { db: trx, now: at, config, newId, use },
        {
          to: email,
          say,
          subject: say(m.no_backup, { address: config.BASE_URL }),
          text: [
            state.verified ? say(m.last_backup_was, { time: new Date(state.verified.started_at).toISOString() }) : say(m.no_backup_yet),
            say(m.backup_failed_with, { error }),
            `${config.BASE_URL}/installation`,
          ],
        },
      )
    }
  })
}
