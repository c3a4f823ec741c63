/** Limits the targets of short links to the domains of the workspace's sites and to its link hosts, to prevent misuse of our domain. */
import type { Fault } from '../../../runtime/table/errors.ts'
import type { Db } from '../../../storage/store.ts'
import { canonicalDomain } from '../../sites/sites/index.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

/** Whether a short link may lead to a URL. @param url absolute URL */
export async function isAllowedTarget(db: Db, workspaceId: string, url: string): Promise<boolean> {
  const host = canonicalDomain(new URL(url).host)
  if (host === null) return false
  const sites = db.selectFrom('sites').select('id').where('workspace_id', '=', workspaceId).where('deleted_at', 'is', null)
  if (await sites.where('domain', '=', host).executeTakeFirst()) return true
  const hosts = db.selectFrom('link_hosts').select('id').where('workspace_id', '=', workspaceId)
  return (await hosts.where('host', '=', host).executeTakeFirst()) !== undefined
}

/** @param url valid URL */
export async function hostFaults(db: Db, workspaceId: string, url: string): Promise<Fault[]> {
  if (await isAllowedTarget(db, workspaceId, url)) return []
  const message = m.foreign_host({ field: fieldTerm('url'), host: new URL(url).host })
  return [{ pointer: '/url', code: 'not_in_enum', message }]
}
