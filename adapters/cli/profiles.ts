/** Installations that the user calls, each with a token: a file that only its owner can read. */
import fs from 'node:fs'
import path from 'node:path'
import { isObject } from '../../runtime/values/json.ts'

/** Grant that renews the token of a user who signed in with the browser. */
export interface Grant {
  readonly clientId: string
  readonly refreshToken: string
  /** Expiry of the access token, epoch ms. */
  readonly expiresAt: number
}

export interface Profile {
  readonly server: string
  readonly token?: string
  /** The refresh token of a sign-in with the browser. */
  readonly grant?: Grant
  /** Used if a command needs a site or a workspace and none is named. */
  readonly site?: string
  readonly workspace?: string
}

export interface Profiles {
  readonly current: string | undefined
  readonly profiles: Readonly<Record<string, Profile>>
}

/** Fields of a profile, as flags of `profile set`. */
export const profileFields = ['server', 'token', 'site', 'workspace'] as const

/** `FOOTFALL_CONFIG`, otherwise a file below `XDG_CONFIG_HOME` or `~/.config`. */
export function profilesFile(env: Readonly<Record<string, string | undefined>>, home: string): string {
  return env.FOOTFALL_CONFIG || path.join(env.XDG_CONFIG_HOME || path.join(home, '.config'), 'footfall', 'profiles.json')
}

/** @throws Error if the file is there and cannot be read */
export function readProfiles(file: string): Profiles {
  let text: string
  try {
    text = fs.readFileSync(file, 'utf8')
  } catch (thrown) {
    if (isObject(thrown) && thrown.code === 'ENOENT') return { current: undefined, profiles: {} }
    throw thrown
  }
  const kept: unknown = textAsJson(text)
  if (!isObject(kept) || !isObject(kept.profiles)) throw new Error(`${file} is not a profiles file: repair it, or delete it`)
  const profiles = Object.entries(kept.profiles).flatMap(([name, given]) => {
    if (!isObject(given) || typeof given.server !== 'string') return []
    const fields = profileFields.flatMap(field => (typeof given[field] === 'string' ? [[field, given[field]] as const] : []))
    const grant = grantIn(given.grant)
    return [[name, { server: given.server, ...Object.fromEntries(fields), ...(grant && { grant }) }] as const]
  })
  return { current: typeof kept.current === 'string' ? kept.current : undefined, profiles: Object.fromEntries(profiles) }
}

/** @returns undefined if there is no profile of this name, which may also be a name that every object has */
export const profileNamed = ({ profiles }: Profiles, name: string): Profile | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined

/** Adds a profile, or replaces the one of this name. The first profile becomes the current one. */
export const withProfile = ({ current, profiles }: Profiles, name: string, profile: Profile): Profiles => ({
  current: current ?? name,
  profiles: { ...profiles, [name]: profile },
})

/** Removes what a sign-in has left in a profile. */
export const withoutTokens = ({ token: _, grant: __, ...profile }: Profile): Profile => profile

/** Replaces the whole file; at all times only its owner can read it. */
export function writeProfiles(file: string, profiles: Profiles): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const replacement = `${file}.${process.pid}`
  fs.rmSync(replacement, { force: true })
  fs.writeFileSync(replacement, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  fs.renameSync(replacement, file)
}

function grantIn(given: unknown): Grant | undefined {
  if (!isObject(given)) return undefined
  const { clientId, refreshToken, expiresAt } = given
  const isWhole = typeof clientId === 'string' && typeof refreshToken === 'string' && typeof expiresAt === 'number'
  return isWhole ? { clientId, refreshToken, expiresAt } : undefined
}

/** Compares two addresses; a slash at the end makes no difference. */
export const isSameServer = (a: string, b: string | undefined): boolean =>
  b !== undefined && a.replace(/\/+$/, '') === b.replace(/\/+$/, '')

/** Whether it is an address that begins with `https://` or `http://`. */
export const isServerAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

export const isProfileName = (name: string): boolean => /^[\w.-]{1,60}$/.test(name) && name !== '__proto__'

function textAsJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
