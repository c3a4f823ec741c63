/** The first steps from the machine itself: an owner, a workspace, a site and a token. Adds, never overwrites. */
import { makeId, type IdKind } from '../../../runtime/ids.ts'
import { type Permission, permissionNames } from '../../../runtime/permissions.ts'
import type { Db, Store, Trx } from '../../../storage/store.ts'
import { canonicalZone } from '../../../storage/zones.ts'
import { issueToken } from '../../people/tokens/issue.ts'
import { canonicalDomain } from '../../sites/sites/domain.ts'

export interface Wish {
  readonly email: string
  readonly workspace: string
  readonly site: string
  readonly timezone: string
}
export interface SetUp {
  readonly workspace_id: string
  readonly site_id: string
  readonly token: string
}
export interface Chance {
  readonly now: number
  random(size: number): Buffer
}

export async function isEmpty(db: Db): Promise<boolean> {
  return (await db.selectFrom('workspaces').select('id').limit(1).executeTakeFirst()) === undefined
}

/**
 * Finds or makes what is wished for, and always makes a new token with every permission.
 * @throws Error with one clear line where a wish cannot be met
 */
export async function setUp(store: Store, wish: Wish, chance: Chance): Promise<SetUp> {
  const domain = canonicalDomain(wish.site)
  const timezone = canonicalZone(wish.timezone)
  if (domain === null) throw new Error(`"${wish.site}" is no domain name like example.com`)
  if (timezone === null) throw new Error(`"${wish.timezone}" is no IANA time zone like Europe/Berlin`)
  return store.transaction(async trx => {
    const id = (kind: IdKind) => makeId(kind, chance.now, chance.random(14))
    const accountId = await account(trx, wish.email.toLowerCase(), id('account'), chance.now)
    const { workspaceId, memberId } = await workspaceOf(trx, wish.workspace, accountId, id, chance.now)
    const siteId = await siteOf(trx, { id: id('site'), workspaceId, domain, timezone, now: chance.now })
    const { token } = await issueToken(trx, chance, { workspaceId, memberId, name: 'Set-up', permissions: permissionNames })
    return { workspace_id: workspaceId, site_id: siteId, token }
  })
}

/** Another token, owned by the workspace's first owner. @throws Error */
export async function addToken(store: Store, wish: { workspace: string; name: string; permissions: readonly Permission[]; siteIds: readonly string[]; expiresAt: number | null }, chance: Chance): Promise<{ id: string; token: string }> {
  return store.transaction(async trx => {
    const owner = await trx.selectFrom('members').select('id').where('workspace_id', '=', wish.workspace).where('role', '=', 'owner').orderBy('created_at').executeTakeFirst()
    if (!owner) throw new Error(`There is no workspace "${wish.workspace}" with an owner`)
    for (const site of wish.siteIds) {
      const known = await trx.selectFrom('sites').select('id').where('id', '=', site).where('workspace_id', '=', wish.workspace).where('deleted_at', 'is', null).executeTakeFirst()
      if (!known) throw new Error(`There is no site "${site}" in this workspace`)
    }
    const { row, token } = await issueToken(trx, chance, { workspaceId: wish.workspace, memberId: owner.id, name: wish.name, permissions: wish.permissions, siteIds: wish.siteIds, expiresAt: wish.expiresAt })
    return { id: row.id, token }
  })
}

async function account(trx: Trx, email: string, id: string, now: number): Promise<string> {
  const known = await trx.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirst()
  if (known) return known.id
  await trx.insertInto('accounts').values({
    id, email, unconfirmed_email: null, name: null, theme: 'system', default_landing: 'sites', locale: 'en', timezone: null,
    shortcuts_enabled: 1, reduce_motion: 0, product_emails: 1, newsletter: 0, marketing_emails: 1, two_factor: 0, passkeys: 0, created_at: now,
  }).execute()
  return id
}

async function workspaceOf(trx: Trx, name: string, accountId: string, id: (kind: IdKind) => string, now: number) {
  const known = await trx.selectFrom('workspaces as w').innerJoin('members as m', 'm.workspace_id', 'w.id')
    .select(['w.id as workspaceId', 'm.id as memberId']).where('w.name', '=', name).where('m.account_id', '=', accountId).executeTakeFirst()
  if (known) return known
  const made = { workspaceId: id('workspace'), memberId: id('member') }
  await trx.insertInto('workspaces').values({ id: made.workspaceId, name, created_at: now }).execute()
  await trx.insertInto('members').values({ id: made.memberId, workspace_id: made.workspaceId, account_id: accountId, role: 'owner', active: 1, created_at: now }).execute()
  return made
}

async function siteOf(trx: Trx, { id, workspaceId, domain, timezone, now }: { id: string; workspaceId: string; domain: string; timezone: string; now: number }): Promise<string> {
  const known = await trx.selectFrom('sites').select(['id', 'workspace_id']).where('domain', '=', domain).executeTakeFirst()
  if (known?.workspace_id === workspaceId) return known.id
  if (known) throw new Error(`The site ${domain} belongs to another workspace`)
  await trx.insertInto('sites').values({ id, workspace_id: workspaceId, name: domain, domain, timezone, currency: 'USD', public: 0, week_start: 1, umami_id: null, created_at: now, deleted_at: null }).execute()
  return id
}
