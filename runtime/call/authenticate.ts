/** Finds the caller: the credential of the request, its row, and the `Caller` of that row. */
import { type Authenticator, fits, hashCredential, type Request, shownTo } from '../authenticator.ts'
import { isMember } from '../caller.ts'
import { challenge } from '../challenge.ts'
import { errors, fail, Failure } from '../errors.ts'
import type { Arrival, Core, EntryRules } from './call.ts'

/** @throws Failure 401 for a missing or invalid credential, 403 `ip_not_allowed`, 429 after too many failures */
export async function authenticate(arrival: Arrival): Promise<void> {
  const { core, request, entry, at } = arrival
  if (entry.ownOrigin) refuseOtherOrigins(core.config.BASE_URL, request)
  if (entry.access === 'public' && !entry.credential) return
  const shown = shownIn(core, entry, request)
  const credential = shown?.credential
  if (entry.access === 'optional' && credential === undefined) return
  core.guard.refuse(credential, request.ip, at)
  try {
    if (shown === undefined) fail('authentication_required', wordsFor(entry).missing)
    const { authenticator } = shown
    const row = shown.fits ? await authenticator.find(core.store.read, hashCredential(shown.credential), at) : undefined
    if (row === undefined) fail('invalid_token', wordsFor(entry).unknown)
    const caller = authenticator.callerOf(row, request)
    if ('cookie' in authenticator.shown && entry.effect !== 'read') refuseOtherOrigins(core.config.BASE_URL, request)
    if ((entry.access === 'account' || entry.access === 'session') && !isMember(caller))
      fail('permission_denied', 'This is for members who signed in, or their tokens.')
    arrival.caller = caller
    arrival.handed[authenticator.name] = row
    core.uses.note(authenticator, caller, at)
  } catch (thrown) {
    throw challenged(core, thrown, credential, request, at)
  }
}

interface Shown {
  readonly authenticator: Authenticator
  readonly credential: string
  /** Whether it has the form of such credentials. */
  readonly fits: boolean
}

/** The credential of a request: the first that has the form of its kind, else the first of all. */
function shownIn(core: Core, entry: EntryRules, request: Request): Shown | undefined {
  let first: Shown | undefined
  for (const authenticator of entry.credential ? [entry.credential] : core.table.authenticators) {
    if (!isAccepted(authenticator, entry, request.surface)) continue
    const credential = shownTo(authenticator, request, core.config.BASE_URL)
    if (credential === undefined) continue
    const shown = { authenticator, credential, fits: fits(authenticator, credential) }
    if (shown.fits) return shown
    first ??= shown
  }
  return first
}

/** By the declaration and the surface of the request. */
function isAccepted({ taken }: Authenticator, { access, credential }: EntryRules, surface: string): boolean {
  if (credential) return true
  return taken === 'session' ? access === 'session' || surface === 'pages' : taken === 'everywhere' && access !== 'session'
}

/** For operations that want another credential than an API token. */
function wordsFor({ access, credential }: EntryRules): { missing?: string; unknown?: string } {
  if (credential) {
    return {
      missing: `Send a token of the right kind: "Authorization: Bearer ${prefixOf(credential)}…".`,
      unknown: `This is no ${prefixOf(credential)}… token that is known here.`,
    }
  }
  if (access !== 'session') return {}
  return {
    missing: 'Sign in: this is for people, and no API token will do.',
    unknown: 'This session is not known here, or has ended: sign in again.',
  }
}

const prefixOf = ({ shown }: Authenticator): string => ('bearer' in shown ? shown.bearer : '')

/**
 * Browsers send cookies with requests of other sites, too: a write with a cookie must come from our own pages, which
 * the browser states (fetch.spec.whatwg.org/#sec-fetch-site, RFC 6454).
 */
function refuseOtherOrigins(baseUrl: string, request: Request): void {
  const [site, origin] = [request.header('sec-fetch-site'), request.header('origin')]
  const own = origin === undefined ? site === 'same-origin' : URL.canParse(baseUrl) && origin === new URL(baseUrl).origin
  if (!own || (site !== undefined && site !== 'same-origin'))
    fail('permission_denied', `Requests from pages of another origin are refused; this service is at ${baseUrl}.`)
}

/** Counts a failed authentication, and adds a challenge to the error. */
function challenged(core: Core, thrown: unknown, credential: string | undefined, request: Request, at: number): unknown {
  if (!(thrown instanceof Failure) || errors[thrown.code].status !== 401) return thrown
  core.guard.failed(credential, request.ip, at)
  const header = challenge([core.config, request], thrown.code !== 'authentication_required')
  return new Failure(thrown.code, thrown.message, [], { 'WWW-Authenticate': header })
}
