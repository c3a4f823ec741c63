/** `npm run migrate`: brings the schema up to date without serving, or rehearses it on a copy. docs/upgrading.md says more. */
import fs from 'node:fs'
import path from 'node:path'
import { backUpSqlite } from '../storage/dialects/sqlite-backup.ts'
import { migrate, pendingSteps } from '../storage/migrations/migrate.ts'
import { fileOf, openStore } from '../storage/store.ts'
import { checkSpace } from '../storage/system/free-space.ts'
import { commandLine } from './command-line.ts'
import { command, openDatabase } from './machine.ts'

const program = commandLine('migrate')
  .description('Brings the schema of the database at DATABASE_URL up to date. The service does the same at its start.')
  .option('--dry-run', 'only list the steps that are missing; with SQLite, run them on a copy and report whether it is complete')
  .allowExcessArguments(false)

export const run = (): Promise<void> => {
  const { dryRun = false } = program.parse().opts<{ dryRun?: boolean }>()
  return command(async config => {
    if (!dryRun) {
      const store = await openDatabase(config)
      await store.close()
      process.stdout.write('The schema is up to date.\n')
      return
    }
    const file = fileOf(config.DATABASE_URL)
    if (file !== undefined && !fs.existsSync(file)) throw new Error(`${file} does not exist: a start creates it`)
    const pending = await withStore(config.DATABASE_URL, async store => (await pendingSteps(store)).pending)
    process.stdout.write(pending.length === 0 ? 'No step is missing.\n' : `Missing steps:\n${pending.map(name => `  ${name}\n`).join('')}`)
    if (file === undefined || pending.length === 0) return
    const copy = `${path.resolve(file)}.rehearsal`
    try {
      await checkSpace(path.dirname(copy), fs.statSync(file).size)
      await backUpSqlite(file, copy)
      const began = Date.now()
      await withStore(`file:${encodeURI(copy)}`, migrate)
      process.stdout.write(`They ran on a copy in ${Math.ceil((Date.now() - began) / 1000)} s. The database is unchanged.\n`)
    } finally {
      for (const end of ['', '-wal', '-shm', '.key']) fs.rmSync(`${copy}${end}`, { force: true })
    }
  })
}

async function withStore<T>(url: string, use: (store: ReturnType<typeof openStore>) => Promise<T>): Promise<T> {
  const store = openStore(url)
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
