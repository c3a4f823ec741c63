/** Restores a dump of Postgres: a file, or a backup at `BACKUP_URL`. */
import fs from 'node:fs'
import { openBackupPlace } from '../operations/service/installation/backup-place.ts'
import { newestBackup } from '../operations/service/installation/make-backup.ts'
import { programsFor } from '../storage/dialects/postgres-programs.ts'
import { restorePostgres } from '../storage/dialects/postgres-restore.ts'
import { recordedNames } from '../storage/migrations/steps.ts'
import { configured, placeOf } from './machine.ts'

/** @throws Error for the operator */
export async function restoreFromDump(url: string, given: string): Promise<void> {
  const { name, dump } = await dumpNamed(given)
  const known = new Set(recordedNames)
  try {
    const before = await restorePostgres({ url, dump, programs: await programsFor(url), known, at: Date.now() })
    process.stdout.write(`${name} is restored to ${placeOf(url)}\n`)
    if (before !== undefined) process.stdout.write(`The previous database is kept as ${before}\n`)
  } catch (error) {
    throw new Error(`${name} was not restored: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function dumpNamed(given: string): Promise<{ readonly name: string; readonly dump: AsyncIterable<Uint8Array> }> {
  if (fs.existsSync(given)) return { name: given, dump: fs.createReadStream(given) as AsyncIterable<Buffer> }
  const place = /^[\w-]{1,100}$/.test(given) ? openBackupPlace(await configured(), Date.now) : undefined
  if (!place) throw new Error(`${given} was not restored: there is no such file`)
  const name = given === 'latest' ? await newestBackup(place) : given
  const stored = name === undefined ? undefined : await place.open(name)
  if (name === undefined || !stored) throw new Error(`There is no backup ${name ?? ''} at BACKUP_URL`)
  return { name, dump: stored.read() }
}
