/** `npm run backup -- /backup`: copies the SQLite database and its key while the service runs. docs/install.md says more. */
import fs from 'node:fs'
import { backUpSqlite } from '../storage/dialects/sqlite-backup.ts'
import { fileOf } from '../storage/store.ts'
import { commandLine } from './command-line.ts'
import { command, ownSettings } from './machine.ts'

const program = commandLine('backup')
  .description('Copies the SQLite database at DATABASE_URL, and the key of its secrets, while it is in use.')
  .argument('<target>', 'a folder that is there, or a file; a copy of before is replaced')

export const run = (): Promise<void> => {
  const [target = ''] = program.parse().args
  return command(async ({ DATABASE_URL, SECRET_KEY }) => {
    const file = fileOf(DATABASE_URL)
    if (file === undefined) throw new Error('The database at DATABASE_URL is Postgres: pg_dump backs it up')
    const files = await backUpSqlite(file, target).catch((error: unknown) => {
      throw new Error(`${file} was not copied to ${target}: ${error instanceof Error ? error.message : String(error)}`)
    })
    for (const each of files) process.stdout.write(`${each}  ${fs.statSync(each).size.toLocaleString('en-US')} bytes\n`)
    if (SECRET_KEY !== '')
      process.stderr.write('SECRET_KEY is in no file: keep it with the copy, which cannot be used in full without it.\n')
  }, ownSettings)
}
