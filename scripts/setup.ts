/** `npm run -s setup -- --email … --workspace … --site … --timezone … --json`: creates what is missing, and a token. */
import { type SetUp, setUp, type SetUpRequest, workspacesOf } from '../operations/service/setup/set-up.ts'
import { commandLine } from './command-line.ts'
import { addressOf } from './address.ts'
import { command, creationServices, withDatabase } from './machine.ts'
import { listed } from './workspaces.ts'

const program = commandLine('setup')
  .requiredOption('--email <address>', 'e-mail of the owner')
  .option('--workspace <name>', 'name of the workspace', 'My workspace')
  .requiredOption('--site <domain>', 'domain of the site')
  .option('--timezone <name>', 'IANA time zone of the site', 'UTC')
  .option('--json', 'print one JSON object')

export const run = (): Promise<void> => {
  const options = program.parse().opts<SetUpRequest & { json?: true }>()
  return command(config =>
    withDatabase(config, async (store, now) => {
      const before = await workspacesOf(store.read)
      const made: SetUp = await setUp(store, options, await creationServices(config, now()))
      if (before.length > 0 && !before.some(({ id }) => id === made.workspace_id)) {
        const others = before.length === 1 ? 'There is another' : `There are ${before.length} others`
        process.stderr.write(
          `Made a new workspace "${options.workspace}", as ${options.email} was in none of this name. ${others}:\n${listed(before)}\n`,
        )
      }
      process.stdout.write(
        options.json
          ? `${JSON.stringify({ ...made, sign_in: `${addressOf(config)}${made.sign_in}` })}\n`
          : `workspace  ${made.workspace_id}\nsite       ${made.site_id}\ntoken      ${made.token}\nsign in    ${addressOf(config)}${made.sign_in}   (within 15 minutes: set a password)\n`,
      )
    }),
  )
}
