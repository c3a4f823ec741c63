#!/usr/bin/env -S node --max-semi-space-size=32 --v8-pool-size=2
/** `npx footfall` serves; `npx footfall setup …` and others run the other commands, `npx footfall sites list …` calls. */
import { fileURLToPath } from 'node:url'

interface Command {
  readonly summary: string
  run(): Promise<unknown>
}

const commands: Readonly<Record<string, Command>> = {
  serve: { summary: 'serve, as without a command', run: () => import('./serve-cached.ts') },
  setup: { summary: 'make an owner, a workspace, a site and a token', run: () => import('./setup.ts') },
  token: { summary: 'make another token', run: () => import('./token.ts') },
  'sign-in-link': { summary: 'make a link that signs a member in', run: () => import('./sign-in-link.ts') },
  backup: { summary: 'copy a SQLite database while it is in use', run: () => import('./backup.ts') },
  restore: { summary: 'put a backup in the place of the SQLite database', run: () => import('./restore.ts') },
  keys: { summary: 'say which keys of SECRET_KEY are still needed, and replace them', run: () => import('./keys.ts') },
  vacuum: { summary: 'rewrite the SQLite database without its free space', run: () => import('./vacuum.ts') },
  import: { summary: 'import hits with their times from a file', run: () => import('./import.ts') },
  probe: { summary: 'probe uptime checks from another location', run: () => import('./probe.ts') },
  crawlers: { summary: 'send a web server’s log, to see crawlers', run: () => import('./crawlers.ts') },
  plans: { summary: 'list the plans of workspaces, or give one a plan', run: () => import('./plans.ts') },
  affiliates: { summary: 'decide about affiliates, and pay them', run: () => import('./affiliates.ts') },
  demo: { summary: 'fill a database with two years of a shop, and serve it', run: () => import('./demo.ts') },
}

const typed = process.argv.slice(2)
/** Flags of calls may come first: `footfall --json sites list`. */
const words = typed[0]?.startsWith('--') ? (await import('../adapters/cli/common-flags.ts')).withFlagsLast(typed) : typed
process.argv.splice(2, typed.length, ...words)
const [asked = ''] = words
const name = asked.startsWith('-') || asked === '' ? 'serve' : asked
const command = commands[name]
const isCall = async () => words.slice(1).some(word => /^[a-z]/.test(word)) && (await import('./call.ts')).namesOperation(words)
if ((command || asked === 'help') && (await isCall())) await call()
else if (asked === '--version' || asked === '-V')
  process.stdout.write(`footfall ${(await import('../runtime/settings/version.ts')).versionLine()}\n`)
else if (asked === '--help' || asked === '-h' || asked === 'help') process.stdout.write(help())
else if (command) {
  if (name === asked) process.argv.splice(1, 2, `${fileURLToPath(import.meta.url)} ${name}`)
  await command.run()
} else await call()

async function call(): Promise<void> {
  const { call } = await import('./call.ts')
  await call(words, Object.keys(commands))
}

function help(): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(14)}${summary}`)
  return `Usage: footfall [command] [options]\n\n${lines.join('\n')}\n\nfootfall <command> --help has its options; footfall serve --help the settings.

Calls of an installation, this one or another: footfall sites list, footfall alerts create --name …
  commands      list them all; footfall <command> --help has the flags
  whoami        show the account, the workspace, the permissions and the server of the token
  login         sign in by your browser: footfall login --server https://…; logout ends it
  profile       keep servers and tokens: footfall profile set --server https://… --token -
  completion    print the completion for bash, zsh or fish
`
}
