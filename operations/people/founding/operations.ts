import { Type } from '@sinclair/typebox'
import { operation } from '../../../runtime/operation.ts'
import { Nullable, record } from '../../../runtime/schema.ts'
import { issueToken } from '../tokens/index.ts'
import { toWorkspace, Workspace, workspaceName } from '../workspaces/records.ts'
import { foundWorkspace } from './found.ts'

const NewWorkspace = record(
  'NewWorkspace',
  {
    ...Workspace.properties,
    token: Nullable(Type.String(), {
      description: 'An API token of the new workspace with the permissions of the one used. Shown once.',
    }),
  },
  'A workspace just made, with a token for it.',
)

export const workspaces_create = operation({
  route: 'POST /workspaces',
  summary: 'Create a workspace',
  description: 'The caller becomes its owner. A token reaches one workspace, ' + 'so the answer carries a first token for the new one.',
  access: 'workspace.manage',
  effect: 'create',
  input: { name: workspaceName },
  output: NewWorkspace,
  secrets: ['token'],
  examples: [{ input: { name: 'Second workspace' } }],
  async run({ db, caller, input, now, newId, random }) {
    const { workspace, memberId } = await foundWorkspace(db, { now, newId }, { name: input.name, accountId: caller.member.accountId })
    const { token } = await issueToken(
      db,
      { now, random },
      {
        workspaceId: workspace.id,
        memberId,
        name: 'First token',
        permissions: [...caller.permissions],
      },
    )
    return { ...toWorkspace(workspace), token }
  },
})
