/** `footfall profile set|list|use|delete`. Tokens are never shown. */
import { isProfileName, type Profile, profileFields, profilesFile, readProfiles, writeProfiles } from './profiles.ts'
import { asJson, shown } from './print-answer.ts'
import { exits, type Terminal } from './terminal.ts'

const usage = `Usage: footfall profile set [name] --server <url> [--token -] [--site <id>] [--workspace <id>]
       footfall profile list [--json]
       footfall profile use <name>
       footfall profile delete <name>

A profile is an installation with a token; "--token -" reads it from standard input, so that no history of a shell keeps
it. The first one is called "default". What is not named stays as it was; an empty value takes it away.

Examples:
  footfall profile set --server https://stats.example.com --site pa_1kkbswhg0ve4v24ygxaev3v --token - < token.txt
  footfall profile use reports
`

export async function manageProfiles(words: readonly string[], terminal: Terminal): Promise<number> {
  const { env, home, out, err, columns } = terminal
  const [action = '', ...rest] = words
  const file = profilesFile(env, home)
  const refuse = (message: string) => {
    err(`footfall profile ${action}: ${message}\n`)
    return exits.usage
  }
  if (action === '' || rest.includes('--help') || action === '--help') {
    out(usage)
    return exits.done
  }
  const kept = readProfiles(file)
  const name = rest[0] === undefined || rest[0].startsWith('--') ? undefined : rest[0]

  if (action === 'list') {
    const rows = Object.entries(kept.profiles).map(([name, { token, grant, ...profile }]) => ({
      name,
      current: name === kept.current,
      ...profile,
      token_present: token !== undefined,
      signed_in: grant !== undefined,
    }))
    out(rest.includes('--json') ? asJson(rows) : shown(rows, columns))
    return exits.done
  }
  if (action === 'set') {
    const flags = readFlags(name === undefined ? rest : rest.slice(1))
    if (typeof flags === 'string') return refuse(flags)
    const at = name ?? kept.current ?? 'default'
    if (!isProfileName(at)) return refuse('a name has 1 to 60 letters, digits, ".", "_", "-"')
    if (flags.token === '-') flags.token = (await terminal.stdin()).trim()
    const before = Object.hasOwn(kept.profiles, at) ? kept.profiles[at] : undefined
    const moved = before && flags.server !== undefined && flags.server !== before.server
    const merged: Partial<Profile> = { ...(moved ? {} : before), ...flags } // tokens and sites belong to one server
    const { server, grant, ...others }: Partial<Profile> = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''))
    const renewing = grant && flags.token === undefined ? { grant } : {} // it does not renew another token
    if (server === undefined || !/^https?:$/.test(URL.canParse(server) ? new URL(server).protocol : ''))
      return refuse('--server is missing, or no address that begins with https:// or http://')
    writeProfiles(file, { current: kept.current ?? at, profiles: { ...kept.profiles, [at]: { server, ...others, ...renewing } } })
    out(`${at} is kept in ${file}\n`)
    return exits.done
  }
  if (action !== 'use' && action !== 'delete') return refuse(`there is no such command\n${usage}`)
  if (name === undefined || !Object.hasOwn(kept.profiles, name)) return refuse('name a profile; "footfall profile list" has them')
  if (action === 'use') writeProfiles(file, { ...kept, current: name })
  else {
    const { [name]: _, ...others } = kept.profiles
    writeProfiles(file, { current: kept.current === name ? Object.keys(others)[0] : kept.current, profiles: others })
  }
  return exits.done
}

/** @returns a message if the values are invalid */
function readFlags(words: readonly string[]): Record<string, string> | string {
  const flags: Record<string, string> = {}
  for (let i = 0; i < words.length; i++) {
    const [, flag, attached] = /^--([a-z]+)(?:=([^]*))?$/.exec(words[i] ?? '') ?? []
    const field = profileFields.find(each => each === flag)
    const next = words[i + 1]
    const value = attached ?? (next?.startsWith('--') ? undefined : next)
    if (field === undefined) return `"${words[i]}" is no flag; there are ${profileFields.map(each => `--${each}`).join(', ')}`
    if (value === undefined) return `--${field}: a value is missing`
    flags[field] = value
    if (attached === undefined) i++
  }
  return flags
}
