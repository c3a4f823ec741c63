/** Deleted sites and workspaces: no row and, on SQLite, no byte of them is left in the database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createScheduler } from '../../runtime/tasks/scheduler.ts'
import { openHitStore, type HitStore } from '../../storage/hits/hit-store.ts'
import { hit, type Sent } from '../storage/engine/traffic.ts'
import { at } from '../reports/events/asking.ts'
import { emptiedTable, placesOfTexts, sampleValues } from '../support/bytes.ts'
import { randomBytes } from '../support/chance.ts'
import { onEachEngine } from '../support/engines.ts'
import { packAll } from '../support/packed.ts'
import { makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

const DAY = 86_400_000

onEachEngine('after a deletion', engine => {
  let service: TestService
  let hits: HitStore
  let now = 0
  before(async () => {
    service = await startService(engine)
    hits = openHitStore(service.store, { now: () => now, randomBytes })
  })
  after(async () => {
    await hits.close()
    await service.close()
  })

  async function send(world: World, own: string): Promise<void> {
    const sent: Sent[] = [
      {
        who: own,
        at: at('11:00'),
        page: `/page-${own}`,
        visit: { country: 'US', referrer: `ref-${own}.example`, utm_campaign: `campaign-${own}`, city: `city-${own}` },
      },
      { who: own, at: at('11:01'), event: `event-${own}`, props: { [`key-${own}`]: `value-${own}` } },
      { who: own, at: at('11:01'), kind: 'vitals', page: `/slow-${own}`, vitals: { lcp: 1200 } },
      { who: own, at: at('11:01'), kind: 'clicks', page: `/page-${own}`, clicks: [{ selector: `#button-${own}`, x: 1, y: 2 }] },
    ]
    for (const one of sent) {
      now = Math.max(now, one.at)
      const [outcome] = await hits.append([hit({ number: world.siteNumber, timezone: 'Europe/Berlin' }, one)])
      assert.ok(outcome?.stored)
    }
  }
  async function purge(): Promise<void> {
    service.clock.now += 5 * 60_000
    await createScheduler(service.app).runDue(['sites_purge'])
  }

  const call = async (world: World, method: string, path: string, body?: object) => {
    const reply = await request(service, method, path, { token: world.token, body })
    assert.ok(reply.status < 300, reply.text)
    return reply.body.data
  }

  /** A workspace with hits, and records that have a text of their own. @returns the texts by which they are found */
  async function filled(world: World, packed: boolean): Promise<string[]> {
    const own = `own${world.siteNumber}x`
    await send(world, own)
    const { site, workspace } = world.ids
    await call(world, 'POST', `/sites/${site}/notes`, { text: `note-${own}` })
    await call(world, 'POST', `/sites/${site}/goals`, { name: `goal-${own}`, kind: 'event', event: `done-${own}` })
    await call(
      world,
      'DELETE',
      `/sites/${site}/goals/${(await call(world, 'POST', `/sites/${site}/goals`, { name: `old-${own}`, kind: 'event', event: `past-${own}` })).id}`,
    )
    await call(world, 'POST', `/workspaces/${workspace}/sites`, { domain: `${own}.example.net` })
    if (packed) {
      service.clock.now = Math.max(service.clock.now, at('11:00')) + 4 * DAY
      await packAll(service.app)
    }
    return [
      ...['page', 'slow', 'ref', 'campaign', 'city', 'event', 'key', 'value', 'button', 'note', 'goal', 'done', 'old', 'past'].map(
        name => `${name}-${own}`,
      ),
      `${own}.example.net`,
    ]
  }
  const found = async (texts: readonly string[]) => {
    const placesOf = await placesOfTexts(service)
    return texts.map(text => [text, placesOf(text)] as const).filter(([, places]) => places.length > 0)
  }
  /** Records of people, who have accounts without a workspace, too. */
  const ofPeople = new Set(['domain', 'session', 'passkey', 'sign_up', 'oauth_client'])
  const idsOf = (world: World) => Object.entries(world.ids).flatMap(([name, id]) => (ofPeople.has(name) ? [] : [id]))

  test('a purge that cannot delete samples from the statistics is tried again', async () => {
    if (!service.store.isShared) return
    const world = await makeWorld(service)
    const { text, whileInUse } = await emptiedTable(service.store)
    await call(world, 'DELETE', `/sites/${world.ids.site}`, { confirm: world.ids.domain })
    await whileInUse(purge)
    assert.deepEqual(await found([text]), [[text, ['statistics']]])
    await purge()
    assert.deepEqual(await found([text]), [])
  })

  for (const packed of [false, true]) {
    const days = packed ? 'packed days' : 'open days'
    test(`a deleted workspace with ${days} leaves nothing, and its neighbour everything`, async () => {
      const [stays, gone] = [await makeWorld(service), await makeWorld(service)]
      const [kept, deleted] = [await filled(stays, packed), await filled(gone, packed)]
      const before = await found(kept)
      assert.equal((await found(deleted)).length, deleted.length)
      await sampleValues(service)
      await call(gone, 'DELETE', `/workspaces/${gone.ids.workspace}`, { confirm: 'Acme' })
      await purge()
      assert.deepEqual(await found([...deleted, ...idsOf(gone)]), [])
      assert.equal((await found(kept)).length, before.length)
    })

    test(`a deleted site with ${days} leaves only its entries in the audit log and its events`, async () => {
      const world = await makeWorld(service)
      const texts = await filled(world, packed)
      await sampleValues(service)
      await call(world, 'DELETE', `/sites/${world.ids.site}`, { confirm: world.ids.domain })
      await purge()
      const left = await found(texts.filter(text => !/^(note|goal|done|old|past)-|\.net$/.test(text)))
      assert.deepEqual(left, [])
      const placesOf = await placesOfTexts(service)
      for (const text of texts.filter(text => /^(note|goal|done|old|past)-/.test(text)))
        assert.deepEqual(
          placesOf(text).filter(place => !/^file/.test(place) && !['audit_entries', 'events', 'statistics'].includes(place)),
          [],
          text,
        )
      for (const name of ['note', 'goal', 'segment', 'import', 'export', 'alert', 'check', 'shared_link'])
        assert.deepEqual(
          placesOf(world.ids[name] ?? '').filter(
            place => !/^file/.test(place) && !['audit_entries', 'events', 'statistics'].includes(place),
          ),
          [],
          name,
        )
    })
  }
})
