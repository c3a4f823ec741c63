/** `footfall profile set|list|use|delete`. Tokens are never shown. */
import {
  isProfileName,
  isSameServer,
  isServerAddress,
  type Profile,
  profileFields,
  profileNamed,
  type Profiles,
  profilesFile,
  readProfiles,
  withProfile,
  writeProfiles,
} from './profiles.ts'
import { asJson, shown } from './print-answer.ts'
import { exits, type Terminal } from './terminal.ts'

const usage = `Usage: footfall profile set [name] --server <url> [--token -] [--site <id>] [--workspace <id>]
       footfall profile list [--json]
       footfall profile use <name>
       footfall profile delete <name>

A profile is an installation with a token. "--token -" reads the token from standard input, so that it does not get into the
history of the shell. Without a name, the command sets the current profile, or the profile "default" if there is none. Fields
that you do not give stay as they are; an empty value removes the field.

Examples:
  footfall profile set --server https://stats.example.com --site pa_1kkbswhg0ve4v24ygxaev3v --token - < token.txt
  footfall profile use reports
`

/** Runs a `footfall profile` command. @param words after `profile` @returns the exit code */
export async function manageProfiles(words: readonly string[], terminal: Terminal): Promise<number> {
  const { env, home, out, err, columns } = terminal
  const [action = '', ...rest] = words
  const name = rest[0] === undefined || rest[0].startsWith('--') ? undefined : rest[0]
  const file = profilesFile(env, home)
  if (action === '' || rest.includes('--help') || action === '--help') {
    out(usage)
    return exits.done
  }
  const profiles = readProfiles(file)
  if (action === 'list') {
    const rows = profileRows(profiles)
    out(rest.includes('--json') ? asJson(rows) : shown(rows, columns))
    return exits.done
  }
  const outcome =
    action === 'set'
      ? await setProfile(profiles, name, { words: name === undefined ? rest : rest.slice(1), terminal })
      : useOrDelete(profiles, name, action)
  if (typeof outcome === 'string') {
    err(`footfall profile ${action}: ${outcome}\n`)
    return exits.usage
  }
  writeProfiles(file, outcome.profiles)
  if (outcome.stored !== undefined) out(`Profile ${outcome.stored} is stored in ${file}\n`)
  return exits.done
}

/** The profiles after a command, or the fault of the command as a text. */
type Outcome = { readonly profiles: Profiles; readonly stored?: string } | string

const profileRows = ({ current, profiles }: Profiles) =>
  Object.entries(profiles).map(([name, { token, grant, ...profile }]) => ({
    name,
    current: name === current,
    ...profile,
    token_present: token !== undefined,
    signed_in: grant !== undefined,
  }))

/** Creates or changes a profile: the named one, otherwise the current one. @param words the flags */
async function setProfile(
  profiles: Profiles,
  given: string | undefined,
  { words, terminal }: { words: readonly string[]; terminal: Terminal },
): Promise<Outcome> {
  const flags = readFlags(words)
  if (typeof flags === 'string') return flags
  const name = given ?? profiles.current ?? 'default'
  if (!isProfileName(name)) return 'a name has 1 to 60 letters, digits, ".", "_", "-"'
  if (flags.token === '-') flags.token = (await terminal.stdin()).trim()
  const before = profileNamed(profiles, name)
  const isOtherServer = flags.server !== undefined && !isSameServer(flags.server, before?.server)
  const merged: Partial<Profile> = { ...(isOtherServer ? {} : before), ...flags } // tokens and sites belong to one server
  const { server, grant, ...others }: Partial<Profile> = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''))
  if (server === undefined || !isServerAddress(server))
    return '--server is missing, or is not an address that begins with https:// or http://'
  // A grant renews only the token that came with it.
  const profile: Profile = { server, ...others, ...(grant && flags.token === undefined && { grant }) }
  return { profiles: withProfile(profiles, name, profile), stored: name }
}

function useOrDelete(kept: Profiles, name: string | undefined, action: string): Outcome {
  if (action !== 'use' && action !== 'delete') return `there is no such command\n${usage}`
  if (name === undefined || !profileNamed(kept, name)) return 'name a profile; "footfall profile list" shows them'
  if (action === 'use') return { profiles: { ...kept, current: name } }
  const { [name]: _, ...profiles } = kept.profiles
  return { profiles: { current: kept.current === name ? Object.keys(profiles)[0] : kept.current, profiles } }
}

/** @returns the flags by name, or their fault as a text */
function readFlags(words: readonly string[]): Record<string, string> | string {
  const flags: Record<string, string> = {}
  for (let i = 0; i < words.length; i++) {
    const [, flag, attached] = /^--([a-z]+)(?:=([^]*))?$/.exec(words[i] ?? '') ?? []
    const field = profileFields.find(each => each === flag)
    const next = words[i + 1]
    const value = attached ?? (next?.startsWith('--') ? undefined : next)
    if (field === undefined)
      return `"${words[i]}" is not a flag of this command; its flags are ${profileFields.map(each => `--${each}`).join(', ')}`
    if (value === undefined) return `--${field}: a value is missing`
    flags[field] = value
    if (attached === undefined) i++
  }
  return flags
}
