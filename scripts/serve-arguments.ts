/** The arguments of `serve`. */
import { Option } from 'commander'
import { commandLine } from './command-line.ts'
import { settingsHelp } from './machine.ts'

type Role = 'web' | 'worker' | 'both'

/** Reads `process.argv`. Ends the process after help, or if an argument is wrong. */
export async function roleOfArguments(): Promise<Role> {
  const program = commandLine('serve', 'npm start --')
    .description('Serves requests and runs background tasks until SIGTERM or SIGINT.')
    .addOption(new Option('--role <role>', 'what this process does').choices(['web', 'worker', 'both']).default('both'))
    .allowExcessArguments(false)
  if (process.argv.slice(2).some(argument => argument === '--help' || argument === '-h')) program.addHelpText('after', await settingsHelp())
  return program.parse().opts<{ role: Role }>().role
}
