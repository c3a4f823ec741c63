/** `npm run -s sign-in-link -- --email …`: prints a link where that person sets a new password, within 15 minutes. */
import { Command } from 'commander'
import { addSignInLink } from '../operations/service/setup/set-up.ts'
import { addressOf } from './address.ts'
import { command, making, withDatabase } from './machine.ts'

const { email } = new Command('sign-in-link')
  .requiredOption('--email <address>', 'e-mail address of somebody who has an account')
  .parse()
  .opts<{ email: string }>()

await command(config =>
  withDatabase(config, async store => {
    const path = await addSignInLink(store, email, await making(config))
    process.stdout.write(`${addressOf(config)}${path}\n`)
  }),
)
