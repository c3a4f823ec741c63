/** Endpoints that clients call without a person: registration, tokens, revocation. */
import type { HandlerServices } from '../../../runtime/table/services.ts'
import { type EndpointRequest, endpoint } from '../../../runtime/table/endpoint.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { parseJson } from '../../../runtime/call/parse-json.ts'
import { isWellFormed } from '../../../runtime/call/tokens.ts'
import { readMetadata } from './client-metadata.ts'
import { exchange } from './exchange.ts'
import type { Granting, Tokens } from './grants.ts'
import { accessMs } from './lifetimes.ts'
import { answered, fieldsOf, oauthWireFormat, refuse, refused, type Refusal } from './wire-format.ts'
import { resourceIn, resourceWords } from './protected-resource.ts'
import { refresh } from './refresh.ts'
import { registered } from './registration.ts'
import { revoke } from './revoke.ts'
import { scopeOf } from './scope.ts'
import { OAUTH_SCHEMES } from './settings.ts'

/** Open to other origins, because clients may be web pages; the endpoints read no cookies. */
const forClients = {
  access: 'public',
  wireFormat: oauthWireFormat,
  maxBytes: 64 * 1024,
  crossOrigin: { headers: ['Mcp-Protocol-Version'] },
} as const

export const oauth_register = endpoint({
  route: 'POST /oauth/register',
  summary: 'Register an OAuth client (RFC 7591)',
  ...forClients,
  async handle(request, app) {
    const given = await metadataOf(request)
    if (given === undefined) return refused(refuse('invalid_client_metadata', 'Send the metadata of the client as a JSON object.'))
    const metadata = readMetadata(given, app.config.of(OAUTH_SCHEMES))
    if ('error' in metadata) return refused(metadata)
    return answered(await registered(app, request.ip, metadata), 201)
  },
})

async function metadataOf(request: EndpointRequest): Promise<Record<string, unknown> | undefined> {
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(request.header('content-type') ?? '')) return undefined
  const text = await request.text()
  try {
    const value = parseJson(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const oauth_token = endpoint({
  route: 'POST /oauth/token',
  summary: 'Exchange a code or a refresh token for tokens (RFC 6749)',
  ...forClients,
  async handle(request, app) {
    const fields = await fieldsOf(request)
    if ('error' in fields) return refused(fields)
    const given = await grantedBy(fields, app, request)
    if ('error' in given) return refused(given)
    const { access, refresh: next, permissions } = given
    return answered({
      access_token: access,
      token_type: 'Bearer',
      expires_in: accessMs / 1000,
      refresh_token: next,
      scope: scopeOf(permissions),
    })
  },
})

type Fields = ReadonlyMap<string, string>

async function grantedBy(fields: Fields, app: HandlerServices, request: EndpointRequest): Promise<Tokens | Refusal> {
  const type = fields.get('grant_type')
  if (type !== 'authorization_code' && type !== 'refresh_token')
    return type === undefined
      ? refuse('invalid_request', 'grant_type is required.')
      : refuse('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
  const clientId = fields.get('client_id')
  if (clientId === undefined) return refuse('invalid_client', 'client_id is required.')
  const { BASE_URL } = app.config
  const named = fields.get('resource')
  const resource = named === undefined ? undefined : resourceIn(named, BASE_URL)
  if (named !== undefined && resource === undefined) return refuse('invalid_target', String(resourceWords(BASE_URL)))
  if (type === 'refresh_token') {
    const token = fields.get('refresh_token')
    if (token === undefined) return refuse('invalid_request', 'refresh_token is required.')
    if (!isWellFormed(token, 'prt_')) return refuse('invalid_grant', 'refresh_token is malformed.')
    return inTransaction(app, request, granting => refresh(granting, { refresh: token, clientId, scope: fields.get('scope'), resource }))
  }
  const [code, redirectUri, verifier] = ['code', 'redirect_uri', 'code_verifier'].map(name => fields.get(name))
  if (code === undefined || redirectUri === undefined || verifier === undefined)
    return refuse('invalid_request', 'code, redirect_uri and code_verifier are required.')
  if (!/^[\w.~-]{43,128}$/.test(verifier))
    return refuse('invalid_request', 'code_verifier must have 43 to 128 letters, digits, "-", ".", "_", "~".')
  return inTransaction(app, request, granting => exchange(granting, { code, clientId, redirectUri, verifier, resource }))
}

export const oauth_revoke = endpoint({
  route: 'POST /oauth/revoke',
  summary: 'Revoke a token of an OAuth client (RFC 7009)',
  ...forClients,
  async handle(request, app) {
    const fields = await fieldsOf(request)
    if ('error' in fields) return refused(fields)
    const [token, clientId] = [fields.get('token'), fields.get('client_id')]
    if (clientId === undefined) return refused(refuse('invalid_client', 'client_id is required.'))
    if (token === undefined) return refused(refuse('invalid_request', 'token is required.'))
    const isOurs = isWellFormed(token, 'prt_') || isWellFormed(token, 'pat_')
    const isDone = !isOurs || (await inTransaction(app, request, granting => revoke(granting, token, clientId)))
    return isDone ? answered({}) : refused(refuse('invalid_grant', 'This token belongs to another client.'))
  },
})

function inTransaction<T>(
  { store, random, now }: HandlerServices,
  { id, ip }: EndpointRequest,
  work: (granting: Granting) => Promise<T>,
): Promise<T> {
  const at = now()
  return store.transaction(db => work({ db, now: at, random, request: { id, ip, surface: 'http' } }))
}
