/** Pages offer to undo a deletion: in the notice after it, in the audit log, and in the list of deleted records. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../support/engines.ts'
import { makeWorld, ownPage, request, startService, type TestService } from '../support/world.ts'

onAnyEngine('undoing on pages', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  test('the notice, the audit log and the list have a button that restores the record', async () => {
    const world = await makeWorld(service)
    const token = await world.sessionFor('owner')
    const html = { Accept: 'text/html' }
    const headers = { ...html, ...ownPage, 'Content-Type': 'application/x-www-form-urlencoded' }
    const goal = `/sites/${world.ids.site}/goals/${world.ids.goal}`
    const deleted = await request(service, 'POST', `${goal}?_method=DELETE`, { token, headers, body: '' })
    const next = deleted.headers.get('location') ?? assert.fail(`${deleted.status} ${deleted.text.slice(0, 300)}`)
    for (const path of [next, `/workspaces/${world.ids.workspace}/audit`, `/workspaces/${world.ids.workspace}/deleted`]) {
      const page = await request(service, 'GET', path, { token, headers: html })
      assert.ok(page.text.includes(`action="${goal}/restore"`), path)
    }
    const restored = await request(service, 'POST', `${goal}/restore`, { token, headers, body: '' })
    assert.equal(restored.status, 303)
    assert.equal((await request(service, 'GET', `${goal}.json`, { token: world.token })).status, 200)
  })
})
