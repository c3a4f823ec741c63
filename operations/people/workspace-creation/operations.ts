import { Type } from '@sinclair/typebox'
import { operation } from '../../../runtime/table/operation.ts'
import { record } from '../../../runtime/table/schema.ts'
import { issueToken, reachOf } from '../tokens/index.ts'
import { toWorkspace, Workspace, workspaceName } from '../workspaces/records.ts'
import { createWorkspace } from './create.ts'
import { m } from './messages.ts'

const NewWorkspace = record(
  'NewWorkspace',
  {
    ...Workspace.properties,
    token: Type.String({
      description: 'An API token of the new workspace, with the permissions, the addresses and the expiry of the one used. Shown once.',
    }),
  },
  'A workspace just made, with a token for it.',
)

export const workspaces_create = operation({
  route: 'POST /workspaces',
  summary: 'Create a workspace',
  done: 'Workspace created.',
  description: 'The caller becomes its owner. A token reaches one workspace, ' + 'so the answer carries a first token for the new one.',
  help: 'You become its owner. It has sites, members and a first API token of its own.',
  access: 'workspace.manage',
  reach: 'workspace',
  effect: 'create',
  denies: ({ caller }) => (caller.signedInBy === undefined ? undefined : m.needs_password_or_passkey()),
  input: { name: workspaceName },
  output: NewWorkspace,
  secrets: ['token'],
  examples: [{ input: { name: 'Second workspace' } }],
  async run({ db, caller, input, now, newId, random }) {
    const { workspace, memberId } = await createWorkspace(db, { now, newId }, { name: input.name, accountId: caller.member.accountId })
    // Its sites are others: a token that is restricted to some cannot come here.
    const grant = { ...reachOf(caller), workspaceId: workspace.id, memberId, name: 'First token' }
    const { token } = await issueToken(db, { now, random }, grant)
    return { ...toWorkspace(workspace), token }
  },
})
