/** Setup from the machine itself: an owner, a workspace, a site and a token. Adds, but never overwrites. */
import { auditCommand, type CommandAudited } from '../../../runtime/call/audit-command.ts'
import type { Emit } from '../../../runtime/events/event.ts'
import { type IdKind, makeId } from '../../../runtime/values/ids.ts'
import { type Permission, permissionNames } from '../../../runtime/table/permissions.ts'
import type { Db, Store, Trx } from '../../../storage/store.ts'
import { canonicalZone } from '../../../storage/calendar/zones.ts'
import { findAccount, findOrAddAccount, noteFactors, proveAddress } from '../../people/account/index.ts'
import { createWorkspace } from '../../people/workspace-creation/index.ts'
import { linkPath, makeLink } from '../../people/links/index.ts'
import { issueToken, type TokenGrant } from '../../people/tokens/index.ts'
import { endSessions } from '../../people/sessions/index.ts'
import { endTotp } from '../../people/two-factor/index.ts'
import { addSite, canonicalDomain } from '../../sites/sites/index.ts'

export interface SetUpRequest {
  readonly email: string
  readonly workspace: string
  readonly site: string
  readonly timezone: string
}
export interface SetUp {
  readonly workspace_id: string
  readonly site_id: string
  readonly token: string
  /** Path of the page on which the owner sets a password, valid for 15 minutes. */
  readonly sign_in: string
}
/** The services that a command creates records with. */
export interface CreationServices {
  readonly now: number
  random(size: number): Buffer
  /** Emits in a transaction. @param at the event's time */
  emitIn(trx: Trx, at: number): Emit
}

/** The services of a command within its transaction. */
interface InTransaction extends CreationServices {
  readonly trx: Trx
  readonly emit: Emit
  newId(kind: IdKind): string
  audit(entry: Omit<CommandAudited, 'now' | 'random' | 'actor'>): Promise<void>
}

export async function isEmpty(db: Db): Promise<boolean> {
  return (await db.selectFrom('workspaces').select('id').limit(1).executeTakeFirst()) === undefined
}

/**
 * Finds or creates the requested records, and always creates a new token with every permission.
 * @throws Error with a one-line message
 */
export async function setUp(store: Store, asked: SetUpRequest, services: CreationServices): Promise<SetUp> {
  const domain = canonicalDomain(asked.site)
  const timezone = canonicalZone(asked.timezone)
  if (domain === null) throw new Error(`"${asked.site}" is not a domain name like example.com`)
  if (timezone === null) throw new Error(`"${asked.timezone}" is not an IANA time zone like Europe/Berlin`)
  return store.transaction(async trx => {
    const context = inTransaction(trx, services, 'setup')
    const accountId = await findOrAddAccount(trx, { adding: context, email: asked.email, given: { provedBy: 'mailbox' } })
    await proveAddress({ ...context, db: trx }, accountId, 'mailbox') // the operator of the machine vouches for the address
    const { workspaceId, memberId } = await workspaceOf(context, asked.workspace, accountId)
    const siteId = await siteOf(context, { workspaceId, domain, timezone })
    const { token } = await tokenOf(context, { workspaceId, memberId, name: 'Set-up', permissions: permissionNames })
    const link = await makeLink({ ...context, db: trx }, { kind: 'set_up', accountId })
    return { workspace_id: workspaceId, site_id: siteId, token, sign_in: linkPath(link) }
  })
}

/**
 * Creates another link to set a password, for a person with an account.
 * @returns its path @throws Error if no account has this address
 */
export async function addSignInLink(
  store: Store,
  { email, resetTwoFactor }: { email: string; resetTwoFactor: boolean },
  services: CreationServices,
): Promise<string> {
  return store.transaction(async trx => {
    const account = await findAccount(trx, email)
    if (!account) throw new Error(`No account has the address ${email}`)
    const context = inTransaction(trx, services, 'sign-in-link')
    const members = await trx
      .selectFrom('members')
      .select(['id', 'workspace_id'])
      .where('account_id', '=', account.id)
      .where('awaited_email', 'is', null)
      .execute()
    for (const { id, workspace_id } of members) {
      await context.audit({
        operation: 'passwords_reset',
        workspaceId: workspace_id,
        subjectId: id,
        input: { email: account.email, reset_two_factor: resetTwoFactor },
      })
    }
    if (resetTwoFactor && (await endTotp(trx, account.id))) {
      await noteFactors(trx, account.id, { twoFactor: false })
      await endSessions(trx, account.id)
    }
    return linkPath(await makeLink({ ...context, db: trx }, { kind: 'set_up', accountId: account.id }))
  })
}

export interface Installed {
  readonly id: string
  readonly name: string
  /** E-mail of its first owner; null if it has none. */
  readonly owner: string | null
}

/** The workspaces that are here, oldest first; 50 at most. */
export async function workspacesOf(db: Db): Promise<Installed[]> {
  return db
    .selectFrom('workspaces as w')
    .select(({ selectFrom }) => [
      'w.id',
      'w.name',
      selectFrom('members as m')
        .innerJoin('accounts as a', 'a.id', 'm.account_id')
        .whereRef('m.workspace_id', '=', 'w.id')
        .where('m.role', '=', 'owner')
        .orderBy('m.created_at')
        .limit(1)
        .select('a.email')
        .as('owner'),
    ])
    .orderBy('w.created_at')
    .orderBy('w.id')
    .limit(50)
    .execute()
}

export interface TokenRequest {
  readonly workspace: string
  readonly name: string
  readonly permissions: readonly Permission[]
  readonly siteIds: readonly string[]
  readonly expiresAt: number | null
}

/** Creates another token, owned by the workspace's first owner. @throws Error */
export async function addToken(store: Store, asked: TokenRequest, services: CreationServices): Promise<{ id: string; token: string }> {
  const { workspace: workspaceId, name, permissions, siteIds, expiresAt } = asked
  return store.transaction(async trx => {
    const owner = await trx
      .selectFrom('members')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('role', '=', 'owner')
      .orderBy('created_at')
      .executeTakeFirst()
    if (!owner) throw new Error(`There is no workspace "${workspaceId}" with an owner`)
    for (const site of siteIds) {
      const known = await trx
        .selectFrom('sites')
        .select('id')
        .where('id', '=', site)
        .where('workspace_id', '=', workspaceId)
        .where('domain', 'is not', null)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (!known) throw new Error(`There is no site "${site}" in this workspace`)
    }
    const context = inTransaction(trx, services, 'token')
    return tokenOf(context, { workspaceId, memberId: owner.id, name, permissions, siteIds, expiresAt })
  })
}

function inTransaction(trx: Trx, services: CreationServices, actor: string): InTransaction {
  const { now, random } = services
  return {
    ...services,
    trx,
    emit: services.emitIn(trx, now),
    newId: kind => makeId(kind, now, random(14)),
    audit: entry => auditCommand(trx, { now, random, actor, ...entry }),
  }
}

async function workspaceOf(context: InTransaction, name: string, accountId: string) {
  const known = await context.trx
    .selectFrom('workspaces as w')
    .innerJoin('members as m', 'm.workspace_id', 'w.id')
    .select(['w.id as workspaceId', 'm.id as memberId'])
    .where('w.name', '=', name)
    .where('m.account_id', '=', accountId)
    .executeTakeFirst()
  if (known) return known
  const {
    workspace: { id },
    memberId,
  } = await createWorkspace(context.trx, context, { name, accountId })
  await context.audit({ operation: 'workspaces_create', workspaceId: id, subjectId: id, input: { name } })
  return { workspaceId: id, memberId }
}

async function siteOf(
  context: InTransaction,
  { workspaceId, domain, timezone }: { workspaceId: string; domain: string; timezone: string },
): Promise<string> {
  const known = await context.trx.selectFrom('sites').select(['id', 'workspace_id']).where('domain', '=', domain).executeTakeFirst()
  if (known?.workspace_id === workspaceId) return known.id
  if (known) throw new Error(`The site ${domain} belongs to another workspace`)
  const { id } = await addSite(context.trx, context, {
    workspace_id: workspaceId,
    name: domain,
    domain,
    timezone,
    currency: 'USD',
    public: 0,
    week_start: 1,
    umami_id: null,
  })
  const input = { workspace_id: workspaceId, domain, timezone }
  await context.audit({ operation: 'sites_create', workspaceId, siteId: id, subjectId: id, input })
  return id
}

async function tokenOf(context: InTransaction, grant: TokenGrant): Promise<{ id: string; token: string }> {
  const {
    row: { id },
    token,
  } = await issueToken(context.trx, context, grant)
  const { workspaceId, name, permissions, siteIds = [] } = grant
  const input = { workspace_id: workspaceId, name, permissions, site_ids: siteIds }
  await context.audit({ operation: 'api_tokens_create', workspaceId, subjectId: id, input })
  return { id, token }
}
