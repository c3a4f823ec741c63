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
  if (!isObject(kept) || !isObject(kept.profiles)) throw new Error(`${file} is no file of profiles: repair it, or delete it`)
  const profiles = Object.entries(kept.profiles).flatMap(([name, given]) => {
    if (!isObject(given) || typeof given.server !== 'string') return []
    const fields = profileFields.flatMap(field => (typeof given[field] === 'string' ? [[field, given[field]] as const] : []))
    const grant = grantIn(given.grant)
    return [[name, { server: given.server, ...Object.fromEntries(fields), ...(grant && { grant }) }] as const]
  })
  return { current: typeof kept.current === 'string' ? kept.current : undefined, profiles: Object.fromEntries(profiles) }
}

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

/** With or without a slash at the end. */
export const isSameServer = (a: string, b: string | undefined): boolean =>
  b !== undefined && a.replace(/\/+$/, '') === b.replace(/\/+$/, '')

export const isProfileName = (name: string): boolean => /^[\w.-]{1,60}$/.test(name) && name !== '__proto__'

function textAsJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
