/** The command line: every operation as a command, called over HTTP with a profile's server and token. */
import { isObject } from '../../runtime/values/json.ts'
import { nearest } from '../../runtime/values/nearest.ts'
import { withoutHidden } from '../../runtime/values/hidden-characters.ts'
import { FootfallError, type Input, listing, sender } from '../client/core.ts'
import { completedIds } from './complete-ids.ts'
import { currencyIn, tableOf, written } from './answer-schema.ts'
import { readArguments } from './arguments.ts'
import { type Command, commandIn, commandsOf } from './commands.ts'
import { type Common, plainWords, withFlagsLast } from './common-flags.ts'
import { completionHelp, completionScripts, completionsOf, type Others } from './completion.ts'
import { commandHelp, listHelp } from './help.ts'
import { currentToken } from './grant.ts'
import { jqPrinter } from './jq.ts'
import { manageProfiles } from './profile-command.ts'
import { isSameServer, isServerAddress, type Profile, profileNamed, profilesFile, readProfiles } from './profiles.ts'
import { asJson, shown } from './print-answer.ts'
import { gotNoAnswer, signIn, signInFault, signOut } from './sign-in.ts'
import { exits, type Terminal } from './terminal.ts'

/** Commands other than operations, with the words that may follow them. */
const ownCommands: Others = {
  login: ['--server', '--permissions', '--no-browser'],
  logout: [],
  profile: ['set', 'list', 'use', 'delete'],
  completion: Object.keys(completionScripts),
  commands: [],
  whoami: [],
  help: [],
}
/** Shorter words for commands. */
const short: Readonly<Record<string, readonly string[]>> = { whoami: ['caller', 'get'] }

/** @param words after `footfall` @returns the exit code */
export async function runCommand(given: readonly string[], terminal: Terminal): Promise<number> {
  const [typed = '', ...rest] = withFlagsLast(given)
  const words = [...(Object.hasOwn(short, typed) ? (short[typed] ?? []) : [typed]), ...rest]
  const [first] = words
  if (first === 'profile')
    return manageProfiles(rest, terminal).catch((thrown: unknown) => {
      terminal.err(`footfall profile: ${thrown instanceof Error ? thrown.message : 'it failed'}\n`)
      return exits.refused
    })
  if (first === 'login' || first === 'logout')
    return (first === 'login' ? signIn : signOut)(rest, terminal).catch((thrown: unknown) => {
      terminal.err(`footfall ${first}: ${withoutHidden(signInFault(thrown))}\n`)
      return gotNoAnswer(thrown) ? exits.later : exits.refused
    })
  if (first === 'completion') return completion(rest[0], terminal)
  const commands = commandsOf(terminal.openApi())
  if (first === '__complete') {
    const found = completionsOf(commands, rest, { ...Object.fromEntries(terminal.otherCommands.map(name => [name, []])), ...ownCommands })
    terminal.out(found.map(each => `${each}\n`).join(''))
    return exits.done
  }
  const found = commandIn(commands, words)
  if (!found) return unknown(commands, words, terminal)
  return call(commands, { command: found.command, words: found.rest, terminal })
}

function completion(shell: string | undefined, { out, err }: Terminal): number {
  if (shell === '--help' || shell === '-h') {
    out(completionHelp)
    return exits.done
  }
  const script = Object.hasOwn(completionScripts, shell ?? '') ? completionScripts[shell ?? ''] : undefined
  if (script === undefined) {
    err(`footfall completion: name a shell, ${Object.keys(completionScripts).join(', ')}\n`)
    return exits.usage
  }
  out(script)
  return exits.done
}

function unknown(commands: readonly Command[], words: readonly string[], { out, err, otherCommands }: Terminal): number {
  const plain = plainWords(words).map(at => words[at] ?? '')
  const begun = plain.join(' ')
  const within = commands.filter(({ name }) => name.startsWith(`${begun} `))
  if (within.length > 0) {
    out(listHelp(within))
    return exits.done
  }
  const firsts = [...otherCommands, ...Object.keys(ownCommands), ...commands.map(({ name }) => name.split(' ')[0] ?? '')]
  const ids = commands.map(({ id }) => id)
  const near = plain.length > 1 ? nearest(plain.slice(0, 3).join('_'), ids) : undefined
  const suggestion = commands.find(({ id }) => id === near)?.name ?? nearest(plain[0] ?? '', firsts)
  err(`footfall ${withoutHidden(begun)}: there is no such command${suggestion === undefined ? '.' : `; did you mean ${suggestion}?`} `)
  err('"footfall help" lists the commands of this machine, "footfall commands" the commands of the API.\n')
  return exits.usage
}

/** The commands of the table, for `footfall commands`. */
export function listCommands({ openApi }: Pick<Terminal, 'openApi'>): string {
  return listHelp(commandsOf(openApi()))
}

async function call(
  commands: readonly Command[],
  { command, words, terminal }: { command: Command; words: readonly string[]; terminal: Terminal },
): Promise<number> {
  const { out, err } = terminal
  let json = words.includes('--json')
  try {
    if (words.includes('--help') || words.includes('-h')) {
      out(commandHelp(command))
      return exits.done
    }
    const { options } = readArguments(command, words)
    json = options.json !== undefined
    const print = await printer(command, options, terminal)
    if (typeof print === 'string') {
      err(`footfall ${command.name}: ${withoutHidden(print)}\n`)
      return exits.usage
    }
    const file = profilesFile(terminal.env, terminal.home)
    const { name, profile } = profileOf(options.profile, file, terminal)
    const kept = {
      ...(profile?.site !== undefined && { site_id: profile.site }),
      ...(profile?.workspace !== undefined && { workspace_id: profile.workspace }),
    }
    const to = await target(options, profile, { ...terminal, renewed: () => currentToken({ file, name, profile, fetch: terminal.fetch }) })
    const send = sender({ ...to, ...(terminal.fetch && { fetch: terminal.fetch }) })
    const typed = readArguments(command, words, kept)
    // With any other fault, nothing is sent.
    const { faults: otherFaults } = readArguments(command, words, { workspace_id: '-', site_id: '-', ...kept })
    const isRight = otherFaults.length === 0
    const ids = isRight ? await completedIds(commands, { command, given: { ...kept, ...typed.input }, send }) : {}
    const { input: read, faults: allFaults } = readArguments(command, words, { ...kept, ...ids })
    const faults = isRight ? allFaults : otherFaults // without a lookup, no id may be missing
    const input = { ...read, ...ids }
    if (faults.length > 0) {
      err(
        `${faults.map(fault => `footfall ${command.name}: ${withoutHidden(fault)}\n`).join('')}"footfall ${command.name} --help" has the flags.\n`,
      )
      return exits.usage
    }
    const answer = options.all !== undefined && command.isList ? await everything(command, send, input) : await send(command.route, input)
    out(typeof answer === 'string' && !json ? answer : print(answer))
    return exits.done
  } catch (thrown) {
    if (!(thrown instanceof FootfallError)) {
      err(`footfall ${command.name}: ${thrown instanceof Error ? withoutHidden(thrown.message) : 'it failed'}\n`)
      return exits.usage
    }
    const { code, message, details, requestId } = thrown
    if (json) err(asJson({ error: { code, message, details, ...(requestId !== undefined && { request_id: requestId }) } }))
    else {
      err(`footfall ${command.name}: ${withoutHidden(message)} (${withoutHidden(code)})\n`)
      if (thrown.status === 401) err('"footfall login" signs you in, or give a token: --token, FOOTFALL_TOKEN.\n')
      for (const { pointer, message } of details) err(`  ${placeOf(pointer)}: ${withoutHidden(message)}\n`)
    }
    return exitOf(thrown)
  }
}

async function everything(command: Command, send: ReturnType<typeof sender>, input: Input): Promise<unknown> {
  const data: unknown[] = []
  for await (const row of listing(given => send(command.route, given), input)) data.push(row)
  return { data, meta: { total: data.length } }
}

/** Returns a function that formats the answer as the flags request it, or a fault of these flags. */
async function printer(command: Command, options: Common, terminal: Terminal): Promise<((answer: unknown) => string) | string> {
  const asked = (['json', 'csv', 'jq'] as const).filter(flag => options[flag] !== undefined)
  if (asked.length > 1) return `${asked.map(flag => `--${flag}`).join(' and ')} exclude each other`
  if (options.json !== undefined) return asJson
  if (options.jq !== undefined) return jqPrinter(options.jq, terminal.runProgram)
  if (options.csv === undefined) return answer => people(answer, command, terminal)
  const table = tableOf(command)
  if (!table) return '--csv: the answer is not one table; --json prints it'
  const { csvOf, plainCsv } = await import('../http/csv.ts')
  return answer => csvOf(table, { data: isObject(answer) ? answer.data : undefined }, plainCsv)
}

function people(answer: unknown, command: Command, { columns, timeZone }: Terminal): string {
  if (!isObject(answer) || !('data' in answer)) return shown(answer, columns)
  const { data, meta } = answer
  const text = shown(written(data, command, { timeZone, currency: currencyIn(meta) }), columns)
  const { page, total_pages: last, total, notes } = isObject(meta) ? meta : {}
  const isPart = command.isList && typeof page === 'number' && last !== 1
  return [text, ...(isPart ? [`(page ${page} of ${last}, ${total} in all: --page, --all)\n`] : []), ...notesIn(notes)].join('')
}

/** A line for each note of a report. */
function notesIn(notes: unknown): string[] {
  const messages = Array.isArray(notes) ? notes.map(note => (isObject(note) ? note.message : undefined)) : []
  return messages.flatMap(message => (typeof message === 'string' ? [`Note: ${withoutHidden(message)}\n`] : []))
}

/** `/filters/0/2` → `--filters 0/2` */
function placeOf(pointer: string): string {
  const [, name = '', ...inner] = withoutHidden(pointer).split('/')
  return name === '' ? 'the input' : [`--${name.replaceAll('_', '-')}`, inner.join('/')].filter(Boolean).join(' ')
}

function exitOf({ status, code }: FootfallError): number {
  if (status === 401 || status === 403) return exits.forbidden
  if (status === 404) return exits.notFound
  if (status === 0 || status === 429 || status === 503) return exits.later
  return code === 'validation_failed' || code === 'invalid_json' ? exits.usage : exits.refused
}

function profileOf(asked: string | undefined, file: string, { env }: Terminal): { name: string; profile: Profile | undefined } {
  const profiles = readProfiles(file)
  const named = asked ?? env.FOOTFALL_PROFILE
  const name = named ?? profiles.current ?? ''
  const profile = profileNamed(profiles, name)
  if (named !== undefined && !profile) throw new Error(`there is no profile "${name}": "footfall profile list" has them`)
  return { name, profile }
}

/** A profile's token is sent only to the profile's server. */
async function target(
  options: Common,
  profile: Profile | undefined,
  { env, stdin, renewed }: Terminal & { renewed(): Promise<string | undefined> },
): Promise<{ server: string; token?: string }> {
  const server = options.server ?? env.FOOTFALL_SERVER ?? profile?.server
  if (server === undefined)
    throw new Error('which installation? Give --server, set FOOTFALL_SERVER, or run "footfall login --server https://…" once')
  if (!isServerAddress(server)) throw new Error(`"${server}" is not an address that begins with https:// or http://`)
  const token =
    options.token === '-'
      ? (await stdin()).trim()
      : (options.token ?? env.FOOTFALL_TOKEN ?? (isSameServer(server, profile?.server) ? await renewed() : undefined))
  return { server, ...(token !== undefined && token !== '' && { token }) }
}
