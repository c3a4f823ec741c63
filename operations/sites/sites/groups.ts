/** Groups: sites of kind `group`, whose reports cover several sites together. */
import { Type } from '@sinclair/typebox'
import { confirmed, confirmInput } from '../../../runtime/table/confirmation.ts'
import { fail, failWith, type Fault } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { Id, Name, optional } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { countOf, pageOf } from '../../../storage/sql/page.ts'
import type { Db } from '../../../storage/store.ts'
import { workspace } from '../../people/workspaces/records.ts'
import { site_created } from './events.ts'
import { groupRecords, SiteGroup, siteGroup } from './group-records.ts'
import { asLive, MAX_MEMBERS, NO_CURRENCY } from './live-site.ts'
import { m } from './messages.ts'
import { ids, site, toSite } from './records.ts'
import { retire } from './retire.ts'

/** Groups of a workspace. */
const MAX_GROUPS = 100

const fields = {
  name: Name({ maxLength: 253, description: 'Name in lists and reports.' }),
  site_ids: Type.Array(Id({ description: 'A site of the workspace.' }), {
    minItems: 1,
    maxItems: MAX_MEMBERS,
    uniqueItems: true,
    description: 'The sites of the group. A site may be in several groups, but a group cannot be in another one.',
  }),
}

export const site_groups_list = list({
  route: 'GET /workspaces/{workspace_id}/site_groups',
  summary: 'List groups of sites',
  title: 'Groups of sites',
  place: 'general',
  help: 'Reports of several sites together. The group of all sites is there without being created.',
  description:
    'Each group has an id that reports, dashboards, alerts, e-mail reports and shared links take instead of the id of a site. The group of ' +
    'all sites of the workspace is there without being created. Tokens that are restricted to sites see no groups.',
  access: 'analytics.read',
  reach: 'workspace',
  on: workspace,
  effect: 'read',
  input: {},
  of: SiteGroup,
  actAs: site,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, workspace, page }) {
    const query = db
      .selectFrom('sites')
      .selectAll()
      .where('workspace_id', '=', workspace.id)
      .where('kind', '<>', 'site')
      .where('deleted_at', 'is', null)
      .orderBy('kind')
      .orderBy('name')
      .orderBy('id')
    const { rows, total } = await pageOf(query, page)
    return { rows: await groupRecords(db, rows), total }
  },
})

export const site_groups_create = operation({
  route: 'POST /workspaces/{workspace_id}/site_groups',
  summary: 'Create a group of sites: reports of several sites together',
  label: 'Create a group',
  access: 'sites.manage',
  reach: 'workspace',
  on: locked(workspace),
  effect: 'create',
  input: fields,
  output: SiteGroup,
  examples: [{ input: { workspace_id: '{{workspace}}', name: 'Shops', site_ids: ['{{site}}'] } }],
  async run({ db, workspace, input, now, newId, emit }) {
    await refuseUnknown(db, workspace.id, input.site_ids)
    const groups = db.selectFrom('sites').where('workspace_id', '=', workspace.id).where('kind', '=', 'group')
    if ((await countOf(groups.where('deleted_at', 'is', null))) >= MAX_GROUPS) fail('limit_reached', m.most_groups({ limit: MAX_GROUPS }))
    const id = newId(ids.site)
    const made = await db
      .insertInto('sites')
      .values({ ...noSettings, id, kind: 'group', workspace_id: workspace.id, name: input.name, created_at: now, deleted_at: null })
      .returningAll()
      .executeTakeFirstOrThrow()
    await setMembers(db, id, input.site_ids)
    const group = (await asLive(db, made)) ?? fail('not_found')
    await emit(site_created, { workspaceId: workspace.id, siteId: id, data: toSite(group) })
    return (await groupRecords(db, [made]))[0] ?? fail('not_found')
  },
})

export const site_groups_get = operation({
  route: 'GET /site_groups/{id}',
  summary: 'Get a group of sites and its members',
  title: 'Group',
  access: 'analytics.read',
  on: siteGroup,
  groups: true,
  effect: 'read',
  input: {},
  output: SiteGroup,
  examples: [{ input: { id: '{{site_group}}' } }],
  run: async ({ db, site_group }) => (await groupRecords(db, [site_group]))[0] ?? fail('not_found'),
})

export const site_groups_update = operation({
  route: 'PATCH /site_groups/{id}',
  summary: 'Change the name or the members of a group of sites',
  label: 'Change the group',
  description:
    'Reports of the past change as well: they always cover the present members. Requires `analytics.read`, because shared links and ' +
    'e-mail reports of the group then show these sites.',
  help: 'Reports of the past change as well: they always cover the present members.',
  access: 'sites.manage',
  needs: ['analytics.read'],
  on: locked(siteGroup),
  groups: true,
  offered: { kind: ['group'] },
  effect: 'update',
  input: { name: optional(fields.name), site_ids: optional(fields.site_ids) },
  output: SiteGroup,
  examples: [{ input: { id: '{{site_group}}', name: 'Shops in Europe' } }],
  async run({ db, site_group, input }) {
    if (site_group.kind === 'all') fail('invalid_state', m.all_sites_is_fixed())
    if (input.site_ids) {
      await refuseUnknown(db, site_group.workspace_id, input.site_ids)
      await setMembers(db, site_group.id, input.site_ids)
    }
    const changed = await db
      .updateTable('sites')
      .set({ id: site_group.id, name: input.name })
      .where('id', '=', site_group.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return (await groupRecords(db, [changed]))[0] ?? fail('not_found')
  },
})

export const site_groups_delete = operation({
  route: 'DELETE /site_groups/{id}',
  summary: 'Delete a group of sites, not the sites',
  label: 'Delete the group',
  description: 'Its dashboard cards, alerts and links are deleted with it. Its sites and their data stay as they are.',
  access: 'sites.manage',
  on: locked(siteGroup),
  groups: true,
  offered: { kind: ['group'] },
  effect: 'delete',
  input: { confirm: confirmInput('The name of the group') },
  output: SiteGroup,
  examples: [{ input: { id: '{{site_group}}', confirm: 'All of them' } }],
  async run({ db, site_group, input, now, emit }) {
    if (site_group.kind === 'all') fail('invalid_state', m.all_sites_is_fixed())
    confirmed(input.confirm, [site_group.name], m.name_of_group())
    const [record] = await groupRecords(db, [site_group])
    return record && (await retire(db, { now, emit }, site_group)) ? record : fail('not_found')
  },
})

/** Columns that mean nothing for a group. */
const noSettings = { domain: null, timezone: 'UTC', currency: NO_CURRENCY, public: 0, week_start: 1, umami_id: null } as const

async function setMembers(db: Db, group: string, siteIds: readonly string[]): Promise<void> {
  await db.deleteFrom('group_sites').where('group_id', '=', group).execute()
  await db
    .insertInto('group_sites')
    .values(siteIds.map(site_id => ({ group_id: group, site_id })))
    .execute()
}

/** Ids of groups, and of sites elsewhere, answer as unknown ones do. */
async function refuseUnknown(db: Db, workspaceId: string, wanted: readonly string[]): Promise<void> {
  // Selected by workspace, because ids from outside may contain characters that a database refuses.
  const rows = await db
    .selectFrom('sites')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('domain', 'is not', null)
    .where('deleted_at', 'is', null)
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  failWith(
    wanted.flatMap((id, i): Fault[] =>
      known.has(id) ? [] : [{ pointer: `/site_ids/${i}`, code: 'not_found', message: m.no_such_site() }],
    ),
  )
}
