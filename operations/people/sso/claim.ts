/** Claims to e-mail domains. The workspace must be locked. */
import { fail, failWith, type Fault } from '../../../runtime/table/errors.ts'
import type { IdKind } from '../../../runtime/values/ids.ts'
import type { Db } from '../../../storage/store.ts'
import type { SsoDomainRow } from '../../../storage/tables/sso.ts'
import { readDomain } from './domain-name.ts'
import { ids } from './records.ts'
import { m } from './messages.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'

interface ClaimServices {
  readonly db: Db
  readonly now: number
  newId(kind: IdKind): string
  random(size: number): Buffer
}

export const maxDomains = 50

/** @throws Failure `already_exists` if this workspace claims it already, or another has verified it */
export async function claimDomain(services: ClaimServices, workspaceId: string, text: string): Promise<SsoDomainRow> {
  const { db } = services
  const read = readDomain(text, fieldTerm('domain'))
  if ('wrong' in read) return failWith([{ pointer: '/domain', code: 'invalid_format', message: read.wrong }]) as never
  const { domain } = read
  if (await isOfAnother(db, workspaceId, domain)) fail('already_exists', m.domain_of_another_workspace({ domain }))
  const own = await ownDomains(db, workspaceId)
  if (own.some(each => each.domain === domain)) fail('already_exists', m.domain_in_list({ domain }))
  if (own.length >= maxDomains) fail('limit_reached', m.most_domains({ most: maxDomains }))
  return insert(services, workspaceId, domain)
}

/**
 * Updates the list: claims new domains, and removes verified ones that are missing from it. Keeps unverified ones,
 * because the list that clients read does not contain them.
 */
export async function setDomains(services: ClaimServices, workspaceId: string, wanted: readonly string[]): Promise<void> {
  const { db } = services
  const faults: Fault[] = []
  const domains = new Set<string>()
  for (const [i, text] of wanted.entries()) {
    const field = `domains.${i}`
    const read = readDomain(text, field)
    const wrong =
      'wrong' in read
        ? read.wrong
        : (await isOfAnother(db, workspaceId, read.domain))
          ? m.domain_of_another_workspace({ domain: field })
          : undefined
    if (wrong !== undefined) faults.push({ pointer: `/domains/${i}`, code: 'invalid_format', message: wrong })
    else if ('domain' in read) domains.add(read.domain)
  }
  failWith(faults)
  const own = await ownDomains(db, workspaceId)
  for (const { id, domain, verified_at } of own) {
    if (verified_at !== null && !domains.has(domain)) await db.deleteFrom('sso_domains').where('id', '=', id).execute()
  }
  const fresh = [...domains].filter(domain => !own.some(each => each.domain === domain))
  if (own.filter(({ verified_at }) => verified_at === null).length + domains.size > maxDomains)
    fail('limit_reached', m.most_domains({ most: maxDomains }))
  for (const domain of fresh) await insert(services, workspaceId, domain)
}

export async function isOfAnother(db: Db, workspaceId: string, domain: string): Promise<boolean> {
  const other = await db
    .selectFrom('sso_domains')
    .select('id')
    .where('domain', '=', domain)
    .where('workspace_id', '!=', workspaceId)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  return other !== undefined
}

const ownDomains = (db: Db, workspaceId: string): Promise<SsoDomainRow[]> =>
  db.selectFrom('sso_domains').selectAll().where('workspace_id', '=', workspaceId).execute()

async function insert({ db, now, newId, random }: ClaimServices, workspace_id: string, domain: string): Promise<SsoDomainRow> {
  const row = {
    id: newId(ids.sso_domain),
    workspace_id,
    domain,
    proof: random(16).toString('hex'),
    verified_at: null,
    checked_at: null,
    check_error: null,
    created_at: now,
  }
  await db.insertInto('sso_domains').values(row).execute()
  return row
}
