/** Access to every operation: role × tenant, over both surfaces. Sessions on pages: `sessions.test.ts`. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { carriedBy } from '../../adapters/surfaces.ts'
import { table } from '../../operations/index.ts'
import { type Role, roleNames } from '../../runtime/table/permissions.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { onAnyEngine } from '../support/engines.ts'
import { isFull, someOf } from '../support/full.ts'
import { callTool } from '../support/mcp.ts'
import { callHttp, fill, makeWorld, makeWorldOf, request, startService, type TestService, tokenOf, type World } from '../support/world.ts'
import { mayCall, rolesAt } from './permitted.ts'

/** Permissions of which a row was tried in every role. */
const tried = new Set<string>()

onAnyEngine('access', engine => {
  let service: TestService
  let foreign: World
  /** A shared world, for calls that change nothing: refused ones and reads. */
  let kept: World
  before(async () => {
    service = await startService(engine)
    foreign = await makeWorld(service)
    kept = await makeWorld(service)
  })
  after(() => service.close())
  /** Of the shared world, whose callers are shared as well. */
  const callers = new Map<string, Promise<string>>()
  function callerIn(world: World, role: Role, kind: Kind): Promise<string> {
    if (world !== kept) return world[kind](role)
    const caller = callers.get(`${role} ${kind}`) ?? kept[kind](role)
    callers.set(`${role} ${kind}`, caller)
    return caller
  }

  for (const row of table.operations.values()) {
    const inputOf = (world: World) => fill(row.examples[0]?.input ?? {}, world)
    const idParameters = Object.keys(row.pathInput).filter(name => name === 'id' || name.endsWith('_id'))

    if (row.access === 'public') continue

    /** For the row's permitted writes; only what deletes leaves nothing for the next one. */
    let own: Promise<World> | undefined
    const changeable = () => (row.effect === 'delete' ? makeWorldOf(service, row) : (own ??= makeWorldOf(service, row)))

    test(`${row.id}: no token, a made-up token and a revoked one are refused`, async () => {
      const world = kept
      const none = await callHttp(service, row, inputOf(world), undefined)
      assert.deepEqual([none.status, none.body.error.code], [401, 'authentication_required'])
      assert.match(none.headers.get('www-authenticate') ?? '', /^Bearer .*resource_metadata=/)
      const bad = await callHttp(service, row, inputOf(world), row.access === 'session' ? 'x'.repeat(43) : `pat_${'x'.repeat(36)}`)
      assert.deepEqual([bad.status, bad.body.error.code], [401, 'invalid_token'])
      assert.equal((await callTool(service, row.id, inputOf(world), undefined)).status, 401)
      if (row.access !== 'session') return
      const withToken = await callHttp(service, row, inputOf(world), world.token)
      assert.deepEqual([withToken.status, withToken.body.error.code], [401, 'authentication_required'], 'an API token is no session')
    })

    for (const [role, kind] of callersOf(row)) {
      const may = mayCall(row, role)
      test(`${row.id}: ${role} ${may ? 'may' : 'may not'} by ${kind}`, async () => {
        const world = may && row.effect !== 'read' ? await changeable() : kept
        const token = await callerIn(world, role, kind)
        const http = await callHttp(service, row, inputOf(world), token)
        if (may) return assert.ok(http.status !== 401 && http.status !== 403 && http.status < 500, http.text)
        assert.deepEqual([http.status, http.body.error.code], [403, 'permission_denied'], http.text)
        if (kind === 'oauthFor') assert.equal(http.headers.get('www-authenticate'), null, 'no consent could give it')
        if (!carriedBy('mcp', row)) return
        const mcp = await callTool(service, row.id, inputOf(world), token)
        assert.deepEqual([mcp.isError, mcp.body], [true, http.body])
      })
    }

    for (const parameter of idParameters) {
      test(`${row.id}: a foreign, an unknown and a malformed ${parameter} answer the same bytes`, async () => {
        const world = kept
        const input: Record<string, unknown> = inputOf(world)
        const own = String(input[parameter])
        const theirs = String(inputOf(foreign)[parameter])
        assert.notEqual(own, theirs)
        const unknown = own.slice(0, -4) + (own.endsWith('0000') ? '1111' : '0000')
        const bodies: string[] = []
        for (const id of someOf([theirs, 'x', '..%2f', unknown, `${own}x`, '%00', 'a'.repeat(300)], 3)) {
          const answer = await callHttp(service, row, { ...input, [parameter]: id }, tokenOf(world, row))
          assert.equal(answer.status, 404, `${id}: ${answer.text}`)
          bodies.push(answer.text)
        }
        assert.equal(new Set(bodies).size, 1)
        if (!carriedBy('mcp', row)) return
        const overMcp = await Promise.all(
          someOf([theirs, 'x', unknown, `${own}x`], 2).map(id => callTool(service, row.id, { ...input, [parameter]: id }, world.token)),
        )
        const [first] = overMcp
        assert.deepEqual(
          [first?.isError, first?.body.error.code, first?.body.error.details[0].pointer],
          [true, 'not_found', `/${parameter}`],
        )
        for (const { body } of overMcp) assert.equal(JSON.stringify(body), JSON.stringify(first?.body))
        for (const id of Object.values(foreign.ids)) assert.ok(!JSON.stringify(first?.body).includes(`(${id})`), 'names what another has')
      })
    }

    if ('site_id' in row.pathInput && row.access !== 'session') {
      test(`${row.id}: a token restricted to another site does not see this one`, async () => {
        const world = kept
        const token = await world.tokenFor('owner', { siteIds: [foreign.ids.site ?? ''] })
        const answer = await callHttp(service, row, inputOf(world), token)
        assert.equal(answer.status, 404, answer.text)
      })
    }
  }

  test('an unknown path is 404 and another method 405 with Allow, before anything is asked', async () => {
    const nowhere = await request(service, 'GET', '/nowhere.json')
    assert.deepEqual([nowhere.status, nowhere.body.error.code], [404, 'not_found'])
    const other = await request(service, 'PUT', '/account.json')
    assert.deepEqual([other.status, other.body.error.code], [405, 'method_not_allowed'])
    assert.equal(other.headers.get('allow')?.includes('PATCH'), true)
  })
})

/** Kinds of callers, by how a world makes them. */
type Kind = 'sessionFor' | 'tokenFor' | 'oauthFor'

/**
 * The roles that try a row, each as the callers that it takes. A normal run tries one row of each permission in every role, and
 * the others in the two roles between which the permission lies: as a client of OAuth in the one that is refused.
 */
function callersOf(row: NamedOperation): (readonly [Role, Kind])[] {
  const key = JSON.stringify([row.access, row.needs, row.effect])
  const isFirst = isFull || !tried.has(key)
  tried.add(key)
  if (row.access === 'session') return roleNames.map(role => [role, 'sessionFor'])
  if (isFirst) return roleNames.flatMap(role => [[role, 'tokenFor'] as const, [role, 'oauthFor'] as const])
  const roles = rolesAt(row)
  return [...roles.map(role => [role, 'tokenFor'] as const), ...roles.slice(-1).map(role => [role, 'oauthFor'] as const)]
}
