/** Audit entries say what a change has changed. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../support/engines.ts'
import { makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

onEachEngine('changes in the audit log', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
  })
  after(() => service.close())

  const send = (method: string, path: string, body?: object) =>
    request(service, method, path, { token: world.token, ...(body && { body }) })
  const changesOf = async (operation: string) => {
    const { body } = await send('GET', `/workspaces/${world.ids.workspace}/audit.json?operation=${operation}`)
    return body.data[0].changes
  }

  test('an update has the fields that differ, with both values', async () => {
    const path = `/sites/${world.ids.site}/goals/${world.ids.goal}.json`
    assert.equal((await send('PATCH', path, { name: 'Join', event: 'Signup' })).status, 200)
    assert.deepEqual(await changesOf('goals_update'), [{ field: 'name', before: 'Signup', after: 'Join' }])
  })

  test('a deletion has the values that the record had, and a create has none', async () => {
    assert.equal((await send('DELETE', `/sites/${world.ids.site}/notes/${world.ids.note}.json`)).status, 200)
    const changes = await changesOf('notes_delete')
    assert.deepEqual(
      changes.find(({ field }: { field: string }) => field === 'text'),
      { field: 'text', before: 'Deployed 2.0', after: null },
    )
    await send('POST', `/sites/${world.ids.site}/notes.json`, { text: 'x' })
    assert.equal(await changesOf('notes_create'), null)
  })

  test('secrets are in no entry', async () => {
    const link = `/sites/${world.ids.site}/shared_links/${world.ids.shared_link}.json`
    await send('PATCH', link, { password: 'river-stone' })
    const rows = await service.store.read.selectFrom('audit_entries').select('changes').execute()
    assert.ok(rows.every(({ changes }) => !/river-stone|argon2|whsec_/.test(changes ?? '')))
  })
})
