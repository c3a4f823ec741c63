/** `caller_get` returns the owner, the workspace and the rights of the credential. `footfall whoami` shows it. */
import { Type } from '@sinclair/typebox'
import { operation } from '../../../runtime/table/operation.ts'
import { DateTime, iso, Nullable, PermissionName, record } from '../../../runtime/table/schema.ts'

const Caller = record(
  'Caller',
  {
    server: Type.String({ description: 'Address of the installation (`BASE_URL`).' }),
    email: Type.String({ description: 'E-mail address of the member who owns the credential.' }),
    name: Type.String({ description: 'Display name of the member; otherwise, the e-mail address.' }),
    workspace_id: Nullable(Type.String(), { description: 'Workspace of the credential. Null for a user who is a member of none.' }),
    workspace_name: Nullable(Type.String(), { description: 'Name of that workspace.' }),
    role: Type.String({ description: 'Role of the member in the workspace.' }),
    credential: Type.String({
      description: 'Kind of the credential: `api_token`, `oauth` (a connected client) or `session`.',
    }),
    permissions: Type.Array(PermissionName(), {
      description: 'Permissions of the credential, if the role of the member allows them, too.',
    }),
    site_ids: Type.Array(Type.String(), { description: 'Sites that the credential is restricted to. Empty: all.' }),
    allowed_ips: Type.Array(Type.String(), {
      description: 'IP addresses and CIDR ranges that the credential is accepted from. Empty: any.',
    }),
    expires_at: Nullable(DateTime(), { description: 'When the credential expires. Null: never.' }),
  },
  'The caller: a member, their workspace, and the rights of the credential.',
)

export const caller_get = operation({
  route: 'GET /caller',
  summary: 'Get the caller',
  title: 'Your access',
  help: 'Your account, this workspace, and your permissions in it.',
  description: 'The member who owns the credential, their workspace, the permissions of this call, and the address of the installation.',
  access: 'account',
  effect: 'read',
  surfaces: ['http', 'mcp'],
  input: {},
  output: Caller,
  examples: [{ input: {} }],
  async run({ db, config, caller }) {
    const workspace = await db.selectFrom('workspaces').select('name').where('id', '=', caller.workspaceId).executeTakeFirst()
    return {
      server: config.BASE_URL,
      email: caller.member.email,
      name: caller.member.name,
      workspace_id: workspace ? caller.workspaceId : null,
      workspace_name: workspace?.name ?? null,
      role: caller.member.role,
      credential: caller.kind,
      permissions: [...caller.permissions].sort(),
      site_ids: [...caller.siteIds],
      allowed_ips: [...caller.allowedIps],
      expires_at: iso(caller.expiresAt),
    }
  },
})
