import { Type } from '@sinclair/typebox'
import { fail, failWith, type Fault } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { effectivePermissions } from '../../../runtime/table/permissions.ts'
import { Id, OneOf, optional, PermissionName, record } from '../../../runtime/table/schema.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { reachFaults, revokeToken } from '../tokens/index.ts'
import { workspace } from '../workspaces/records.ts'
import { makeCode } from './codes.ts'
import { ClientFault } from './fault.ts'
import { keepClient } from './grants.ts'
import { ConnectedClient, connected, connected_client, toConnectedClient } from './records.ts'
import { answerUrl } from './redirect.ts'
import { readRequest } from './request.ts'
import { m } from './messages.ts'
import type { Message } from '../../../runtime/texts/message.ts'

const parameter = (description: string) => Type.String({ minLength: 1, maxLength: 2_000, description })
/** Largest number of sites that a token can be restricted to. */
const maxSites = 500

const Authorization = record(
  'OAuthAuthorization',
  {
    workspace_id: Type.String({ description: 'The workspace of the decision.' }),
    redirect_to: Type.String({
      description: 'URL to send the browser to: the redirect URI of the client, with a code or with `access_denied`.',
    }),
  },
  'The answer to an authorization request.',
)

export const oauth_authorize = operation({
  route: 'POST /oauth/authorize',
  summary: 'Let an OAuth client in, or not',
  done: 'Request of a client answered.',
  description:
    'Answers an authorization request (RFC 6749 §4.1) with the decision of a person on the consent page, `GET /oauth/authorize`. Grants ' +
    'no more than the client requested and the role of the member allows. The code in the response is valid once, for a minute.',
  access: 'session',
  effect: 'create',
  input: {
    client_id: parameter('Id of the client, or the URL of its metadata document.'),
    redirect_uri: parameter('Redirect URI of the client, exactly as registered; on loopback, any port.'),
    response_type: OneOf(['code'], { description: 'The only supported type.' }),
    code_challenge: Type.String({ minLength: 43, maxLength: 43, description: 'S256 of the verifier of the client (RFC 7636).' }),
    code_challenge_method: OneOf(['S256'], { description: 'The only supported method.' }),
    state: optional(parameter('Returned to the client unchanged.')),
    scope: optional(parameter('Permissions that the client requests, separated by spaces.')),
    resource: optional(parameter('Resource that the token is for: the URL of the service, or of `/mcp` (RFC 8707).')),
    decision: OneOf(['allow', 'deny'], { description: 'Whether to connect the client.' }),
    workspace_id: Id({ description: 'The workspace to connect the client to.' }),
    permissions: Type.Array(PermissionName(), { default: [], maxItems: 100, description: 'The requested permissions to grant.' }),
    sites: OneOf(['all', 'some'], { default: 'all', description: 'All sites, including later ones, or only those in `site_ids`.' }),
    site_ids: Type.Array(Id({ description: 'A site.' }), {
      default: [],
      maxItems: maxSites,
      description: 'The sites, with `sites` set to `some`.',
    }),
  },
  output: Authorization,
  secrets: ['redirect_to'],
  form: { page: 'GET /oauth/authorize', after: ({ redirect_to }: { redirect_to: string }) => redirect_to },
  examples: [
    {
      input: {
        client_id: '{{oauth_client}}',
        redirect_uri: 'https://client.example.com/callback',
        response_type: 'code',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
        decision: 'allow',
        workspace_id: '{{workspace}}',
        permissions: ['analytics.read'],
      },
    },
  ],
  async prepare({ input, store, config, use, now, caller }) {
    try {
      const asked = await readRequest({ store, config, use, now, accountId: caller.member.accountId }, input)
      return 'error' in asked ? fail('validation_failed', asked.message) : { asked }
    } catch (thrown) {
      throw thrown instanceof ClientFault ? failure([{ pointer: '/client_id', code: 'invalid_format', message: thrown.sentence }]) : thrown
    }
  },
  async run({ asked, input, caller, ...services }) {
    const { db, now, config } = services
    const { client, redirectUri } = asked
    const as = caller.elsewhere?.get(input.workspace_id)
    if (!as?.member) return failure([{ pointer: '/workspace_id', code: 'not_found', message: m.no_such_workspace() }])
    const answer = { state: input.state, iss: config.BASE_URL }
    const redirectWith = (answers: Readonly<Record<string, string | undefined>>) => ({
      workspace_id: as.workspaceId,
      redirect_to: answerUrl(redirectUri, { ...answers, ...answer }),
    })
    if (input.decision === 'deny') return redirectWith({ error: 'access_denied' })
    const { permissions: chosen, sites, site_ids } = input
    const siteIds = sites === 'all' ? [] : site_ids
    const permissions = [...effectivePermissions(chosen, as.member.role, siteIds)]
    failWith([
      ...(permissions.length === 0 ? [fault('/permissions', 'too_short', m.choose_permissions())] : []),
      ...chosen.flatMap((name, i) =>
        asked.permissions.includes(name) && as.permissions.has(name)
          ? []
          : [fault(`/permissions/${i}`, 'permission_required', m.not_asked_for({ name }))],
      ),
      ...(sites === 'some' && site_ids.length === 0 ? [fault('/site_ids', 'too_short', m.choose_sites())] : []),
      ...(await reachFaults(db, { caller: as, asked: { permissions: [], siteIds, allowedIps: [], expiresAt: null }, now })),
    ])
    const code = await makeCode(services, {
      client_id: client.id,
      client_name: client.name,
      redirect_uri: redirectUri,
      challenge: asked.challenge,
      resource: asked.resource,
      member_id: as.member.memberId,
      permissions: JSON.stringify(permissions),
      site_ids: JSON.stringify(siteIds),
      by_sso: Number(caller.signedInBy === as.workspaceId),
    })
    await keepClient({ db, now }, client.id)
    return redirectWith({ code })
  },
})

const fault = (pointer: string, code: Fault['code'], message: Message): Fault => ({ pointer, code, message })

function failure(faults: readonly Fault[]): never {
  failWith(faults)
  return fail('validation_failed')
}

export const connected_clients_list = list({
  route: 'GET /workspaces/{workspace_id}/connected_clients',
  summary: 'List connected OAuth clients',
  empty: {
    says: 'Programs and AI assistants that you connect by signing in appear here, and can be disconnected.',
    like: [
      ['Claude', 'MCP'],
      ['Cursor', 'MCP'],
    ],
  },
  title: 'Connected clients',
  place: 'programs',
  description: 'OAuth clients that members have connected, newest first: your own, and with tokens.manage those of all members.',
  help: 'Programs that members have connected to read and change data here.',
  access: 'member',
  on: workspace,
  reach: 'workspace',
  effect: 'read',
  input: {},
  of: ConnectedClient,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, workspace, caller, now, page }) {
    let query = connected(db, now).where('t.workspace_id', '=', workspace.id)
    if (!caller.permissions.has('tokens.manage')) query = query.where('t.member_id', '=', caller.member?.memberId ?? '')
    const { rows, total } = await pageOf(query.orderBy('g.created_at', 'desc').orderBy('t.id'), page)
    return { rows: rows.map(toConnectedClient), total }
  },
})

export const connected_clients_delete = operation({
  route: 'DELETE /workspaces/{workspace_id}/connected_clients/{id}',
  summary: 'Disconnect an OAuth client',
  done: 'OAuth client disconnected.',
  description:
    'Footfall refuses its requests from then on, and it cannot renew its token. Applies to your own apps, and with tokens.manage to those of any member.',
  help: 'Footfall refuses its requests from then on.',
  access: 'member',
  on: [workspace, connected_client],
  reach: 'workspace',
  effect: 'delete',
  input: {},
  output: ConnectedClient,
  examples: [{ input: { workspace_id: '{{workspace}}', id: '{{connected_client}}' } }],
  async run({ db, caller, connected_client, now }) {
    const isOwn = connected_client.member_id === caller.member.memberId
    if (!isOwn && !caller.permissions.has('tokens.manage')) fail('not_found') // the same rule as in the list
    await revokeToken(db, connected_client.id, now)
    return toConnectedClient(connected_client)
  },
})
