/**
 * `npm start`: serves requests and runs background tasks until a signal comes. `npm start -- --role web|worker` does
 * one of both; any number of processes may share a Postgres database.
 */
import { Option } from 'commander'
import { commandLine } from './command-line.ts'
import { command, settingsHelp } from './machine.ts'

export async function run(): Promise<void> {
  const program = commandLine('serve', 'npm start --')
    .description('Serves requests and runs background tasks until SIGTERM or SIGINT.')
    .addOption(new Option('--role <role>', 'what this process does').choices(['web', 'worker', 'both']).default('both'))
    .allowExcessArguments(false)
  if (process.argv.slice(2).some(argument => argument === '--help' || argument === '-h')) program.addHelpText('after', await settingsHelp())
  const { role } = program.parse().opts<{ role: 'web' | 'worker' | 'both' }>()
  await command(async config => {
    const { runService } = await import('./service.ts') // loads the table, whose faults become one line, too
    await runService(config, { web: role !== 'worker', worker: role !== 'web' })
  })
}
