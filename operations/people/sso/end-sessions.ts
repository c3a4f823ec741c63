import type { HandlerServices } from '../../../runtime/table/services.ts'
import { auditPerson } from '../../../runtime/call/audit-entry.ts'
import type { EndpointRequest } from '../../../runtime/table/endpoint.ts'
import { domainOf } from '../../../runtime/values/email.ts'
import type { Db } from '../../../storage/store.ts'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'
import type { SsoRequestRow } from '../../../storage/tables/sso-logins.ts'
import { endSessionsWith } from '../sessions/index.ts'
import { issuerOf } from './requests.ts'

interface EndSessionsOf {
  readonly app: Pick<HandlerServices, 'now' | 'random'>
  readonly request: Pick<EndpointRequest, 'id' | 'ip'>
  readonly row: SsoConfigurationRow
  readonly subject: string
  readonly sessionIndex?: string | undefined
}

/**
 * Ends the sessions that the identity provider of this workspace began for a person; other sessions stay.
 * @param sessionIndex SAML: ends only sessions with this index, and those without one
 */
export async function endSessionsOf(db: Db, { app, request, row, subject, sessionIndex }: EndSessionsOf): Promise<void> {
  const { workspace_id } = row
  const all = await db
    .selectFrom('sso_sessions as i')
    .innerJoin('sessions as s', 's.id', 'i.session_id')
    .innerJoin('sso_identities as k', 'k.account_id', 's.account_id')
    .innerJoin('accounts as a', 'a.id', 's.account_id')
    .select(['s.id', 's.account_id', 'a.email', 'i.name_id'])
    .where('i.workspace_id', '=', workspace_id)
    .where('k.workspace_id', '=', workspace_id)
    .where('k.issuer', '=', issuerOf(row))
    .where('k.subject', '=', subject)
    .execute()
  const sessions = all.filter(({ name_id }) => {
    const own = sessionIndexIn(name_id)
    return own === undefined || sessionIndex === undefined || own === sessionIndex
  })
  const [first] = sessions
  if (!first) return
  await endSessionsWith(
    db,
    sessions.map(({ id }) => id),
  )
  await auditPerson(db, { ...entryOf(app, request), accountId: first.account_id, actor: first.email })
}

interface Trusted {
  readonly status: string | null
  /** Fingerprints of certificates. */
  readonly certificates: readonly string[]
  readonly domains: readonly string[]
}

/**
 * Ends the sessions that a connection began before a change took trust away from it: all if it is active no more or lost a
 * certificate, since a session does not record which one vouched for it; otherwise the sessions of people without a verified domain.
 * The session that makes the change goes on: it has signed in within the last minutes, and its caller may change the trust.
 */
export async function endUntrustedSessions(
  db: Db,
  { workspaceId, before, after, except }: { workspaceId: string; before: Trusted; after: Trusted; except: string },
): Promise<void> {
  const kept = new Set(after.certificates)
  const endsAll =
    (before.status === 'active' && after.status !== 'active') || before.certificates.some(fingerprint => !kept.has(fingerprint))
  const domains = new Set(after.domains)
  if (!endsAll && before.domains.every(domain => domains.has(domain))) return
  const sessions = await db
    .selectFrom('sso_sessions as i')
    .innerJoin('sessions as s', 's.id', 'i.session_id')
    .innerJoin('accounts as a', 'a.id', 's.account_id')
    .select(['s.id', 'a.email'])
    .where('i.workspace_id', '=', workspaceId)
    .where('s.id', '!=', except)
    .execute()
  await endSessionsWith(
    db,
    sessions.filter(({ email }) => endsAll || !domains.has(domainOf(email))).map(({ id }) => id),
  )
}

interface AuditLogout {
  readonly app: Pick<HandlerServices, 'now' | 'random'>
  readonly request: Pick<EndpointRequest, 'id' | 'ip'>
  readonly row: SsoConfigurationRow
}

/** Records that the identity provider has confirmed a logout that began here. */
export async function auditLogout(
  db: Db,
  { app, request, row: { workspace_id } }: AuditLogout,
  { issuer, profile }: SsoRequestRow,
): Promise<void> {
  const { value }: { value?: string } = JSON.parse(profile ?? '{}') // stored as a NameId
  const person = await db
    .selectFrom('sso_identities as k')
    .innerJoin('accounts as a', 'a.id', 'k.account_id')
    .select(['a.id', 'a.email'])
    .where('k.workspace_id', '=', workspace_id)
    .where('k.issuer', '=', issuer)
    .where('k.subject', '=', value ?? '')
    .executeTakeFirst()
  if (person)
    await auditPerson(db, {
      ...entryOf(app, request),
      accountId: person.id,
      actor: person.email,
      workspaceId: workspace_id,
      about: { confirmed: true },
    })
}

const entryOf = (app: Pick<HandlerServices, 'now' | 'random'>, { id, ip }: Pick<EndpointRequest, 'id' | 'ip'>) =>
  ({
    now: app.now(),
    random: app.random,
    request: { id, ip, surface: 'http' },
    operation: 'sso_logout',
    door: 'sso',
    outcome: 'done',
  }) as const

function sessionIndexIn(nameId: string | null): string | undefined {
  if (nameId === null) return undefined
  const { sessionIndex }: { sessionIndex?: string } = JSON.parse(nameId) // stored as a NameId
  return sessionIndex
}
