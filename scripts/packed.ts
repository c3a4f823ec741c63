/** `npm run packed -- check|unpack`: checks the packed days of the database, or unpacks all of them. */
import { packedWork } from '../storage/engine/index.ts'
import { commandLine } from './command-line.ts'
import { print, report, withProgressBar } from './days-command.ts'
import { command, withDatabase } from './machine.ts'

const program = commandLine('packed').description('Packed days in the database at DATABASE_URL (docs/operations.md).')

program
  .command('check')
  .description('reads every packed day: its blocks are complete, and have the sums, and the rows if these are there')
  .action(() =>
    command(config =>
      withDatabase(config, async (store, now) =>
        report(store, await withProgressBar(store, { now, run: (await packedWork()).checkPacked })),
      ),
    ),
  )

program
  .command('unpack')
  .description('brings all rows back, to go on with an earlier version; stop the service first, or start it with PACK_AFTER_DAYS=off')
  .action(() =>
    command(config =>
      withDatabase(config, async (store, now) =>
        print(`${await withProgressBar(store, { now, run: (await packedWork()).unpackAll })} days unpacked`),
      ),
    ),
  )

export const run = (): Promise<unknown> => program.parseAsync()
