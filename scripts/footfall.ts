#!/usr/bin/env -S node --max-semi-space-size=32 --v8-pool-size=2
/** `npx footfall` serves; `npx footfall setup …` and others run the other commands, `npx footfall sites list …` calls. */
import { fileURLToPath } from 'node:url'
import { isCommand, summaries } from './command-names.ts'
import { runCommand } from './run-command.ts'

const typed = process.argv.slice(2)
/** Flags of calls may come first: `footfall --json sites list`. */
const words = typed[0]?.startsWith('--') ? (await import('../adapters/cli/common-flags.ts')).withFlagsLast(typed) : typed
process.argv.splice(2, typed.length, ...words)
const [asked = ''] = words
const name = asked.startsWith('-') || asked === '' ? 'serve' : asked
const isCall = async () => words.slice(1).some(word => /^[a-z]/.test(word)) && (await import('./call.ts')).namesOperation(words)
if ((isCommand(name) || asked === 'help') && (await isCall())) await call()
else if (asked === '--version' || asked === '-V')
  process.stdout.write(`footfall ${(await import('../runtime/settings/version.ts')).versionLine()}\n`)
else if (asked === '--help' || asked === '-h' || asked === 'help') process.stdout.write(help())
else if (isCommand(name)) {
  if (name === asked) process.argv.splice(1, 2, `${fileURLToPath(import.meta.url)} ${name}`)
  await runCommand(name)
} else await call()

async function call(): Promise<void> {
  const { call } = await import('./call.ts')
  await call(words, Object.keys(summaries))
}

function help(): string {
  const lines = Object.entries(summaries).map(([name, summary]) => `  ${name.padEnd(14)}${summary}`)
  return `Usage: footfall [command] [options]\n\n${lines.join('\n')}\n\nfootfall <command> --help has its options; footfall serve --help the settings.

Calls of an installation, this one or another: footfall sites list, footfall alerts create --name …
  commands      list them all; footfall <command> --help has the flags
  whoami        show the account, the workspace, the permissions and the server of the token
  login         sign in by your browser: footfall login --server https://…; logout ends it
  profile       keep servers and tokens: footfall profile set --server https://… --token -
  completion    print the completion for bash, zsh or fish
`
}
