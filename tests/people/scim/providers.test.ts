/**
 * What identity providers really send, after their public documentation: Okta ("Okta and SCIM Version 2.0"), Microsoft
 * Entra ("Develop and plan provisioning for a SCIM endpoint", with its older spellings), JumpCloud ("Custom SCIM
 * Identity Management") and OneLogin ("SCIM Provisioner with SAML (SCIM v2 Enterprise)").
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { startService, type TestService } from '../../support/world.ts'
import { makeProvider, namesIn, patchOp, type Provider } from './calling.ts'

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

onAnyEngine('Identity providers', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  const addressFor = ({ world }: Provider, name: string) => `${name}@${world.ids.domain}`

  describe('Okta', () => {
    test('looks for a user, creates it, replaces it, deactivates it by PATCH and takes it back', async () => {
      const okta = await makeProvider(service)
      const userName = addressFor(okta, 'test.user')
      const looked = await okta.call('GET', `/Users?filter=userName%20eq%20%22${encodeURIComponent(userName)}%22&startIndex=1&count=100`)
      assert.deepEqual(
        [looked.status, looked.body],
        [
          200,
          {
            schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
            totalResults: 0,
            startIndex: 1,
            itemsPerPage: 0,
            Resources: [],
          },
        ],
      )
      const sent = {
        schemas: [userSchema],
        userName,
        name: { givenName: 'Test', familyName: 'User' },
        emails: [{ primary: true, value: userName, type: 'work' }],
        displayName: 'Test User',
        locale: 'en-US',
        externalId: '00ujl29u0le5T6Aj10h7',
        groups: [],
        password: '1mz050nq',
        active: true,
      }
      const made = await okta.call('POST', '/Users', sent, { 'Content-Type': 'application/scim+json; charset=utf-8' })
      assert.equal(made.status, 201)
      assert.equal(made.text.includes('1mz050nq'), false)
      assert.equal(made.body.externalId, '00ujl29u0le5T6Aj10h7')

      const put = await okta.call('PUT', `/Users/${made.body.id}`, {
        schemas: [userSchema],
        id: made.body.id,
        userName,
        name: { givenName: 'Another', middleName: 'Excited', familyName: 'User' },
        emails: [{ primary: true, value: userName, type: 'work', display: userName }],
        active: true,
        groups: [],
        meta: { resourceType: 'User' },
      })
      assert.equal(put.status, 200)
      assert.deepEqual(put.body.name, { givenName: 'Another', middleName: 'Excited', familyName: 'User' })
      assert.deepEqual([put.body.displayName, put.body.externalId, put.body.id], [undefined, '00ujl29u0le5T6Aj10h7', made.body.id])

      const off = await okta.patch(made.body.id, { op: 'replace', value: { active: false } })
      assert.deepEqual([off.status, off.body.active], [200, false])
      const on = await okta.patch(made.body.id, { op: 'replace', value: { active: true } })
      assert.deepEqual([on.status, on.body.active], [200, true])
      const groups = await okta.call('GET', '/Groups?startIndex=1&count=100')
      assert.deepEqual([groups.status, groups.body.totalResults, groups.body.Resources], [200, 0, []])
    })

    test('reads all users page by page', async () => {
      const okta = await makeProvider(service)
      for (const name of ['a', 'b', 'c']) await okta.create(addressFor(okta, name))
      const all = await okta.call('GET', '/Users')
      const seen: string[] = []
      for (let start = 1; start <= all.body.totalResults; start += 2) {
        const page = await okta.call('GET', `/Users?startIndex=${start}&count=2`)
        assert.deepEqual([page.body.totalResults, page.body.startIndex], [all.body.totalResults, start])
        assert.equal(page.body.itemsPerPage, page.body.Resources.length)
        seen.push(...namesIn(page))
      }
      assert.deepEqual(seen, namesIn(all))
      assert.ok(seen.length >= 5)
    })
  })

  describe('Microsoft Entra', () => {
    test('tests the connection, creates, and changes with capital operations and filters in paths', async () => {
      const entra = await makeProvider(service)
      const probe = await entra.call('GET', '/Users?filter=userName+eq+%22non-existent%20user%22')
      assert.deepEqual([probe.status, probe.body.totalResults, probe.body.Resources], [200, 0, []])
      const userName = addressFor(entra, 'test_user_00aa')
      const { status, body } = await entra.call('POST', '/Users', {
        schemas: [userSchema, enterprise],
        externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
        userName,
        active: true,
        emails: [{ primary: true, type: 'work', value: userName }],
        meta: { resourceType: 'User' },
        name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
        roles: [],
        [enterprise]: { department: 'Sales', manager: { value: 'x' } },
      })
      assert.equal(status, 201)
      assert.deepEqual(namesIn(await entra.find('externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"')), [userName])
      assert.deepEqual(namesIn(await entra.find(`emails[type eq "work"].value eq "${userName}"`)), [userName])
      assert.deepEqual(namesIn(await entra.find(`emails[type eq "work" and value eq "${userName}"]`)), [userName])

      const work = addressFor(entra, 'updatedEmail')
      const changed = await entra.patch(
        body.id,
        { op: 'Replace', path: 'emails[type eq "work"].value', value: work },
        { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
        { op: 'Add', path: `${enterprise}:department`, value: 'Marketing' },
        { op: 'Add', path: 'addresses[type eq "work"].country', value: 'ML' },
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555' },
        { op: 'Replace', path: 'title', value: 'Countess' },
      )
      assert.equal(changed.status, 200, changed.text)
      assert.deepEqual(changed.body.emails, [{ primary: true, type: 'work', value: work }])
      assert.deepEqual(changed.body.name, { formatted: 'givenName familyName', familyName: 'updatedFamilyName', givenName: 'givenName' })
      const renamed = await entra.patch(body.id, { op: 'Replace', path: 'userName', value: addressFor(entra, 'renamed') })
      assert.equal(renamed.body.userName, addressFor(entra, 'renamed'))
      const gone = await entra.call('DELETE', `/Users/${body.id}`)
      assert.deepEqual([gone.status, gone.text], [204, ''])
      assert.equal((await entra.call('GET', `/Users/${body.id}`)).status, 404)
    })

    test('says True and False in words, and dotted names without a path', async () => {
      const entra = await makeProvider(service)
      const { body } = await entra.create(addressFor(entra, 'ada'), { active: 'True' })
      assert.equal(body.active, true)
      const off = await entra.patch(body.id, { op: 'Replace', path: 'active', value: 'False' })
      assert.deepEqual([off.status, off.body.active], [200, false])
      assert.equal((await entra.patch(body.id, { op: 'Add', path: 'active', value: 'True' })).body.active, true)
      const { body: dotted } = await entra.patch(body.id, {
        op: 'replace',
        value: {
          'name.givenName': 'Ada',
          'name.familyName': 'Lovelace',
          displayName: 'Ada L.',
          'emails[type eq "work"].value': addressFor(entra, 'work'),
          active: 'false',
        },
      })
      assert.deepEqual([dotted.name, dotted.displayName, dotted.active], [{ givenName: 'Ada', familyName: 'Lovelace' }, 'Ada L.', false])
      assert.deepEqual(dotted.emails, [{ value: addressFor(entra, 'work'), type: 'work', primary: true }])
      const removed = await entra.patch(body.id, { op: 'Remove', path: 'displayName' }, { op: 'Remove', path: 'name.givenName' })
      assert.deepEqual([removed.body.displayName, removed.body.name], [undefined, { familyName: 'Lovelace' }])
    })
  })

  describe('JumpCloud', () => {
    test('makes a test user, changes it by PUT, deactivates it by PUT and deletes it', async () => {
      const cloud = await makeProvider(service)
      const userName = addressFor(cloud, 'jumpcloud.test')
      const sent = {
        schemas: [userSchema],
        userName,
        name: { familyName: 'Test', givenName: 'JumpCloud' },
        displayName: null,
        emails: [{ value: userName, type: 'work', primary: true }],
        phoneNumbers: [],
        addresses: [],
        active: true,
        externalId: '5f9b',
      }
      const { status, body } = await cloud.call('POST', '/Users', sent, { 'Content-Type': 'application/json', Accept: 'application/json' })
      assert.equal(status, 201)
      const put = await cloud.call(
        'PUT',
        `/Users/${body.id}`,
        { ...sent, id: body.id, active: false },
        { 'Content-Type': 'application/json' },
      )
      assert.deepEqual([put.status, put.body.active], [200, false])
      assert.equal((await cloud.call('GET', `/Users?filter=userName%20eq%20"${userName}"`)).body.Resources[0].active, false)
      const denied = await cloud.call('POST', '/Groups', { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'Test' })
      assert.deepEqual([denied.status, denied.body.status], [501, '501'])
      assert.equal((await cloud.call('DELETE', `/Users/${body.id}`)).status, 204)
    })
  })

  describe('OneLogin', () => {
    test('creates, changes by PATCH with values in lists, and suspends', async () => {
      const one = await makeProvider(service)
      const userName = addressFor(one, 'ada.lovelace')
      const { body, status } = await one.call('POST', '/Users', {
        schemas: [userSchema, enterprise],
        userName,
        externalId: '88912345',
        name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
        emails: [{ value: userName, type: 'work', primary: 'true' }],
        photos: [{ type: 'photo', value: 'https://example.org/p.jpg' }],
        active: 'true',
      })
      assert.deepEqual([status, body.emails, body.active], [201, [{ value: userName, type: 'work', primary: true }], true])
      const changed = await one.call('PATCH', `/Users/${body.id}`, {
        schemas: [patchOp],
        Operations: [
          { op: 'replace', value: { userName, name: { formatted: 'Ada King', familyName: 'King' }, photos: [] } },
          { op: 'replace', path: 'active', value: [{ value: 'false' }] },
        ],
      })
      assert.equal(changed.status, 200, changed.text)
      assert.deepEqual([changed.body.name, changed.body.active], [{ formatted: 'Ada King', familyName: 'King', givenName: 'Ada' }, false])
    })
  })
})
