/** `footfall alerts create …`: a call of an operation, without anything of the service but its OpenAPI file. */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { text } from 'node:stream/consumers'
import type { OpenAPIObject } from 'openapi3-ts/oas31'
import { listCommands, runCommand } from '../adapters/cli/cli.ts'
import { commandIn, commandsOf } from '../adapters/cli/commands.ts'
import type { Terminal } from '../adapters/cli/terminal.ts'

const terminal = (otherCommands: readonly string[]): Terminal => ({
  env: process.env,
  home: home(),
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  out: given => process.stdout.write(given),
  err: given => process.stderr.write(given),
  stdin: () => text(process.stdin),
  runProgram,
  browse,
  openApi: () => JSON.parse(readFileSync(createRequire(import.meta.url).resolve('#spec/openapi.json'), 'utf8')) as OpenAPIObject,
  otherCommands,
})

/** A user without an entry in /etc/passwd, as in a container, has none unless HOME names it. */
function home(): string {
  try {
    return homedir()
  } catch {
    return '/'
  }
}

const runProgram: Terminal['runProgram'] = (program, args, input) => {
  const { error, status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8', maxBuffer: 1024 ** 3 })
  if (error) return 'code' in error && error.code === 'ENOENT' ? undefined : { code: 1, out: '', err: error.message }
  return { code: status ?? 1, out: stdout, err: stderr }
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Without a browser nothing happens: the address was printed. */
function browse(url: string): void {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  const opener = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  opener.on('error', () => undefined)
  opener.unref()
}

/** Whether the words name an operation: `crawlers list`, where `crawlers access.log` is a command of its own. */
export function namesOperation(words: readonly string[]): boolean {
  return commandIn(commandsOf(terminal([]).openApi()), words) !== undefined
}

/** Runs one command line. @param otherCommands names of the commands that are not operations */
export async function call(words: readonly string[], otherCommands: readonly string[]): Promise<void> {
  process.stdout.on('error', () => process.exit()) // its reader has gone: `| head`
  if (words[0] === 'commands') process.stdout.write(listCommands(terminal(otherCommands)))
  else process.exitCode = await runCommand(words, terminal(otherCommands))
}
