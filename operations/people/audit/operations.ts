import { Type } from '@sinclair/typebox'
import { daysInput, instantsOf } from '../../../runtime/table/day-range.ts'
import { list } from '../../../runtime/table/operation.ts'
import { optional } from '../../../runtime/table/schema.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { workspace } from '../workspaces/records.ts'
import { AuditEntry, toAuditEntry } from './records.ts'

export const audit_list = list({
  route: 'GET /workspaces/{workspace_id}/audit',
  summary: 'List who changed what: the audit log',
  title: 'Audit log',
  place: 'audit',
  description: 'Every change in the workspace, newest first.',
  access: 'workspace.manage',
  on: workspace,
  effect: 'read',
  input: {
    operation: optional(
      Type.String({
        maxLength: 100,
        description: 'Only entries of the operation with this id, as an entry shows it; for example `sites_update`.',
      }),
    ),
    actor: optional(Type.String({ maxLength: 254, description: 'Only changes by the member with this e-mail address.' })),
    subject_id: optional(Type.String({ maxLength: 64, description: 'Only changes to the record with this id.' })),
    ...daysInput('Only entries', 'in UTC'),
  },
  of: AuditEntry,
  examples: [
    { input: { workspace_id: '{{workspace}}' } },
    { summary: 'Of one site', input: { workspace_id: '{{workspace}}', subject_id: '{{site}}', from: '2026-03-01' } },
  ],
  async run({ db, workspace, input, page }) {
    const { from, to } = instantsOf(input, 'UTC')
    let query = db.selectFrom('audit_entries').selectAll().where('workspace_id', '=', workspace.id)
    for (const column of ['operation', 'actor', 'subject_id'] as const) {
      const wanted = input[column]
      if (wanted) query = query.where(column, '=', wanted)
    }
    if (from !== undefined) query = query.where('at', '>=', from)
    if (to !== undefined) query = query.where('at', '<', to)
    const { rows, total } = await pageOf(query.orderBy('at', 'desc').orderBy('id', 'desc'), page)
    return { rows: rows.map(toAuditEntry), total }
  },
})
