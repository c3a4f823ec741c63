import { roleNames } from '../../../runtime/table/permissions.ts'
import { list } from '../../../runtime/table/operation.ts'
import { workspace } from '../workspaces/records.ts'
import { Role, toRole } from './records.ts'

export const roles_list = list({
  route: 'GET /workspaces/{workspace_id}/roles',
  summary: 'List roles and what each may do',
  title: 'Roles',
  place: 'people',
  description: 'Roles that a member can have, starting with the most powerful one.',
  access: 'member',
  on: workspace,
  effect: 'read',
  input: {},
  of: Role,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  run: async ({ page: { offset, limit } }) => ({ rows: roleNames.slice(offset, offset + limit).map(toRole), total: roleNames.length }),
})
