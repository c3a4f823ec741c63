/**
 * The result of a sign-in with the browser: an access token for an hour, and a refresh token for the next one. A refresh token
 * works only once, so of two concurrent command lines one waits for the other.
 */
import fs from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import * as oauth from 'oauth4webapi'
import { type Grant, type Profile, profileNamed, readProfiles, withoutTokens, withProfile, writeProfiles } from './profiles.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** A token is renewed this long before it expires. */
const RENEW_BEFORE_MS = 60_000
/** An older lock counts as left by a dead process. */
const STALE_LOCK_MS = 30_000

/** Options of each request of the OAuth library. It may use http only if the address of the server begins with it. */
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

/** Converts the answer of the token endpoint to the fields of a profile. @throws Error if it has no refresh token */
export function tokensOf(
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
  if (!profile?.grant || isValid(profile.grant)) return profile?.token
  return withLock(`${file}.lock`, async () => {
    const profiles = readProfiles(file)
    const latest = profileNamed(profiles, name)
    if (!latest?.grant || isValid(latest.grant)) return latest?.token // another process renewed it, or signed out
    const { grant, server } = latest
    const as = await authorizationServer(server, fetch)
    const client = { client_id: grant.clientId }
    const answer = await oauth.refreshTokenGrantRequest(as, client, oauth.None(), grant.refreshToken, requestOptions(server, fetch))
    try {
      const renewed = tokensOf(await oauth.processRefreshTokenResponse(as, client, answer), grant.clientId)
      writeProfiles(file, withProfile(profiles, name, { ...latest, ...renewed }))
      return renewed.token
    } catch (thrown) {
      if (!(thrown instanceof oauth.ResponseBodyError) || thrown.error !== 'invalid_grant') throw thrown
      writeProfiles(file, withProfile(profiles, name, withoutTokens(latest)))
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

const isValid = ({ expiresAt }: Grant): boolean => expiresAt - RENEW_BEFORE_MS > Date.now()

/** Runs the work while no other process runs it. */
async function withLock<T>(file: string, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      fs.closeSync(fs.openSync(file, 'wx', 0o600))
      break
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown
      const lockedAt = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs
      if (lockedAt !== undefined && Date.now() - lockedAt > STALE_LOCK_MS) fs.rmSync(file, { force: true })
      else await pause(50)
    }
  }
  try {
    return await run()
  } finally {
    fs.rmSync(file, { force: true })
  }
}
