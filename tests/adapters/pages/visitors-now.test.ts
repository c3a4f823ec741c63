/** The number of current visitors in the navigation. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { once } from '../../../adapters/pages/call-operation.ts'
import { visitorsNow } from '../../../adapters/pages/visitors-now.ts'
import { table } from '../../../operations/index.ts'
import { hit, store } from '../../storage/engine/traffic.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'

onAnyEngine('Visitors who are on the site now', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
  })
  after(() => service.close())

  const visit = (...people: readonly string[]) => {
    const site = { number: world.siteNumber, timezone: 'UTC' }
    const at = service.clock.now - 60_000
    return store(
      service.store,
      people.map(who => hit(site, { who, at, page: '/' })),
      7,
    )
  }
  const open = async (path: string) => {
    const { text } = await request(service, 'GET', path, { token: world.shown.session, headers: { Accept: 'text/html' } })
    return [...text.matchAll(/<a href="([^"]*)"[^>]*data-now="([^"]*)"[^>]*aria-description="([^"]*)"/g)].map(([, ...found]) => found)
  }

  test('are next to Live, on every page of the site, in the side and at the bottom of phones', async () => {
    const { site, workspace } = world.ids
    const live = `/sites/${site}/live`
    assert.deepEqual(await open(`/sites/${site}/goals`), Array(2).fill([live, '', '0 visitors now']))
    await visit('ann', 'bob', 'cy')
    service.clock.now += 6_000
    const three = Array(2).fill([live, '3', '3 visitors now'])
    for (const page of [`/sites/${site}/goals`, `/sites/${site}`, `/sites/${site}/overview`])
      assert.deepEqual(await open(page), three, page)
    assert.deepEqual(await open(`/sites/${site}/notes?period=7d`), Array(2).fill([`${live}?period=7d`, '3', '3 visitors now']))
    assert.deepEqual(await open(live), Array(2).fill([live, '', '3 visitors now']), 'the page itself says it')
    assert.deepEqual(await open(`/workspaces/${workspace}/sites`), [])
  })

  test('are counted once every few seconds for all pages', async () => {
    await visit('dan')
    const [first] = await open(`/sites/${world.ids.site}/goals`)
    assert.equal(first?.[1], '3')
    service.clock.now += 6_000
    const [later] = await open(`/sites/${world.ids.site}/goals`)
    assert.equal(later?.[1], '4')
  })

  test('are counted again for the next viewer if one viewer was refused', async () => {
    const app = service.app
    const seen = (count: number | undefined) =>
      visitorsNow(app, { siteId: 'other', now: 0, fill: async () => ({ path: '/live', count: async () => count }) } as never)
    assert.equal(await seen(undefined), undefined)
    assert.deepEqual(await seen(2), { path: '/live', count: 2 })
    assert.deepEqual(await seen(3), { path: '/live', count: 2 }, 'within seconds')
  })
})

test('a read that several parts of a page want is made once, also if one names the records above it', async () => {
  const operation = table.operations.get('sites_get') ?? assert.fail()
  const made: unknown[] = []
  const ask = once(async (_, path) => {
    made.push(path)
    return { status: 200, body: {} } as never
  })
  await ask(operation, { site_id: 'a' })
  await ask(operation, { workspace_id: 'w', site_id: 'a' }, {})
  await ask(operation, { site_id: 'b' })
  assert.deepEqual(made, [{ site_id: 'a' }, { site_id: 'b' }])
})
