/** Users as members: made, found, suspended, taken away, and what each does to their tokens. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { codeOf } from '../../support/replies.ts'
import { makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'
import { makeProvider, namesIn, type Provider, scimJson } from './calling.ts'

onAnyEngine('SCIM users', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  const members = (world: World) =>
    request(service, 'GET', `/workspaces/${world.ids.workspace}/members?per_page=100`, { token: world.token })
  const emailsOf = async (world: World): Promise<string[]> => (await members(world)).body.data.map(({ email }: { email: string }) => email)
  const address = (name: string, { world }: Provider) => `${name}@${world.ids.domain}`
  const audited = (world: World) =>
    service.store.read
      .selectFrom('audit_entries')
      .selectAll()
      .where('workspace_id', '=', world.ids.workspace ?? '')
      .orderBy('at')
      .orderBy('id')
      .execute()

  test('a created user is a member with the default role, with an event and an audit entry', async () => {
    const okta = await makeProvider(service)
    const email = address('augusta', okta)
    const { status, body, headers } = await okta.create(email, {
      externalId: '00u1',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: email, type: 'work', primary: true }],
      active: true,
    })
    assert.equal(status, 201)
    assert.equal(headers.get('content-type'), scimJson)
    assert.equal(headers.get('location'), `http://footfall.test/scim/v2/Users/${body.id}`)
    assert.equal(headers.get('etag'), body.meta.version)
    const at = new Date(service.clock.now).toISOString()
    assert.deepEqual(body, {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: body.id,
      externalId: '00u1',
      userName: email,
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: email, type: 'work', primary: true }],
      active: true,
      meta: { resourceType: 'User', created: at, lastModified: at, location: headers.get('location'), version: body.meta.version },
    })
    assert.deepEqual((await okta.call('GET', `/Users/${body.id}`)).body, body)

    const { world } = okta
    const member = (await members(world)).body.data.find(({ id }: { id: string }) => id === body.id)
    assert.deepEqual([member.email, member.name, member.role, member.status], [email, 'Ada Lovelace', 'viewer', 'active'])
    const [event] = await service.store.read
      .selectFrom('events')
      .selectAll()
      .where('workspace_id', '=', world.ids.workspace ?? '')
      .execute()
    assert.equal(event?.type, 'member.added')
    assert.deepEqual(JSON.parse(event?.data ?? ''), { member, via: 'scim' })
    const entry = (await audited(world)).at(-1)
    assert.deepEqual([entry?.operation, entry?.actor, entry?.subject_id], ['scim_users_create', `SCIM ${okta.token.slice(0, 10)}`, body.id])
  })

  test('an account that is there joins, keeps what it says of itself, and shows it once its person comes in', async () => {
    const [okta, other] = [await makeProvider(service), await makeWorld(service)]
    const { email, accountId } = other.owner
    const { status, body } = await okta.create(email.toUpperCase(), { displayName: 'Somebody Else' })
    assert.equal(status, 201)
    assert.equal(body.userName, email.toUpperCase())
    const shown = async () => {
      const all = await members(okta.world)
      const member = all.body.data.find(({ id }: { id: string }) => id === body.id)
      return [member.email, member.name]
    }
    assert.deepEqual(await shown(), [email, 'Somebody Else'])
    const told = await service.store.read
      .selectFrom('events')
      .select('data')
      .where('workspace_id', '=', okta.world.ids.workspace ?? '')
      .execute()
    assert.doesNotMatch(JSON.stringify(told), /The owner/)
    await okta.patch(body.id, { op: 'replace', path: 'displayName', value: 'Another Name' })
    assert.deepEqual(await shown(), [email, 'Another Name'])
    await okta.patch(body.id, { op: 'remove', path: 'displayName' })
    assert.deepEqual(await shown(), [email, null])
    // A new address of theirs, or the order of names, is not announced either.
    const moved = address('moved', { ...okta, world: other })
    await service.store.write.updateTable('accounts').set({ email: moved }).where('id', '=', accountId).execute()
    assert.deepEqual(await shown(), [email, null])
    const last = await okta.call('GET', '/Users?sortBy=displayName')
    assert.equal(last.body.Resources.at(-1).id, body.id)

    // The refused member may still use the account, its own workspaces, and another workspace.
    const session = other.shown.session ?? assert.fail('no session')
    const page = (path: string) => request(service, 'GET', path, { token: session, headers: { Accept: 'text/html' } })
    for (const path of ['/account', '/workspaces', `/workspaces/${other.ids.workspace}/sites`])
      assert.equal((await page(path)).status, 200, path)
    assert.deepEqual(await shown(), [email, null])
    assert.equal((await page(`/workspaces/${okta.world.ids.workspace}/members`)).status, 403, 'a viewer may not list members')
    assert.deepEqual(await shown(), [email, null])
    assert.equal((await page(`/workspaces/${okta.world.ids.workspace}/sites`)).status, 200)
    assert.deepEqual(await shown(), [moved, 'The owner'])
    await okta.patch(body.id, { op: 'replace', path: 'displayName', value: 'Somebody Else' })
    assert.deepEqual(await shown(), [moved, 'The owner'])
    assert.equal((await emailsOf(other)).filter(each => each === moved).length, 1)
  })

  test('creating an existing member is refused, in any case, whatever way they joined', async () => {
    const okta = await makeProvider(service)
    const email = address('ada', okta)
    const { body: ada } = await okta.create(email)
    for (const userName of [email, email.toUpperCase(), okta.world.owner.email]) {
      const { status, body } = await okta.create(userName)
      assert.deepEqual([status, body.status, body.scimType, body.error.code], [409, '409', 'uniqueness', 'already_exists'])
    }
    // Suspended ones too: identity providers look for them and make them active again.
    await okta.patch(ada.id, { op: 'replace', path: 'active', value: false })
    assert.equal((await okta.create(email)).status, 409)
    // After another name, both the new one and the account's address are taken.
    assert.equal((await okta.patch(ada.id, { op: 'replace', path: 'userName', value: address('countess', okta) })).status, 200)
    for (const userName of [address('countess', okta), email]) assert.equal((await okta.create(userName)).status, 409)
  })

  test('created twice at once, a user is there once', async () => {
    const okta = await makeProvider(service)
    const email = address('ada', okta)
    const replies = await Promise.all(Array.from({ length: 6 }, () => okta.create(email)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
    assert.equal((await emailsOf(okta.world)).filter(each => each === email).length, 1)
  })

  test('created in two workspaces at once, one account is a member of both', async () => {
    const [one, two] = [await makeProvider(service), await makeProvider(service)]
    const email = address('ada', one)
    const replies = await Promise.all([one.create(email), two.create(email)])
    assert.deepEqual(
      replies.map(({ status }) => status),
      [201, 201],
    )
    const accounts = await service.store.read.selectFrom('accounts').select('id').where('email', '=', email).execute()
    assert.equal(accounts.length, 1)
  })

  test('a suspended user is refused at once, stays readable, and makes new tokens when they are back', async () => {
    const okta = await makeProvider(service)
    const { world } = okta
    const { memberId, token, email } = await world.join('editor')
    const read = () => request(service, 'GET', `/sites/${world.ids.site}`, { token })
    assert.equal((await read()).status, 200)

    const { status, body } = await okta.patch(memberId, { op: 'replace', path: 'active', value: false })
    assert.deepEqual([status, body.active, body.userName], [200, false, email])
    assert.deepEqual(codeOf(await read()), [401, 'account_deactivated'])
    assert.deepEqual((await okta.call('GET', `/Users/${memberId}`)).body, body)
    assert.deepEqual(namesIn(await okta.find(`userName eq "${email}" and active eq false`)), [email])
    assert.equal((await members(world)).body.data.find(({ id }: { id: string }) => id === memberId).status, 'deactivated')

    assert.equal((await okta.patch(memberId, { op: 'replace', path: 'active', value: true })).body.active, true)
    assert.deepEqual(codeOf(await read()), [401, 'token_revoked'])
  })

  test('a user that is deleted is no member any more; created again they are a new one', async () => {
    const okta = await makeProvider(service)
    const email = address('ada', okta)
    const first = (await okta.create(email, { externalId: 'x1' })).body
    const { status, text, headers } = await okta.call('DELETE', `/Users/${first.id}`)
    assert.deepEqual([status, text, headers.get('content-type')], [204, '', null])
    assert.equal((await okta.call('GET', `/Users/${first.id}`)).status, 404)
    assert.equal((await okta.call('DELETE', `/Users/${first.id}`)).status, 404)
    assert.equal((await emailsOf(okta.world)).includes(email), false)
    assert.deepEqual((await okta.find('externalId eq "x1"')).body.totalResults, 0)
    const again = await okta.create(email)
    assert.equal(again.status, 201)
    assert.notEqual(again.body.id, first.id)
    const operations = (await audited(okta.world)).map(({ operation }) => operation).sort()
    assert.deepEqual(operations, ['scim_users_create', 'scim_users_create', 'scim_users_delete'])
  })

  test('an owner is neither suspended nor taken away, and may be known by another name', async () => {
    const okta = await makeProvider(service)
    const { memberId, email } = okta.world.owner
    for (const reply of [
      await okta.patch(memberId, { op: 'replace', path: 'active', value: false }),
      await okta.call('PUT', `/Users/${memberId}`, { userName: email, active: false }),
      await okta.call('DELETE', `/Users/${memberId}`),
    ]) {
      assert.deepEqual([reply.status, reply.body.status, reply.body.error.code], [403, '403', 'permission_denied'])
    }
    const { status, body } = await okta.patch(memberId, { op: 'add', path: 'externalId', value: 'owner-1' })
    assert.deepEqual([status, body.externalId, body.active], [200, 'owner-1', true])
    assert.equal((await request(service, 'GET', '/account', { token: okta.world.token })).status, 200)
    // Neither made active again: an owner was deactivated by owners.
    const second = await okta.world.join('owner')
    await service.store.write.updateTable('members').set({ active: 0 }).where('id', '=', second.memberId).execute()
    assert.equal((await okta.patch(second.memberId, { op: 'replace', path: 'active', value: true })).status, 403)
    assert.equal((await okta.patch(second.memberId, { op: 'add', path: 'externalId', value: 'owner-2' })).status, 200)
  })

  test('another workspace is not seen: its users are 404, and in no list', async () => {
    const [okta, other] = [await makeProvider(service), await makeProvider(service)]
    const { body: theirs } = await other.create(address('ada', other))
    const unknown = await okta.call('GET', '/Users/mem_none')
    for (const [method, body] of [
      ['GET'],
      ['DELETE'],
      ['PATCH', { Operations: [{ op: 'replace', path: 'active', value: false }] }],
      ['PUT', { userName: 'x@example.org' }],
    ] as const) {
      const reply = await okta.call(method, `/Users/${theirs.id}`, body)
      assert.deepEqual([reply.status, reply.text], [404, unknown.text])
    }
    assert.equal((await okta.find('userName pr')).text.includes(theirs.userName), false)
    assert.equal((await other.call('GET', `/Users/${theirs.id}`)).body.active, true)
  })

  test('a user who is given the name or address of another person gets neither their account nor their membership', async () => {
    const [okta, other] = [await makeProvider(service), await makeProvider(service)]
    const { body: victim } = await okta.create(address('victim', okta))
    const { body: mallory } = await okta.create(address('mallory', okta))
    const outsider = (await other.create(address('boss', other))).body.userName
    const stateOf = async () => ({
      accounts: await service.store.read.selectFrom('accounts').select(['id', 'email', 'email_verified_at']).orderBy('id').execute(),
      members: await service.store.read.selectFrom('members').select(['id', 'account_id', 'role', 'active']).orderBy('id').execute(),
    })
    const before = await stateOf()
    for (const name of [victim.userName, victim.userName.toUpperCase(), okta.world.owner.email, outsider]) {
      const emails = [{ value: name, type: 'work', primary: true }]
      await okta.call('PUT', `/Users/${mallory.id}`, { userName: name, emails, active: true })
      await okta.call('PUT', `/Users/${mallory.id}`, { userName: mallory.userName, emails, active: true })
      await okta.patch(mallory.id, { op: 'replace', path: 'userName', value: name })
      await okta.patch(mallory.id, { op: 'replace', path: 'emails[primary eq true].value', value: name })
      await okta.patch(mallory.id, { op: 'replace', value: { id: victim.id, userName: name, 'urn:x:role': 'owner', role: 'owner' } })
    }
    assert.deepEqual(await stateOf(), before)
    assert.equal((await okta.call('GET', `/Users/${victim.id}`)).body.id, victim.id)
    assert.equal((await other.find(`userName eq "${outsider}"`)).body.totalResults, 1)
  })

  test('only a SCIM token is taken, only here, and a new one ends the old', async () => {
    const okta = await makeProvider(service)
    const path = '/scim/v2/Users'
    for (const [token, code] of [
      [undefined, 'authentication_required'],
      [okta.world.token, 'invalid_token'],
      [`scim_${'x'.repeat(36)}`, 'invalid_token'],
    ] as const) {
      const { status, body, headers } = await request(service, 'GET', path, { token })
      assert.deepEqual([status, body.error.code, body.status, headers.get('content-type')], [401, code, '401', scimJson])
      assert.match(headers.get('www-authenticate') ?? '', /^Bearer /)
    }
    for (const elsewhere of ['/account', `/workspaces/${okta.world.ids.workspace}/members`, `/sites/${okta.world.ids.site}`]) {
      assert.equal((await request(service, 'GET', elsewhere, { token: okta.token })).status, 401)
    }
    const next = await makeProvider(service, okta.world)
    assert.deepEqual(codeOf(await okta.call('GET', '/Users')), [401, 'token_revoked'])
    assert.equal((await next.call('GET', '/Users')).status, 200)
  })

  test('a repeated request with one key is done once', async () => {
    const okta = await makeProvider(service)
    const send = () => okta.call('POST', '/Users', { userName: address('ada', okta) }, { 'Idempotency-Key': 'k1' })
    const [first, second] = [await send(), await send()]
    assert.deepEqual([second.status, second.body], [201, first.body])
  })
})
