/** The list of further hosts that short links may redirect to. */
import { Type } from '@sinclair/typebox'
import { fail } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { workspace } from '../../people/workspaces/records.ts'
import { canonicalDomain } from '../../sites/sites/index.ts'
import { ids, LinkHost, linkHost, toLinkHost } from './records.ts'
import { m } from './messages.ts'

/** Largest number of link hosts of a workspace. */
const MAX_HOSTS = 500

export const link_hosts_list = list({
  route: 'GET /workspaces/{workspace_id}/link_hosts',
  summary: 'List hosts that short links may redirect to',
  empty: {
    says: 'Short links lead to your sites. Allow further hosts here, for example a shop on another domain.',
    like: [
      ['shop.example.com', '✓'],
      ['tickets.example.org', '✓'],
    ],
  },
  title: 'Link hosts',
  place: 'integrations',
  description: 'Hosts in addition to the domains of the sites. Oldest first.',
  access: 'analytics.read',
  reach: 'workspace',
  on: workspace,
  effect: 'read',
  input: {},
  of: LinkHost,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, workspace, page }) {
    const all = db.selectFrom('link_hosts').selectAll().where('workspace_id', '=', workspace.id)
    const { rows, total } = await pageOf(all.orderBy('created_at').orderBy('id'), page)
    return { rows: rows.map(toLinkHost), total }
  },
})

export const link_hosts_create = operation({
  route: 'POST /workspaces/{workspace_id}/link_hosts',
  summary: 'Allow short links to a host',
  label: 'Allow a host',
  description: 'Short links may redirect only to the domains of the sites and to these hosts, with and without `www.`.',
  access: 'workspace.manage',
  on: locked(workspace),
  effect: 'create',
  input: {
    host: Type.String({
      format: 'domain',
      maxLength: 300,
      description: 'Host, for example partner.example.com. Subdomains need their own entry.',
    }),
  },
  output: LinkHost,
  examples: [{ input: { workspace_id: '{{workspace}}', host: 'shop.example.com' } }],
  async run({ db, workspace, input, now, newId }) {
    const host = canonicalDomain(input.host) ?? input.host
    const hosts = await db.selectFrom('link_hosts').select('host').where('workspace_id', '=', workspace.id).execute()
    if (hosts.some(row => row.host === host)) fail('already_exists', m.host_listed())
    if (hosts.length >= MAX_HOSTS) fail('limit_reached', m.too_many_hosts({ most: MAX_HOSTS }))
    const row = { id: newId(ids.link_host), workspace_id: workspace.id, host, created_at: now }
    await db.insertInto('link_hosts').values(row).execute()
    return toLinkHost(row)
  },
})

export const link_hosts_delete = operation({
  route: 'DELETE /workspaces/{workspace_id}/link_hosts/{id}',
  summary: 'Remove a host from the list for short links',
  label: 'Remove',
  description: 'Short links to this host return 404 from then on.',
  access: 'workspace.manage',
  on: [workspace, linkHost],
  effect: 'delete',
  input: {},
  output: LinkHost,
  examples: [{ input: { workspace_id: '{{workspace}}', id: '{{link_host}}' } }],
  async run({ db, link_host }) {
    const deleted = await db.deleteFrom('link_hosts').where('id', '=', link_host.id).returningAll().executeTakeFirst()
    return toLinkHost(deleted ?? fail('not_found'))
  },
})
