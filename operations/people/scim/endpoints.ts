/** Endpoints that RFC 7644 requires in addition to the five operations: PUT, discovery, and groups, which are not supported. */
import { type EndpointAnswer, type EndpointRequest, endpoint } from '../../../runtime/table/endpoint.ts'
import { Failure, fail } from '../../../runtime/table/errors.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { parseJson } from '../../../runtime/call/parse-json.ts'
import { isOwnPath } from '../../../runtime/table/wire-format.ts'
import { scim } from './authenticator.ts'
import { providerConfig, resourceTypes, schemas } from './discovery.ts'
import { scimWireFormat, scimType } from './wire-format.ts'
import { withoutPasswords } from './passwords.ts'
import { urns } from './records.ts'
import { replacing } from './replace.ts'

/** Replaces every attribute: PUT is converted to a PATCH and then handled by that operation. */
export const scim_users_replace = endpoint({
  route: 'PUT /scim/v2/Users/{id}',
  summary: 'Replace a user',
  access: 'public',
  rate: 'none',
  wireFormat: scimWireFormat,
  async handle(request, app) {
    const answer = await app.callOperation({
      operation: 'scim_users_update',
      header: request.header,
      ip: request.ip,
      id: request.id,
      path: request.path,
      input: async () => ({ Operations: replacing(withoutPasswords(await bodyOf(request))) }),
    })
    const own = isOwnPath(request.url)
    const { status, headers, body } = scimWireFormat.present(answer, own)
    return json(status, body, { 'Content-Type': own ? scimType : 'application/json; charset=utf-8', ...headers })
  },
})

async function bodyOf(request: EndpointRequest): Promise<Record<string, unknown>> {
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(request.header('content-type') ?? '')) fail('unsupported_media_type')
  try {
    const value = parseJson(await request.text())
    if (isObject(value)) return value
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown
  }
  fail('invalid_json')
}

type Document = Readonly<Record<string, unknown>>
/** Access rules of discovery: anyone may read it (RFC 7644 §4). */
const discovery = { access: 'public', wireFormat: scimWireFormat } as const

export const scim_provider_config = endpoint({
  route: 'GET /scim/v2/ServiceProviderConfig',
  summary: 'Supported SCIM features',
  ...discovery,
  handle: async (request, { config }) => shown(request, providerConfig(config)),
})

export const scim_resource_types = endpoint({
  route: 'GET /scim/v2/ResourceTypes',
  summary: 'Resource types',
  ...discovery,
  handle: async (request, { config }) => shown(request, listed(request, resourceTypes(config))),
})

export const scim_resource_type = endpoint({
  route: 'GET /scim/v2/ResourceTypes/{id}',
  summary: 'A resource type',
  ...discovery,
  handle: async (request, { config }) => shown(request, oneOf(request, resourceTypes(config))),
})

export const scim_schemas = endpoint({
  route: 'GET /scim/v2/Schemas',
  summary: 'Resource schemas',
  ...discovery,
  handle: async (request, { config }) => shown(request, listed(request, schemas(config))),
})

export const scim_schema = endpoint({
  route: 'GET /scim/v2/Schemas/{id}',
  summary: 'A resource schema',
  ...discovery,
  handle: async (request, { config }) => shown(request, oneOf(request, schemas(config))),
})

/** Identity providers request groups although none are supported: members get their roles in the workspace. */
const groups = { access: 'public', credential: scim, wireFormat: scimWireFormat } as const

export const scim_groups_list = endpoint({
  route: 'GET /scim/v2/Groups',
  summary: 'An empty list of groups',
  ...groups,
  handle: async request => shown(request, list([])),
})

export const scim_groups_get = endpoint({
  route: 'GET /scim/v2/Groups/{id}',
  summary: 'Report that a group does not exist',
  ...groups,
  handle: async () => fail('not_found'),
})

export const scim_groups_create = endpoint({
  route: 'POST /scim/v2/Groups',
  summary: 'Report that groups are not supported',
  ...groups,
  handle: async request =>
    shown(
      request,
      { schemas: [urns.error], status: '501', detail: 'Groups are not supported: members get their roles in the workspace.' },
      501,
    ),
})

const list = (found: readonly Document[]): Document => ({
  schemas: [urns.list],
  totalResults: found.length,
  startIndex: 1,
  itemsPerPage: found.length,
  Resources: found,
})

/** A list that describes the service cannot be filtered (RFC 7644 §4). */
function listed({ url }: EndpointRequest, found: readonly Document[]): Document {
  if (new URL(url).searchParams.has('filter')) fail('permission_denied', 'This list cannot be filtered.')
  return list(found)
}

function oneOf({ path }: EndpointRequest, found: readonly Document[]): Document {
  return found.find(({ id }) => id === path.id) ?? fail('not_found')
}

function shown({ url }: EndpointRequest, body: unknown, status = 200): EndpointAnswer {
  return json(status, body, { 'Content-Type': isOwnPath(url) ? scimType : 'application/json; charset=utf-8' })
}

function json(status: number, body: unknown, headers: Readonly<Record<string, string>>): EndpointAnswer {
  return body === undefined ? { status, headers } : { status, headers, body: JSON.stringify(body) }
}
