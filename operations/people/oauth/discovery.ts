/** Discovery metadata for clients: the protected resources (RFC 9728) and the authorization server (RFC 8414). */
import { endpoint, type EndpointAnswer } from '../../../runtime/table/endpoint.ts'
import { everydayPermissions, permissionNames } from '../../../runtime/table/permissions.ts'

/** Rules of entry: public, and readable from other origins. */
const open = { access: 'public', crossOrigin: { headers: ['Mcp-Protocol-Version'] } } as const

const document = (body: Readonly<Record<string, unknown>>): EndpointAnswer => ({
  status: 200,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  body: JSON.stringify(body),
})

/** Clients request all scopes of this list, so it has only the everyday ones; a client requests others when it needs them. */
const protectedResource = (baseUrl: string, path: string): EndpointAnswer =>
  document({
    resource: `${baseUrl}${path}`,
    resource_name: 'Footfall',
    resource_documentation: `${baseUrl}/docs`,
    authorization_servers: [baseUrl],
    bearer_methods_supported: ['header'],
    scopes_supported: everydayPermissions,
  })

export const oauth_protected_resource = endpoint({
  route: 'GET /.well-known/oauth-protected-resource',
  summary: 'The service as a protected resource',
  ...open,
  handle: async (_, { config }) => protectedResource(config.BASE_URL, ''),
})

export const oauth_protected_tools = endpoint({
  route: 'GET /.well-known/oauth-protected-resource/mcp',
  summary: 'The tools for MCP as a protected resource',
  ...open,
  handle: async (_, { config }) => protectedResource(config.BASE_URL, '/mcp'),
})

export const oauth_authorization_server = endpoint({
  route: 'GET /.well-known/oauth-authorization-server',
  summary: 'Metadata of the OAuth authorization server',
  ...open,
  handle: async (_, { config: { BASE_URL } }) =>
    document({
      issuer: BASE_URL,
      authorization_endpoint: `${BASE_URL}/oauth/authorize`,
      token_endpoint: `${BASE_URL}/oauth/token`,
      registration_endpoint: `${BASE_URL}/oauth/register`,
      revocation_endpoint: `${BASE_URL}/oauth/revoke`,
      scopes_supported: permissionNames,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      protected_resources: [BASE_URL, `${BASE_URL}/mcp`],
      service_documentation: `${BASE_URL}/docs`,
    }),
})
