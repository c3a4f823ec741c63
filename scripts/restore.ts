/** `npm run restore -- /backup/footfall.db`: replaces the database with a backup. docs/install.md describes backups. */
import fs from 'node:fs'
import path from 'node:path'
import { restoreSqlite } from '../storage/dialects/sqlite-restore.ts'
import { recordedNames } from '../storage/migrations/steps.ts'
import { fileOf } from '../storage/store.ts'
import { keyFileNextTo } from '../storage/system/key-file.ts'
import { commandLine } from './command-line.ts'
import { command, configured, ownSettings } from './machine.ts'

const program = commandLine('restore')
  .description('Checks a backup and replaces the database at DATABASE_URL with it. The previous database is kept.')
  .argument('<backup>', 'a file that `backup` wrote, or its folder; or the name of a backup at BACKUP_URL, or `latest`')

export const run = (): Promise<void> => {
  const [given = ''] = program.parse().args
  return command(async ({ DATABASE_URL, SECRET_KEY }) => {
    const file = fileOf(DATABASE_URL)
    if (file === undefined) {
      const { restoreFromDump } = await import('./restore-dump.ts')
      await restoreFromDump(DATABASE_URL, given)
      return
    }
    const fetched = fs.existsSync(given) ? undefined : await fetchTo(given, `${path.resolve(file)}.fetched`)
    const backup = fetched ?? (fs.statSync(given, { throwIfNoEntry: false })?.isDirectory() ? path.join(given, path.basename(file)) : given)
    try {
      if (!fs.existsSync(backup)) throw new Error('there is no such file')
      const { before, hasKey } = restoreSqlite({ backup, file, known: new Set(recordedNames), at: Date.now() })
      process.stdout.write(`${fetched === undefined ? backup : given} is restored to ${file}\n`)
      if (before !== undefined) process.stdout.write(`The previous database is kept as ${before}\n`)
      if (!hasKey && SECRET_KEY === '')
        process.stderr.write(
          `There is no ${path.basename(backup)}.key: secrets of webhooks and channels, if there were any, cannot be read.\n`,
        )
    } catch (error) {
      throw new Error(`${backup} was not restored: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      if (fetched !== undefined) for (const each of [fetched, keyFileNextTo(fetched)]) fs.rmSync(each, { force: true })
    }
  }, ownSettings)
}

/** Fetches the backup that the argument names from `BACKUP_URL`. @returns its file; undefined if the argument is not a name of a backup */
async function fetchTo(given: string, target: string): Promise<string | undefined> {
  if (!/^[\w-]{1,100}$/.test(given)) return undefined
  const [{ fetchBackup, newestBackup }, { openBackupPlace }] = await Promise.all([
    import('../operations/service/installation/make-backup.ts'),
    import('../operations/service/installation/backup-place.ts'),
  ])
  const place = openBackupPlace(await configured(), Date.now)
  if (!place) return undefined
  const name = given === 'latest' ? await newestBackup(place) : given
  if (name === undefined) throw new Error('there is no backup at BACKUP_URL')
  fs.mkdirSync(path.dirname(target), { recursive: true })
  await fetchBackup(place, name, target)
  process.stdout.write(`${name} was fetched from BACKUP_URL\n`)
  return target
}
