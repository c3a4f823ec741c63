/** An identity provider that calls: what all tests of SCIM share. */
import { issueScimToken } from '../../../operations/people/scim/index.ts'
import { makeSite, type Reply, request, type TestService, type World } from '../../support/world.ts'

export interface Provider {
  readonly world: World
  readonly token: string
  /** On SCIM's own path, as identity providers call it. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** With `.json`, as the API is called. */
  json(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  create(userName: string, rest?: object): Promise<Reply>
  patch(id: string, ...Operations: readonly object[]): Promise<Reply>
  find(filter: string): Promise<Reply>
}

export const scimJson = 'application/scim+json'
export const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

export async function makeProvider(service: TestService, world?: World): Promise<Provider> {
  const own = world ?? (await makeSite(service))
  const { token } = await service.store.transaction(db =>
    issueScimToken(
      { db, now: service.clock.now, random: service.app.random },
      { workspaceId: own.ids.workspace ?? '', createdBy: own.owner.email },
    ),
  )
  const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    request(service, method, `/scim/v2${path}`, { token, body, headers })
  const call: Provider['call'] = (method, path, body, headers) =>
    send(method, path, body, { ...(body !== undefined && { 'Content-Type': scimJson }), Accept: scimJson, ...headers })
  return {
    world: own,
    token,
    call,
    json: (method, path, body, headers) => send(method, path.replace(/(\?|$)/, '.json$1'), body, headers),
    create: (userName, rest = {}) => call('POST', '/Users', { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName, ...rest }),
    patch: (id, ...Operations) => call('PATCH', `/Users/${id}`, { schemas: [patchOp], Operations }),
    find: filter => call('GET', `/Users?filter=${encodeURIComponent(filter)}`),
  }
}

/** `userName`s of a list. */
export const namesIn = ({ body }: Reply): string[] => body.Resources.map(({ userName }: { userName: string }) => userName)
