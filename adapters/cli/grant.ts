/**
 * The result of a sign-in with the browser: an access token for an hour, and a refresh token for the next one. A refresh token
 * works only once, so of two concurrent command lines one waits for the other.
 */
import fs from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import * as oauth from 'oauth4webapi'
import { type Grant, type Profile, type Profiles, readProfiles, writeProfiles } from './profiles.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Time before its end at which a token is renewed, ms. */
const EARLY = 60_000
/** Age at which a lock counts as left by a dead process, ms. */
const STALE = 30_000

/** Options of each request of the library: http only if the address has it. */
export const requestOptions = (server: string, fetch: Fetch | undefined) => ({
  [oauth.allowInsecureRequests]: new URL(server).protocol === 'http:',
  ...(fetch && { [oauth.customFetch]: fetch }),
  signal: AbortSignal.timeout(30_000),
})

/** @throws Error if the server is not Footfall, or a version without OAuth */
export async function authorizationServer(server: string, fetch: Fetch | undefined): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(server)
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...requestOptions(server, fetch) })
  return oauth.processDiscoveryResponse(issuer, found)
}

/** @returns the tokens of an answer in the form of the profile file */
export function keptTokens(
  { access_token: token, refresh_token: refreshToken, expires_in: seconds = 0 }: oauth.TokenEndpointResponse,
  clientId: string,
): { token: string; grant: Grant } {
  if (refreshToken === undefined) throw new Error('the server gave no refresh token')
  return { token, grant: { clientId, refreshToken, expiresAt: Date.now() + seconds * 1000 } }
}

interface CurrentToken {
  readonly file: string
  readonly name: string
  readonly profile: Profile | undefined
  readonly fetch: Fetch | undefined
}

/** The access token of a profile, renewed if it has expired. @throws Error if the user has to sign in again */
export async function currentToken({ file, name, profile, fetch }: CurrentToken): Promise<string | undefined> {
  if (!profile?.grant || isGood(profile.grant)) return profile?.token
  return withLock(`${file}.lock`, async () => {
    const profiles = readProfiles(file)
    const now = profiles.profiles[name]
    if (!now?.grant || isGood(now.grant)) return now?.token // another process renewed it, or signed out
    const { grant, server } = now
    const as = await authorizationServer(server, fetch)
    const client = { client_id: grant.clientId }
    const answer = await oauth.refreshTokenGrantRequest(as, client, oauth.None(), grant.refreshToken, requestOptions(server, fetch))
    try {
      const renewed = keptTokens(await oauth.processRefreshTokenResponse(as, client, answer), grant.clientId)
      writeProfiles(file, changed(profiles, name, { ...now, ...renewed }))
      return renewed.token
    } catch (thrown) {
      if (!(thrown instanceof oauth.ResponseBodyError) || thrown.error !== 'invalid_grant') throw thrown
      writeProfiles(file, changed(profiles, name, withoutTokens(now)))
      throw new Error(`the sign-in of profile "${name}" has ended: "footfall login ${name}" signs in again`, { cause: thrown })
    }
  })
}

/** Ends the sign-in at the server (RFC 7009); either token ends both. */
export async function revoke({ server, grant }: Profile, fetch: Fetch | undefined): Promise<void> {
  if (!grant) return
  const as = await authorizationServer(server, fetch)
  const options = requestOptions(server, fetch)
  const answer = await oauth.revocationRequest(as, { client_id: grant.clientId }, oauth.None(), grant.refreshToken, options)
  await oauth.processRevocationResponse(answer)
}

export const withoutTokens = ({ token: _, grant: __, ...profile }: Profile): Profile => profile

export const changed = (profiles: Profiles, name: string, profile: Profile): Profiles => ({
  current: profiles.current ?? name,
  profiles: { ...profiles.profiles, [name]: profile },
})

const isGood = ({ expiresAt }: Grant): boolean => expiresAt - EARLY > Date.now()

/** Runs the work while no other process runs it. */
async function withLock<T>(file: string, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      fs.closeSync(fs.openSync(file, 'wx', 0o600))
      break
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown
      const made = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs
      if (made !== undefined && Date.now() - made > STALE) fs.rmSync(file, { force: true })
      else await pause(50)
    }
  }
  try {
    return await run()
  } finally {
    fs.rmSync(file, { force: true })
  }
}
