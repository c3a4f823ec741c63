/** `npm run vacuum`: rewrites the SQLite database without its free pages. docs/operations.md says more. */
import { megabytes, vacuumFile } from '../storage/dialects/sqlite-space.ts'
import { fileOf } from '../storage/store.ts'
import { commandLine } from './command-line.ts'
import { command, ownSettings } from './machine.ts'

commandLine('vacuum')
  .description(
    'Rewrites the SQLite database at DATABASE_URL without its free pages, while the service is stopped. It can become smaller by itself from then on.',
  )
  .allowExcessArguments(false)
  .parse()

export const run = (): Promise<void> =>
  command(async ({ DATABASE_URL }) => {
    const file = fileOf(DATABASE_URL)
    if (file === undefined) throw new Error('The database at DATABASE_URL is Postgres, which gives back space by itself (autovacuum)')
    try {
      const { before, after } = vacuumFile(file)
      process.stdout.write(`${file}: ${megabytes(before)} before, ${megabytes(after)} after\n`)
    } catch (error) {
      throw new Error(`${file} was not vacuumed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }, ownSettings)
