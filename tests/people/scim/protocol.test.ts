/** RFC 7644 in both manners: filters, patches, tags, discovery and the errors of each path (docs/decisions.md §6). */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { request, startService, type TestService } from '../../support/world.ts'
import { makeProvider, namesIn, type Provider, scimJson } from './calling.ts'

onAnyEngine('SCIM protocol', engine => {
  let service: TestService
  let okta: Provider
  let domain: string
  const ids: Record<string, string> = {}
  before(async () => {
    service = await startService(engine)
    okta = await makeProvider(service)
    domain = okta.world.ids.domain ?? ''
    for (const [name, rest] of Object.entries({ Ada: { externalId: 'X-1' }, bob: { externalId: 'x-2', active: false }, 'c%_d': {} })) {
      ids[name] = (await okta.create(`${name}@${domain}`, rest)).body.id
    }
  })
  after(() => service.close())

  test('filters find by every attribute and operator, however they are written', async () => {
    const [ada, bob, odd] = ['Ada', 'bob', 'c%_d'].map(name => `${name}@${domain}`)
    const cases: ReadonlyArray<readonly [filter: string, found: readonly (string | undefined)[]]> = [
      [`userName eq "${ada?.toLowerCase()}"`, [ada]],
      [`USERNAME EQ "${ada?.toUpperCase()}"`, [ada]],
      [`urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${ada}"`, [ada]],
      [`userName sw "ADA@"`, [ada]],
      [`userName sw "b" or userName sw "a"`, [ada, bob]],
      ['userName co "%_"', [odd]],
      [`userName ew "d@${domain}"`, [odd]],
      [`id eq "${ids.bob}"`, [bob]],
      [`id eq "${ids.bob?.toUpperCase()}"`, []],
      ['externalId eq "X-1"', [ada]],
      ['externalId eq "x-1"', []],
      ['externalId co "-"', [ada, bob]],
      ['externalId pr', [ada, bob]],
      ['externalId eq null and userName sw "c"', [odd]],
      ['not (externalId pr) and userName sw "c"', [odd]],
      ['externalId ne "X-1" and (userName sw "c" or userName sw "b")', [bob, odd]],
      [`emails.value eq "${ada}"`, [ada]],
      [`emails eq "${ada}"`, [ada]],
      [`emails[type eq "work" and value eq "${ada}"]`, [ada]],
      [`emails[primary eq true].value eq "${ada}"`, [ada]],
      [`emails[type eq "home" and value eq "${ada}"]`, []],
      ['active eq false', [bob]],
      ['active eq "False"', [bob]],
      ['active ne true', [bob]],
      ['not (active eq true)', [bob]],
      [`userName eq "' or 1=1 --"`, []],
      [`userName eq "\\"quoted\\""`, []],
    ]
    for (const [filter, found] of cases) {
      const reply = await okta.find(filter)
      assert.equal(reply.status, 200, `${filter}: ${reply.text}`)
      assert.deepEqual(namesIn(reply).sort(), found, filter)
      assert.equal(reply.body.totalResults, found.length)
    }
  })

  test('a malformed filter, or a filter on an attribute without search, is invalidFilter', async () => {
    const wrong = [
      'userName',
      'userName eq',
      'userName eq "a',
      `userName eq "a${'\n'.repeat(60)}`,
      `userName eq "${'a'.repeat(20_000)}"`,
      'userName like "a"',
      'userName gt "a"',
      'title eq "x"',
      'active eq "maybe"',
      'active co "t"',
      '(userName eq "a"',
      'userName eq "a" and',
      '__proto__ eq "a"',
      'constructor pr',
      'userName[type eq "a"]',
      `${'not '.repeat(100)}(userName pr)`,
      Array.from({ length: 101 }, () => 'id pr').join(' or '),
    ]
    for (const filter of wrong) {
      const own = await okta.find(filter)
      assert.deepEqual([own.status, own.body.scimType], [400, 'invalidFilter'], `${filter}: ${own.text}`)
      const [detail] = own.body.error.details
      assert.deepEqual([detail.in, detail.pointer, detail.message.split(' ')[0]], ['query', '/filter', 'filter'], own.text)
      assert.match(own.body.detail, /(?<!\w)filter /)
      assert.doesNotMatch(own.text, /scim_filter/)
      const json = await okta.json('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      assert.deepEqual([json.status, json.body.error.code, json.body.scimType], [422, 'validation_failed', 'invalidFilter'], filter)
    }
  })

  test('errors, deletes and media types are of the path that was asked', async () => {
    const name = `both@${domain}`
    const made = await okta.json('POST', '/Users', { userName: name })
    assert.deepEqual([made.status, made.headers.get('content-type'), made.body.userName], [201, 'application/json; charset=utf-8', name])
    const cases = [
      ['POST', '/Users', { userName: name }, 409, 'uniqueness', 'already_exists'],
      ['POST', '/Users', { userName: 'no address' }, 400, 'invalidValue', 'validation_failed'],
      ['POST', '/Users', {}, 400, 'invalidValue', 'validation_failed'],
      ['POST', '/Users', '{', 400, 'invalidSyntax', 'invalid_json'],
      ['POST', '/Users', { userName: `new@${domain}`, active: 'maybe' }, 400, 'invalidValue', 'validation_failed'],
      [
        'PATCH',
        `/Users/${made.body.id}`,
        { Operations: [{ op: 'replace', path: 'emails[type eq', value: 'x' }] },
        400,
        'invalidPath',
        'validation_failed',
      ],
      [
        'PATCH',
        `/Users/${made.body.id}`,
        { Operations: [{ op: 'replace', path: 'name..givenName', value: 'x' }] },
        400,
        'invalidPath',
        'validation_failed',
      ],
      ['PATCH', `/Users/${made.body.id}`, { Operations: [{ op: 'remove' }] }, 400, 'invalidPath', 'validation_failed'],
      [
        'PATCH',
        `/Users/${made.body.id}`,
        { Operations: [{ op: 'replace', path: 'active', value: 'maybe' }] },
        400,
        'invalidValue',
        'validation_failed',
      ],
      [
        'PATCH',
        `/Users/${made.body.id}`,
        { Operations: [{ op: 'replace', path: 'userName', value: 'nobody' }] },
        400,
        'invalidValue',
        'validation_failed',
      ],
      [
        'PATCH',
        `/Users/${made.body.id}`,
        { Operations: [{ op: 'replace', path: 'name', value: 7 }] },
        400,
        'invalidValue',
        'validation_failed',
      ],
      ['PATCH', `/Users/${made.body.id}`, { Operations: [{ op: 'move', path: 'active' }] }, 400, 'invalidSyntax', 'validation_failed'],
      ['PATCH', `/Users/${made.body.id}`, { Operations: [] }, 400, 'invalidValue', 'validation_failed'],
      ['PUT', `/Users/${made.body.id}`, { active: true }, 400, 'invalidValue', 'validation_failed'],
      ['PUT', `/Users/${made.body.id}`, '[]', 400, 'invalidSyntax', 'invalid_json'],
      ['GET', '/Users/mem_none', undefined, 404, undefined, 'not_found'],
      ['GET', '/Groups/grp_none', undefined, 404, undefined, 'not_found'],
    ] as const
    for (const [method, path, body, status, scimType, code] of cases) {
      const about = `${method} ${path} ${JSON.stringify(body)}`
      const own = await okta.call(method, path, body)
      assert.deepEqual(
        [own.status, own.body.status, own.body.scimType, own.body.error.code],
        [status, String(status), scimType, code],
        `${about}: ${own.text}`,
      )
      assert.deepEqual([own.body.schemas, own.headers.get('content-type')], [['urn:ietf:params:scim:api:messages:2.0:Error'], scimJson])
      assert.ok(own.body.detail.length > 10)
      const json = await okta.json(method, path, body)
      const inApi = status === 404 ? 404 : 422
      assert.deepEqual(
        [json.status, json.body.status, json.body.scimType, json.body.error],
        [inApi, String(inApi), scimType, own.body.error],
        about,
      )
      assert.equal(json.headers.get('content-type'), 'application/json; charset=utf-8')
    }
    const gone = await okta.json('DELETE', `/Users/${made.body.id}`)
    assert.deepEqual([gone.status, gone.body], [200, {}])
    assert.equal((await okta.call('POST', '/Users', '{}', { 'Content-Type': 'text/plain' })).status, 415)
  })

  test('a patch is done whole or not at all, in the order it says', async () => {
    const id = ids.Ada ?? ''
    const before = (await okta.call('GET', `/Users/${id}`)).body
    const half = await okta.patch(id, { op: 'add', path: 'displayName', value: 'Countess' }, { op: 'replace', path: 'active', value: 7 })
    assert.equal(half.status, 400)
    assert.deepEqual((await okta.call('GET', `/Users/${id}`)).body, before)

    const { body } = await okta.patch(
      id,
      { op: 'add', path: 'EMAILS', value: [{ value: `home@${domain}`, type: 'home', primary: true }] },
      { op: 'ADD', path: 'Name.GivenName', value: 'Augusta' },
      { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:name.familyName', value: 'King' },
      { op: 'remove', path: 'externalId' },
      { op: 'remove', path: 'emails[type eq "work"]' },
      { op: 'add', value: { nickName: 'Ada', externalId: 'X-3', id: 'mem_other', meta: { version: 'x' } } },
    )
    assert.deepEqual(body.name, { givenName: 'Augusta', familyName: 'King' })
    assert.deepEqual(body.emails, [{ value: `home@${domain}`, type: 'home', primary: true }])
    assert.deepEqual([body.externalId, body.id], ['X-3', id])
    const none = await okta.patch(id, { op: 'replace', path: 'emails[type eq "other" and primary eq true].value', value: `x@${domain}` })
    assert.equal(none.status, 400)
    assert.deepEqual(({} as Record<string, unknown>).polluted, undefined)
    const evil = await okta.call(
      'PATCH',
      `/Users/${id}`,
      '{"Operations":[{"op":"add","value":{"__proto__":{"polluted":1},"constructor.prototype.polluted":1,"name.__proto__":{"polluted":1}}}]}',
    )
    assert.ok(evil.status < 500)
    assert.deepEqual(({} as Record<string, unknown>).polluted, undefined)
    await okta.patch(
      id,
      { op: 'replace', path: 'externalId', value: 'X-1' },
      { op: 'remove', path: 'emails' },
      { op: 'add', path: 'emails', value: `Ada@${domain}` },
    )
  })

  test('a tag says what was read: unchanged is 304, changed meanwhile is 412', async () => {
    const id = ids.bob ?? ''
    const first = await okta.call('GET', `/Users/${id}`)
    const tag = first.headers.get('etag') ?? ''
    assert.equal(tag, first.body.meta.version)
    assert.match(tag, /^W\/"/)
    assert.equal((await okta.call('GET', `/Users/${id}`, undefined, { 'If-None-Match': tag })).status, 304)
    const rename = (name: string, match: string) =>
      okta.call('PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', path: 'displayName', value: name }] }, { 'If-Match': match })
    const second = await rename('Robert', tag)
    assert.deepEqual([second.status, second.headers.get('etag')], [200, second.body.meta.version])
    assert.notEqual(second.body.meta.version, tag)
    const late = await rename('Rob', tag)
    assert.deepEqual([late.status, late.body.status, late.body.error.code], [412, '412', 'precondition_failed'])
    assert.equal((await okta.call('DELETE', `/Users/${id}`, undefined, { 'If-Match': tag })).status, 412)
    assert.equal((await rename('Rob', '*')).status, 200)
    // A write without a change creates no new version.
    const same = await okta.patch(id, { op: 'replace', path: 'displayName', value: 'Rob' })
    assert.equal(same.body.meta.version, (await okta.call('GET', `/Users/${id}`)).body.meta.version)
  })

  test('paging takes what RFC 7644 takes on its own path, and what the API says with .json', async () => {
    const own = (query: string) => okta.call('GET', `/Users?${query}`)
    assert.deepEqual([(await own('count=0')).body.Resources, (await own('count=-5')).body.itemsPerPage], [[], 0])
    assert.equal((await own('count=100000')).status, 200)
    assert.equal((await own('startIndex=-3&count=1')).body.startIndex, 1)
    assert.deepEqual((await own('startIndex=1000')).body.Resources, [])
    assert.equal((await own('attributes=userName&sortBy=userName&sortOrder=ascending')).status, 200)
    assert.equal((await own('count=many')).status, 400)
    for (const query of ['count=201', 'startIndex=0']) assert.equal((await okta.json('GET', `/Users?${query}`)).status, 422)
  })

  test('ServiceProviderConfig is public', async () => {
    const read = async (path: string) => {
      const reply = await request(service, 'GET', `/scim/v2${path}`)
      assert.equal(reply.status, 200, reply.text)
      assert.equal(reply.headers.get('content-type'), scimJson)
      return reply.body
    }
    const config = await read('/ServiceProviderConfig')
    assert.deepEqual(
      [config.patch, config.filter, config.etag, config.bulk.supported],
      [{ supported: true }, { supported: true, maxResults: 200 }, { supported: true }, false],
    )
    const types = await read('/ResourceTypes')
    assert.deepEqual([types.totalResults, types.Resources[0].id], [1, 'User'])
    assert.deepEqual(await read('/ResourceTypes/User'), types.Resources[0])
    const schemas = await read('/Schemas')
    const names = schemas.Resources[0].attributes.map(({ name }: { name: string }) => name)
    assert.deepEqual(names, ['userName', 'name', 'displayName', 'emails', 'active', 'externalId'])
    assert.deepEqual(await read('/Schemas/urn:ietf:params:scim:schemas:core:2.0:User'), schemas.Resources[0])
    assert.equal((await request(service, 'GET', '/scim/v2/Schemas/urn:none')).body.status, '404')
    assert.equal((await request(service, 'GET', '/scim/v2/Schemas?filter=id+pr')).status, 403)
    assert.equal((await request(service, 'GET', '/scim/v2/Groups')).status, 401)
    assert.equal(
      (await request(service, 'GET', '/scim/v2/ServiceProviderConfig.json')).headers.get('content-type'),
      'application/json; charset=utf-8',
    )
  })

  test('lists are sorted by what is asked for, those without a value last, or first the other way round', async () => {
    const list = (query: Record<string, string>) =>
      okta.call(
        'GET',
        `/Users?${new URLSearchParams({ filter: `userName ew "@${domain}" and (userName sw "a" or userName sw "b" or userName sw "c%")`, ...query })}`,
      )
    const [ada, bob, odd] = ['Ada', 'bob', 'c%_d'].map(name => `${name}@${domain}`)
    for (const [query, order] of [
      [{ sortBy: 'userName' }, [ada, bob, odd]],
      [{ sortBy: 'username', sortOrder: 'Descending' }, [odd, bob, ada]],
      [{ sortBy: 'urn:ietf:params:scim:schemas:core:2.0:User:externalId' }, [ada, bob, odd]],
      [{ sortBy: 'externalId', sortOrder: 'descending' }, [odd, bob, ada]],
      [{ sortBy: 'active', count: '1' }, [bob]],
      [{ sortBy: 'emails.value', sortOrder: 'descending', startIndex: '2', count: '2' }, [bob, ada]],
    ] as const) {
      const reply = await list(query)
      assert.equal(reply.status, 200, reply.text)
      assert.deepEqual(namesIn(reply), order, JSON.stringify(query))
    }
    const wrong = await list({ sortBy: 'name; drop table members', sortOrder: 'sideways' })
    assert.deepEqual([wrong.status, wrong.body.scimType, wrong.body.error.details.length], [400, 'invalidValue', 2])
  })

  test('attributes and excludedAttributes select attributes of users, in lists and single answers; the id stays', async () => {
    const one = async (query: Record<string, string>) => (await okta.call('GET', `/Users/${ids.Ada}?${new URLSearchParams(query)}`)).body
    const { schemas } = await one({})
    assert.deepEqual(await one({ attributes: 'userName' }), { schemas, id: ids.Ada, userName: `Ada@${domain}` })
    assert.deepEqual(await one({ attributes: 'urn:ietf:params:scim:schemas:core:2.0:User:EMAILS.value, meta.resourceType,nothing' }), {
      schemas,
      id: ids.Ada,
      emails: [{ value: `Ada@${domain}` }],
      meta: { resourceType: 'User' },
    })
    const rest = await one({ excludedAttributes: 'emails,META,id,name.givenName' })
    assert.deepEqual([rest.id, 'emails' in rest, 'meta' in rest, rest.userName], [ids.Ada, false, false, `Ada@${domain}`])
    const listed = await okta.call('GET', `/Users?${new URLSearchParams({ filter: 'externalId eq "X-1"', attributes: 'externalId' })}`)
    assert.deepEqual(listed.body.Resources, [{ schemas, id: ids.Ada, externalId: 'X-1' }])
    const both = await okta.call('GET', `/Users?${new URLSearchParams({ attributes: 'id', excludedAttributes: 'name' })}`)
    assert.deepEqual([both.status, both.body.scimType], [400, 'invalidValue'])
  })
})
