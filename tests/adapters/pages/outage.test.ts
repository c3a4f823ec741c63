import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { StorageUnavailable, type UnavailableReason } from '../../../storage/values/storage-unavailable.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeWorld, ownPage, shownAs, startService, type TestService, type World } from '../../support/world.ts'

onAnyEngine('a page during an outage', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
  })
  after(() => service.close())

  /** Asks for a page while the database refuses every statement. */
  async function during(reason: UnavailableReason, method = 'GET') {
    const executors = [service.store.read, service.store.write].map(db => db.getExecutor() as { executeQuery: unknown })
    const usual = executors.map(({ executeQuery }) => executeQuery)
    for (const executor of executors) executor.executeQuery = () => Promise.reject(new StorageUnavailable(reason, 'for logs'))
    const answer = await service.web.request(`/workspaces/${world.ids.workspace}/sites`, {
      method,
      headers: { Accept: 'text/html', ...ownPage, ...shownAs(world.shown.session ?? '') },
      ...(method === 'POST' && { body: new URLSearchParams({ _do: 'sites_create', '/domain': 'outage.example.com' }) }),
    })
    executors.forEach((executor, i) => {
      executor.executeQuery = usual[i]
    })
    const { status, headers } = answer
    return { status, headers, title: /<h1[^>]*>([^<]*)</.exec(await answer.text())?.[1] }
  }

  test('loads again by itself once it is over, and the answer to a form does not', async () => {
    const page = await during('away')
    assert.deepEqual([page.status, page.title, page.headers.get('refresh')], [503, 'Back in a few seconds', '2'])
    const sent = await during('away', 'POST')
    assert.deepEqual([sent.status, sent.headers.get('refresh')], [503, null])
  })

  test('does not load a report again that reads too much', async () => {
    const { status, title, headers } = await during('report_too_large')
    assert.deepEqual([status, title, headers.get('refresh'), headers.get('retry-after')], [503, 'That did not work', null, null])
  })
})
