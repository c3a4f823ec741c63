/** The arguments of a command of this machine. */
import { Command } from 'commander'
import { examples, examplesHelp } from './command-examples.ts'
import { isCommand } from './command-names.ts'

/** Exit code of a command with wrong arguments, the same as for calls of the API (docs/cli.md). */
const wrongArguments = 2

/** Named as it was called: `footfall plans` or `npm run plans --`. */
export function commandLine(name: string, npm = `npm run ${name} --`): Command {
  const isFootfall = process.argv[1]?.endsWith(` ${name}`) === true
  const called = isFootfall ? `footfall ${name}` : npm
  const command = new Command(called).exitOverride(({ exitCode }) => process.exit(exitCode === 1 ? wrongArguments : exitCode))
  return isCommand(name) ? command.addHelpText('afterAll', examplesHelp(called, examples[name])) : command
}
