/** `npm run -s sign-in-link -- --email …`: prints a link where that person sets a new password, within 15 minutes. */
import { addSignInLink } from '../operations/service/setup/set-up.ts'
import { commandLine } from './command-line.ts'
import { addressOf } from './address.ts'
import { command, creationServices, withDatabase } from './machine.ts'

const program = commandLine('sign-in-link')
  .requiredOption('--email <address>', 'e-mail address of a user with an account')
  .option('--reset-two-factor', 'also turn their second factor off, for who lost the app and the recovery codes')

export const run = (): Promise<void> => {
  const { email, resetTwoFactor = false } = program.parse().opts<{ email: string; resetTwoFactor?: true }>()
  return command(config =>
    withDatabase(config, async (store, now) => {
      const path = await addSignInLink(store, { email, resetTwoFactor }, await creationServices(config, now()))
      process.stdout.write(`${addressOf(config)}${path}\n`)
    }),
  )
}
