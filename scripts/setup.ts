/** `npm run -s setup -- --email … --workspace … --site … --timezone … --json`: creates what is missing, and a token. */
import { Command } from 'commander'
import { type SetUp, setUp, type SetUpRequest } from '../operations/service/setup/set-up.ts'
import { addressOf } from './address.ts'
import { command, making, withDatabase } from './machine.ts'

const options = new Command('setup')
  .requiredOption('--email <address>', 'e-mail of the owner')
  .option('--workspace <name>', 'name of the workspace', 'My workspace')
  .requiredOption('--site <domain>', 'domain of the site')
  .option('--timezone <name>', 'IANA time zone of the site', 'UTC')
  .option('--json', 'print one JSON object')
  .parse()
  .opts<SetUpRequest & { json?: true }>()

await command(config =>
  withDatabase(config, async store => {
    const made: SetUp = await setUp(store, options, await making(config))
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ ...made, sign_in: `${addressOf(config)}${made.sign_in}` })}\n`
        : `workspace  ${made.workspace_id}\nsite       ${made.site_id}\ntoken      ${made.token}\nsign in    ${addressOf(config)}${made.sign_in}   (within 15 minutes: set a password)\n`,
    )
  }),
)
