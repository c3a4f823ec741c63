/** The command line: every operation as a command, called over HTTP with a profile's server and token. */
import { isObject } from '../../runtime/json.ts'
import { nearest } from '../../runtime/nearest.ts'
import { withoutHidden } from '../../runtime/hidden-characters.ts'
import { FootfallError, type Input, listing, sender } from '../client/core.ts'
import { completed } from './completing.ts'
import { type Common, readArguments } from './arguments.ts'
import { type Command, commandIn, commandsOf } from './commands.ts'
import { completionScripts, completionsOf } from './completion.ts'
import { commandHelp, listHelp } from './help.ts'
import { manageProfiles } from './profile-command.ts'
import { type Profile, profilesFile, readProfiles } from './profiles.ts'
import { asJson, shown } from './show.ts'
import { exits, type Terminal } from './terminal.ts'

/** Commands beside those of the table. */
export const ownCommands = ['profile', 'completion'] as const

/** @param words after `footfall` @returns the exit code */
export async function runCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  const [first = '', ...rest] = words
  if (first === 'profile')
    return manageProfiles(rest, terminal).catch((thrown: unknown) => {
      terminal.err(`footfall profile: ${thrown instanceof Error ? thrown.message : 'it failed'}\n`)
      return exits.refused
    })
  if (first === 'completion') return completion(rest[0], terminal)
  const commands = commandsOf(terminal.document())
  if (first === '__complete') {
    const found = completionsOf(commands, rest, [...terminal.others, ...ownCommands])
    terminal.out(found.map(each => `${each}\n`).join(''))
    return exits.done
  }
  const found = commandIn(commands, words)
  if (!found) return unknown(commands, words, terminal)
  return call(commands, found.command, words.slice(found.taken), terminal)
}

function completion(shell: string | undefined, { out, err }: Terminal): number {
  const script = Object.hasOwn(completionScripts, shell ?? '') ? completionScripts[shell ?? ''] : undefined
  if (script === undefined) {
    err(`footfall completion: name a shell, ${Object.keys(completionScripts).join(', ')}\n`)
    return exits.usage
  }
  out(script)
  return exits.done
}

function unknown(commands: readonly Command[], words: readonly string[], { out, err, others }: Terminal): number {
  const plain = words.filter(word => !word.startsWith('-'))
  const begun = plain.join(' ')
  const within = commands.filter(({ name }) => name.startsWith(`${begun} `))
  if (within.length > 0) {
    out(listHelp(within))
    return exits.done
  }
  const firsts = [...others, ...ownCommands, ...commands.map(({ name }) => name.split(' ')[0] ?? '')]
  const ids = commands.map(({ id }) => id)
  const near = plain.length > 1 ? nearest(plain.slice(0, 3).join('_'), ids) : undefined
  const meant = commands.find(({ id }) => id === near)?.name ?? nearest(plain[0] ?? '', firsts)
  err(`footfall ${withoutHidden(begun)}: there is no such command${meant === undefined ? '.' : `; did you mean ${meant}?`} `)
  err('"footfall help" has those of this machine, "footfall commands" those of the API.\n')
  return exits.usage
}

/** The commands of the table, for `footfall commands`. */
export function listCommands({ document }: Pick<Terminal, 'document'>): string {
  return listHelp(commandsOf(document()))
}

async function call(commands: readonly Command[], command: Command, words: readonly string[], terminal: Terminal): Promise<number> {
  const { out, err, columns } = terminal
  let json = words.includes('--json')
  try {
    if (words.includes('--help') || words.includes('-h')) {
      out(commandHelp(command))
      return exits.done
    }
    const { options } = readArguments(command, words)
    json = options.json !== undefined
    const profile = profileOf(options.profile, terminal)
    const kept = {
      ...(profile?.site !== undefined && { site_id: profile.site }),
      ...(profile?.workspace !== undefined && { workspace_id: profile.workspace }),
    }
    const send = sender({ ...(await target(options, profile, terminal)), ...(terminal.fetch && { fetch: terminal.fetch }) })
    const typed = readArguments(command, words, kept)
    // With another fault in it nothing is sent.
    const isRight = readArguments(command, words, { workspace_id: '-', site_id: '-', ...kept }).faults.length === 0
    const ids = isRight ? await completed(commands, command, { ...kept, ...typed.input }, send) : {}
    const { input: read, faults } = readArguments(command, words, { ...kept, ...ids })
    const input = { ...read, ...ids }
    if (faults.length > 0) {
      err(
        `${faults.map(fault => `footfall ${command.name}: ${withoutHidden(fault)}\n`).join('')}"footfall ${command.name} --help" has the flags.\n`,
      )
      return exits.usage
    }
    const answer = options.all !== undefined && command.isList ? await everything(command, send, input) : await send(command.route, input)
    out(typeof answer === 'string' && !json ? answer : json ? asJson(answer) : people(answer, command, columns))
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

function people(answer: unknown, { isList }: Command, columns: number | undefined): string {
  if (!isObject(answer) || !('data' in answer)) return shown(answer, columns)
  const { data, meta } = answer
  const text = shown(data, columns)
  const { page, total_pages: last, total } = isObject(meta) ? meta : {}
  return isList && typeof page === 'number' && last !== 1 ? `${text}(page ${page} of ${last}, ${total} in all: --page, --all)\n` : text
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

function profileOf(asked: string | undefined, { env, home }: Terminal): Profile | undefined {
  const { current, profiles } = readProfiles(profilesFile(env, home))
  const name = asked ?? env.FOOTFALL_PROFILE
  const found = Object.hasOwn(profiles, name ?? current ?? '') ? profiles[name ?? current ?? ''] : undefined
  if (name !== undefined && !found) throw new Error(`there is no profile "${name}": "footfall profile list" has them`)
  return found
}

/** A profile's token goes to the profile's server alone. */
async function target(
  options: Common,
  profile: Profile | undefined,
  { env, stdin }: Terminal,
): Promise<{ server: string; token?: string }> {
  const server = options.server ?? env.FOOTFALL_SERVER ?? profile?.server
  if (server === undefined)
    throw new Error(
      'which installation? Give --server, set FOOTFALL_SERVER, or run "footfall profile set --server https://… --token -" once',
    )
  const { protocol } = URL.canParse(server) ? new URL(server) : { protocol: '' }
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error(`"${server}" is no address: it begins with https:// or http://`)
  const token =
    options.token === '-'
      ? (await stdin()).trim()
      : (options.token ?? env.FOOTFALL_TOKEN ?? (sameServer(server, profile?.server) ? profile?.token : undefined))
  return { server, ...(token !== undefined && token !== '' && { token }) }
}

const sameServer = (a: string, b: string | undefined): boolean => b !== undefined && a.replace(/\/+$/, '') === b.replace(/\/+$/, '')
