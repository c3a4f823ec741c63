/** Finds the caller: the credential of the request, its row, and the `Caller` of that row. */
import type { Awaitable } from '../../storage/values/awaitable.ts'
import { fits, hashCredential, shownTo } from './credentials.ts'
import type { Authenticator, Request } from '../table/authenticator.ts'
import { isMember } from '../table/caller.ts'
import { challenge } from './challenge.ts'
import { errors, fail, Failure } from '../table/errors.ts'
import type { Arrival, Core, EntryRules } from './call.ts'
import type { Together } from './shared-reads.ts'
import type { Message } from '../texts/message.ts'
import { m } from './messages.ts'

/** @throws Failure 401 for a missing or invalid credential, 403 `ip_not_allowed`, 429 after too many failures */
export async function authenticate(arrival: Arrival): Promise<void> {
  const { core, request, entry, at } = arrival
  const shared = entry.effect === 'read' && !entry.credential ? request.together : undefined
  const known = shared?.authenticated
  if (known && entry.access !== 'public' && isAccepted(known.authenticator, entry, request.surface)) return accept(arrival, known)
  if (entry.ownOrigin) refuseOtherOrigins(core.config.BASE_URL, request)
  if (entry.access === 'public' && !entry.credential) return
  const shown = shownIn(core, entry, request)
  if (entry.access === 'optional' && shown === undefined) return
  core.guard.refuse(shown?.credential, request.ip, at)
  try {
    const found = rowOf(arrival, shown)
    const authenticated = authenticatedBy(arrival, shown, found instanceof Promise ? await found : found)
    accept(arrival, authenticated)
    core.uses.note(authenticated.authenticator, authenticated.caller, at)
    if (shared) shared.authenticated = authenticated
  } catch (thrown) {
    if (isUnauthenticated(thrown)) await core.guard.failed(shown?.credential, request.ip, at)
    throw withChallenge(arrival, thrown)
  }
}

/**
 * Authenticates a caller again, with its current rights. A failure is not counted, because no token is being guessed. The rows for
 * `run` stay, because a subject may have the name of the credential.
 * @throws Failure as `authenticate`
 */
export async function authenticateAgain(arrival: Arrival): Promise<void> {
  const { core, request, entry, caller } = arrival
  if (!caller) return
  const shown = shownIn(core, entry, request)
  try {
    arrival.caller = authenticatedBy(arrival, shown, await rowOf(arrival, shown)).caller
  } catch (thrown) {
    throw withChallenge(arrival, thrown)
  }
}

/** The row of a credential; undefined if there is none, or it does not have the form of its kind. */
function rowOf({ core, db, at }: Arrival, shown: Shown | undefined): Awaitable<unknown> {
  return shown?.fits ? shown.authenticator.find(db, hashCredential(shown.credential), { now: at, config: core.config }) : undefined
}

/** The caller for the row of a credential. @throws Failure 401, or as the kind of credential says */
function authenticatedBy({ core, request, entry }: Arrival, shown: Shown | undefined, row: unknown): Authenticated {
  if (shown === undefined) fail('authentication_required', wordsFor(entry).missing)
  if (row === undefined) fail('invalid_token', wordsFor(entry).unknown)
  const { authenticator } = shown
  const caller = authenticator.callerOf(row, request)
  if ('cookie' in authenticator.sentAs && entry.effect !== 'read') refuseOtherOrigins(core.config.BASE_URL, request)
  return { authenticator, row, caller }
}

type Authenticated = NonNullable<Together['authenticated']>

/** @throws Failure `permission_denied` if the operation is only for members */
function accept(arrival: Arrival, { authenticator, row, caller }: Authenticated): void {
  const { access } = arrival.entry
  if ((access === 'account' || access === 'session') && !isMember(caller)) fail('permission_denied', m.for_members())
  arrival.caller = caller
  arrival.handed[authenticator.name] = row
}

interface Shown {
  readonly authenticator: Authenticator
  readonly credential: string
  /** Whether it has the form of such credentials. */
  readonly fits: boolean
}

/** The credential of a request: the first with the form of its kind, otherwise the first of all. */
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
function isAccepted({ acceptedBy }: Authenticator, { access, credential }: EntryRules, surface: string): boolean {
  if (credential) return true
  return acceptedBy === 'pages' ? access === 'session' || surface === 'pages' : acceptedBy === 'everywhere' && access !== 'session'
}

/** For operations that want another credential than an API token. */
function wordsFor({ access, credential }: EntryRules): { missing?: Message; unknown?: Message } {
  if (credential) {
    return {
      missing: m.send_token({ prefix: prefixOf(credential) }),
      unknown: m.unknown_token({ prefix: prefixOf(credential) }),
    }
  }
  if (access !== 'session') return {}
  return {
    missing: m.for_people(),
    unknown: m.session_ended(),
  }
}

const prefixOf = ({ sentAs }: Authenticator): string => ('bearer' in sentAs ? sentAs.bearer : '')

/**
 * A write with a cookie must come from our own pages, because browsers send cookies with requests of other sites, too. The
 * browser states the origin (fetch.spec.whatwg.org/#sec-fetch-site, RFC 6454).
 */
function refuseOtherOrigins(baseUrl: string, request: Request): void {
  if (!isOwnOrigin(baseUrl, request)) fail('permission_denied', m.another_origin({ address: baseUrl }))
}

export function isOwnOrigin(baseUrl: string, request: Pick<Request, 'header'>): boolean {
  const [site, origin] = [request.header('sec-fetch-site'), request.header('origin')]
  const own = origin === undefined ? site === 'same-origin' : URL.canParse(baseUrl) && origin === new URL(baseUrl).origin
  return own && (site === undefined || site === 'same-origin')
}

const isUnauthenticated = (thrown: unknown): thrown is Failure => thrown instanceof Failure && errors[thrown.code].status === 401

/** Adds a challenge to the error of a failed authentication. */
function withChallenge({ core, request }: Arrival, thrown: unknown): unknown {
  if (!isUnauthenticated(thrown)) return thrown
  const header = challenge([core.config, request], thrown.code !== 'authentication_required')
  return new Failure(thrown.code, thrown.sentence, { headers: { 'WWW-Authenticate': header } })
}
