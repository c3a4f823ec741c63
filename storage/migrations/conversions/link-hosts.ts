/**
 * Allows the hosts of the existing short links of a workspace that are not domains of its sites, so that every link still
 * leads to its address.
 */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Conversion } from '../step.ts'

export const linkHosts: Conversion = async db => {
  const { rows } = await sql<{ workspace_id: string; url: string; created_at: number }>`
    select s.workspace_id, l.url, l.created_at from campaign_links as l join sites as s on s.id = l.site_id
    order by l.created_at`.execute(db)
  const known = await sql<{ workspace_id: string; domain: string }>`
    select workspace_id, domain from sites where domain is not null and deleted_at is null`.execute(db)
  const there = new Set(known.rows.map(({ workspace_id, domain }) => `${workspace_id} ${domain}`))
  for (const { workspace_id, url, created_at } of rows) {
    if (!URL.canParse(url)) continue
    const host = new URL(url).host.replace(/^www\./, '').replace(/\.(?=:|$)/, '')
    if (there.has(`${workspace_id} ${host}`)) continue
    there.add(`${workspace_id} ${host}`)
    const id = `lho_${randomBytes(12).toString('hex')}`
    await sql`insert into link_hosts (id, workspace_id, host, created_at) values (${id}, ${workspace_id}, ${host}, ${created_at})`.execute(
      db,
    )
  }
}
