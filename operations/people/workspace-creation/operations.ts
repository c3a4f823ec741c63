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
      description:
        'API token of the new workspace, with the permissions, addresses and expiry of the calling token. Only this response contains it.',
    }),
  },
  'A new workspace, with a token for it.',
)

export const workspaces_create = operation({
  route: 'POST /workspaces',
  summary: 'Create a workspace',
  done: 'Workspace created.',
  description: 'Makes the caller its owner. A token belongs to one workspace, so the response contains a first token for the new one.',
  help: 'You become its owner. It has its own sites and members, and a first API token.',
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
    // The new workspace has other sites, so a token that is restricted to sites cannot call this.
    const grant = { ...reachOf(caller), workspaceId: workspace.id, memberId, name: 'First token' }
    const { token } = await issueToken(db, { now, random }, grant)
    return { ...toWorkspace(workspace), token }
  },
})
