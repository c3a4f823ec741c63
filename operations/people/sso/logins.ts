/** A sign-in with the identity provider of a workspace, from the request to the session. */
import type { HandlerServices } from '../../../runtime/table/services.ts'
import { auditPerson, auditRefused } from '../../../runtime/call/audit-entry.ts'
import type { EndpointAnswer, EndpointRequest } from '../../../runtime/table/endpoint.ts'
import type { Emit } from '../../../runtime/events/event.ts'
import { type IdKind, makeId } from '../../../runtime/values/ids.ts'
import { ownPath } from '../../../runtime/table/page.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import type { Db } from '../../../storage/store.ts'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'
import type { SsoRequestRow } from '../../../storage/tables/sso-logins.ts'
import { localeBy } from '../account/index.ts'
import type { Mailing } from '../mail/index.ts'
import { sessionShown, startSession } from '../sessions/index.ts'
import { workspace } from '../workspaces/records.ts'
import { lacking } from './change.ts'
import { demandDomain, entered } from './enter.ts'
import { linkIdentity } from './link-identity.ts'
import type { Profile } from './profile.ts'
import { refuse, SsoRefusal } from './reasons.ts'
import { addressesOf, canLink, findConfiguration, statusOf, versionOf } from './records.ts'
import { issuerOf, oidcSecrets } from './requests.ts'
import { save } from './save.ts'
import { mailOwners } from './trust-changes.ts'
import { m } from './messages.ts'
import { fieldTerm, storedSentence } from '../../../runtime/texts/message.ts'

type Machine = Pick<HandlerServices, 'config' | 'use'>

/** Context of encryption: a secret of one workspace cannot be decrypted for another. */
export const secretOf = (workspaceId: string): string => `sso ${workspaceId}`

export async function clientSecret(db: Db, { use }: Pick<HandlerServices, 'use'>, row: SsoConfigurationRow): Promise<string | null> {
  return row.oidc_client_secret === null ? null : use(secretBox).unseal(db, row.oidc_client_secret, secretOf(row.workspace_id))
}

/** Returns the private key of this service for this workspace, PEM; null if there is none. */
export async function signingKey(db: Db, { use }: Pick<HandlerServices, 'use'>, row: SsoConfigurationRow): Promise<string | null> {
  return row.sp_key === null ? null : use(secretBox).unseal(db, row.sp_key, secretOf(row.workspace_id))
}

interface DestinationOf {
  readonly machine: Machine
  readonly row: SsoConfigurationRow
  readonly id: string
  readonly secret: string
}

/** Returns the URL at the identity provider to redirect the browser to. @throws SsoRefusal if the configuration is incomplete, or the discovery fails */
export async function destinationOf(db: Db, { machine, row, id, secret }: DestinationOf): Promise<string> {
  const missing = lacking(row)
  if (missing.length > 0) refuse('incomplete', m.it_lacks({ fields: missing.map(fieldTerm) }))
  const addresses = addressesOf(row.workspace_id, machine.config)
  if (row.protocol === 'saml') return (await import('./saml.ts')).samlUrl(row, addresses, id)
  const { discovered, oidcUrl } = await import('./oidc.ts')
  const found = await discovered(row, await clientSecret(db, machine, row), machine.config)
  return oidcUrl(found, addresses.oidc_redirect_uri, oidcSecrets(id, secret))
}

/** Returns the configuration that a request was sent with. @throws SsoRefusal if it names another identity provider by now */
export async function configurationFor(
  db: Db,
  { request, protocol, now }: { request: SsoRequestRow; protocol: 'saml' | 'oidc'; now: number },
): Promise<SsoConfigurationRow> {
  const row = await findConfiguration(db, request.workspace_id)
  if (!row || row.protocol !== protocol || issuerOf(row) !== request.issuer) return refuse('changed')
  if (request.account_id !== null) {
    // An owner who links trusts the provider that was shown.
    if (request.next !== versionOf(row)) refuse('changed')
    return canLink(row, now) ? row : refuse('inactive')
  }
  const wanted = request.is_test === 1 ? 'testing' : 'active'
  if (statusOf(row, now) !== wanted) refuse(request.is_test === 1 ? 'changed' : 'inactive')
  return row
}

interface Finish {
  readonly asked: EndpointRequest
  readonly request: SsoRequestRow
  readonly protocol: 'saml' | 'oidc'
  readonly profile: Profile
}

/** Finishes what the browser went to the identity provider for: a sign-in, a test, or the link of an owner. */
export async function finish(app: HandlerServices, { asked, request, protocol, profile }: Finish): Promise<EndpointAnswer> {
  const { config, random, store } = app
  const now = app.now()
  const about = { id: asked.id, ip: asked.ip, surface: 'pages', header: asked.header }
  const cookies: string[] = []
  await store.transaction(async db => {
    await workspace.lock?.(db, request.workspace_id)
    const row = await configurationFor(db, { request, protocol, now })
    if (request.is_test === 1) {
      await demandDomain(db, row.workspace_id, profile.email)
      return save(db, { ...row, status: 'tested', tested_at: now, test_error: null, testing_until: null, updated_at: now })
    }
    const newId = (kind: IdKind) => makeId(kind, now, random(14))
    const finishing = { db, now, config, request: about, newId, random, use: app.use, emit: app.emitIn(db, now) }
    if (request.account_id !== null) return linkOwner(finishing, { row, profile, accountId: request.account_id })
    await signIn({ ...finishing, setCookie: line => void cookies.push(line) }, row, profile)
  })
  return { ...onward(endOf(request)), cookies }
}

/** Path of the last page, whatever the outcome. */
function endOf({ is_test, account_id, workspace_id, next }: SsoRequestRow): string {
  if (is_test === 1) return testPath(workspace_id)
  return account_id === null ? (ownPath(next) ?? '/') : linkPath(workspace_id)
}

interface Finishing extends Mailing {
  readonly request: { readonly id: string; readonly ip: string; readonly surface: string; header(name: string): string | undefined }
  readonly emit: Emit
  random(size: number): Buffer
}

async function signIn(finishing: Finishing & { setCookie(line: string): void }, row: SsoConfigurationRow, profile: Profile): Promise<void> {
  const { db } = finishing
  const locale = localeBy(finishing.request.header('accept-language'))
  const { accountId, email, isLinked } = await entered({ ...finishing, locale }, row, profile)
  const { session } = await startSession(finishing, { accountId, method: 'sso', endsAt: profile.endsAt })
  await db
    .insertInto('sso_sessions')
    .values({
      session_id: session.id,
      workspace_id: row.workspace_id,
      name_id: profile.nameId ? JSON.stringify(profile.nameId) : null,
      is_linked: Number(isLinked),
      ends_at: profile.endsAt ?? null,
    })
    .execute()
  const entry = { ...finishing, operation: 'sso_login', accountId, actor: email, door: 'sso', workspaceId: row.workspace_id }
  await auditPerson(db, { ...entry, outcome: 'done', subjectId: session.id })
}

/** @throws SsoRefusal unless the owner who began it is still signed in, and not through an identity provider */
async function linkOwner(
  finishing: Finishing,
  { row, profile, accountId }: { row: SsoConfigurationRow; profile: Profile; accountId: string },
): Promise<void> {
  const { db } = finishing
  const who = await sessionShown(finishing)
  if (who?.accountId !== accountId || who.withoutAccount) return refuse('signed_out')
  await linkIdentity(finishing, { row, profile, accountId })
  const { name } = await db.selectFrom('workspaces').select('name').where('id', '=', row.workspace_id).executeTakeFirstOrThrow()
  const changes = { owner_link: { before: null, after: profile.subject } }
  await mailOwners({ ...finishing, caller: { actor: who.email }, workspace: { id: row.workspace_id, name } }, changes)
  const entry = { ...finishing, operation: 'sso_linked', accountId, actor: who.email, door: 'sso', workspaceId: row.workspace_id }
  await auditPerson(db, { ...entry, outcome: 'done', about: { issuer: issuerOf(row), changes } })
}

/**
 * Reports why a sign-in was refused, to the person and in the audit log; for a test, to the tester.
 * @param request undefined if the sign-in is unknown
 */
export async function refused(
  app: HandlerServices,
  { asked, request, thrown }: { asked: EndpointRequest; request: SsoRequestRow | undefined; thrown: unknown },
): Promise<EndpointAnswer> {
  if (!(thrown instanceof SsoRefusal)) throw thrown
  const { reason, sentence } = thrown
  if (!request) return onward(`/sign-in/sso?error=${reason}`)
  const now = app.now()
  await app.store.transaction(async db => {
    await workspace.lock?.(db, request.workspace_id)
    await auditRefused(db, {
      now,
      random: app.random,
      request: { id: asked.id, ip: asked.ip, surface: 'pages' },
      workspaceId: request.workspace_id,
      operation: request.is_test === 1 ? 'sso_test' : request.account_id === null ? 'sso_login' : 'sso_link',
      actor: 'unknown',
      door: 'sso',
      about: { reason },
    })
    const row = request.is_test === 1 ? await findConfiguration(db, request.workspace_id) : undefined
    if (row && statusOf(row, now) === 'testing' && issuerOf(row) === request.issuer) {
      await save(db, { ...row, status: 'draft', test_error: storedSentence(sentence), testing_until: null, updated_at: now })
    }
  })
  if (request.is_test === 1) return onward(testPath(request.workspace_id))
  return onward(request.account_id === null ? `/sign-in/sso?error=${reason}` : `${linkPath(request.workspace_id)}?error=${reason}`)
}

export const testPath = (workspaceId: string): string => `/workspaces/${workspaceId}/sso/test`
const linkPath = (workspaceId: string): string => `/workspaces/${workspaceId}/sso/link`

export function onward(location: string): EndpointAnswer {
  return { status: 303, headers: { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' } }
}
