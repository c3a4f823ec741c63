import { list } from '../../../runtime/table/operation.ts'
import { Id, OneOf, optional } from '../../../runtime/table/schema.ts'
import { restorableMs } from '../../../runtime/table/restoring.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { workspace } from '../../people/workspaces/records.ts'
import { kindNames, kinds } from './kinds.ts'
import { DeletedRecord, toDeletedRecord } from './records.ts'

const tables = Object.entries(kinds)

export const deleted_records_list = list({
  route: 'GET /workspaces/{workspace_id}/deleted',
  summary: 'List recently deleted records, which can be restored',
  empty: {
    says: 'What you delete stays here for 30 days and can be restored: goals, segments, funnels, notes, dashboards, links, alerts, checks.',
    like: [
      ['Signup', '30 d'],
      ['Mornings', '12 d'],
    ],
  },
  title: 'Recently deleted',
  place: 'general',
  description:
    'Goals, segments, funnels, notes, dashboards, shared links, alerts and uptime checks that were deleted in the last 30 days, newest first. ' +
    'Restore one with the operation in `restore`. A token restricted to sites sees only records of those sites.',
  help: 'Goals, segments, funnels, notes, dashboards, shared links, alerts and uptime checks of the last 30 days.',
  access: 'analytics.read',
  on: workspace,
  effect: 'read',
  input: {
    kind: optional(OneOf(kindNames, { description: 'Only records of this kind.' })),
    site_id: optional(Id({ description: 'Only records of this site.' })),
  },
  of: DeletedRecord,
  examples: [
    { input: { workspace_id: '{{workspace}}' } },
    { summary: 'Goals of a site', input: { workspace_id: '{{workspace}}', kind: 'goal', site_id: '{{site}}' } },
  ],
  async run({ db, workspace, caller, input, page, now }) {
    const wanted = tables.filter(([, { kind }]) => input.kind === undefined || kind === input.kind).map(([table]) => table)
    let query = db
      .selectFrom('deleted_records')
      .selectAll()
      .where('workspace_id', '=', workspace.id)
      .where('deleted_at', '>', now - restorableMs)
      .where('of', 'in', wanted)
    if (caller.siteIds.length > 0) query = query.where('site_id', 'in', [...caller.siteIds])
    if (input.site_id) query = query.where('site_id', '=', input.site_id)
    const { rows, total } = await pageOf(query.orderBy('deleted_at', 'desc').orderBy('id', 'desc'), page)
    return { rows: rows.flatMap(toDeletedRecord), total }
  },
})
