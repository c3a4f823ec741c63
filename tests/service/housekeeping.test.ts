/** Automatic deletion: when, what stays, and what happens after an interruption. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createScheduler } from '../../runtime/tasks/scheduler.ts'
import { openHitStore } from '../../storage/hits/hit-store.ts'
import { event, hit } from '../storage/new-hits.ts'
import { randomBytes } from '../support/chance.ts'
import { onAnyEngine } from '../support/engines.ts'
import { removeSite, makeWorld, request, startService, type TestService, type World } from '../support/world.ts'
import { MINUTE, rowOf, SECOND, until } from '../runtime/tasks/tasks.ts'

const HOUR = 60 * MINUTE
const ofSite = ['salts', 'visitors', 'visits', 'hits', 'hit_props', 'site_days', 'dict'] as const

onAnyEngine('housekeeping', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  const runs = (name: string) => createScheduler(service.app).runDue([name])
  const count = async (table: string, site: number) => {
    const {
      rows: [found],
    } = await sql<{ rows: number }>`
      select count(*) as rows from ${sql.table(table)} where site_id = ${site}`.execute(service.store.read)
    return found?.rows
  }
  async function send({ siteNumber: site }: World, hits: number): Promise<void> {
    const store = openHitStore(service.store, { now: () => service.clock.now, randomBytes })
    const at = service.clock.now
    const events = Array.from({ length: hits }, (_, i) => event('e', { site, at, visitor: `v${i % 100}`, props: [['k', `v${i}`, i]] }))
    await store.append([hit({ site, at }), ...events])
    await store.close()
  }
  const isThere = async (table: 'sites' | 'notes' | 'events', id = '') =>
    (await service.store.read.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()) !== undefined

  test('salts and visitors’ hashes go 48 hours after their day closed', async () => {
    const world = await makeWorld(service)
    await send(world, 10)
    const { ends_at } = await service.store.read
      .selectFrom('site_days')
      .select('ends_at')
      .where('site_id', '=', world.siteNumber)
      .executeTakeFirstOrThrow()
    service.clock.now = ends_at + 48 * HOUR - 1
    await runs('visitors_forget')
    assert.equal(await count('salts', world.siteNumber), 1)
    service.clock.now = ends_at + 48 * HOUR + 5 * MINUTE
    assert.deepEqual(await runs('visitors_forget'), ['visitors_forget'])
    assert.deepEqual([await count('salts', world.siteNumber), await count('visitors', world.siteNumber)], [0, 0])
    assert.equal(await count('hits', world.siteNumber), 11, 'hits stay')
    const { done, total } = await rowOf(service, 'visitors_forget')
    assert.deepEqual([done, total], [1, 1])
  })

  test('a deleted site’s hits go, then its row and what hangs on it; its neighbours stay', async () => {
    const [world, neighbour] = [await makeWorld(service), await makeWorld(service)]
    await send(world, 1_500)
    await send(neighbour, 5)
    assert.equal((await removeSite(service, world)).status, 200)
    await runs('sites_purge')
    assert.equal(await count('hits', world.siteNumber), 1_501, 'another process may still take it for alive')

    service.clock.now += 5 * MINUTE
    await runs('sites_purge')
    for (const table of ofSite) assert.equal(await count(table, world.siteNumber), 0, table)
    assert.equal(await isThere('sites', world.ids.site), false)
    assert.equal(await isThere('notes', world.ids.note), false)
    assert.ok((await rowOf(service, 'sites_purge')).done >= 3_000, 'rows it deleted')
    for (const table of ofSite) assert.notEqual(await count(table, neighbour.siteNumber), 0, table)
    assert.equal(await isThere('notes', neighbour.ids.note), true)
    const { status } = await request(service, 'GET', `/sites/${neighbour.ids.site}`, { token: neighbour.token })
    assert.equal(status, 200)
  })

  test('the number of a deleted site is never given to another', async () => {
    const world = await makeWorld(service)
    const domain = 'highest.example.com'
    const add = (body: object) => request(service, 'POST', `/workspaces/${world.ids.workspace}/sites`, { token: world.token, body })
    await add({ domain: 'lower.example.com' }) // with the group of all sites
    const id = String((await add({ domain })).body.data.id)
    const { number } = await service.store.read.selectFrom('sites').select('number').where('id', '=', id).executeTakeFirstOrThrow()
    await removeSite(service, { ...world, ids: { ...world.ids, site: id, domain } })
    service.clock.now += 10 * MINUTE
    await runs('sites_purge')
    assert.equal(await isThere('sites', id), false)
    const next = await makeWorld(service)
    assert.ok(next.siteNumber > number)
    service.clock.now += 10 * MINUTE
    await runs('sites_purge')
    assert.equal(await isThere('sites', next.ids.site), true)
  })

  test('a purge that is cut short goes on with the next worker', async () => {
    const world = await makeWorld(service)
    await makeWorld(service)
    await send(world, 12_000)
    await removeSite(service, world)
    service.clock.now += 10 * MINUTE
    const worker = createScheduler(service.app)
    const run = worker.runDue(['sites_purge'])
    await until(async () => Number(await count('hit_props', world.siteNumber)) < 12_000)
    await worker.stop()
    await run
    const left = Number(await count('hits', world.siteNumber))
    const row = await rowOf(service, 'sites_purge')
    assert.deepEqual([row.leased_until, row.last_error], [null, null])
    assert.ok(left > 0, 'it was in the middle of it')
    assert.deepEqual(await runs('sites_purge'), ['sites_purge'], 'at once, not when it would be due')
    assert.equal(await count('hits', world.siteNumber), 0)
    assert.equal(await isThere('sites', world.ids.site), false)
  })

  test('idempotency keys go after 24 hours, old events after 90 days', async () => {
    const { ids, token } = await makeWorld(service)
    const note = (key: string) =>
      request(service, 'POST', `/sites/${ids.site}/notes`, {
        token,
        body: { text: 'Hi' },
        headers: { 'Idempotency-Key': key },
      })
    const keys = async () => {
      const rows = await service.store.read.selectFrom('idempotency_keys').select('key').orderBy('key').execute()
      return rows.map(({ key }) => key)
    }
    await service.store.write.deleteFrom('idempotency_keys').execute()
    const madeAt = service.clock.now
    assert.equal((await note('old')).status, 201)
    await service.store.write
      .insertInto('events')
      .values({
        id: 'evt_1',
        type: 'site.created',
        workspace_id: 'ws_1',
        site_id: null,
        data: '{}',
        created_at: madeAt,
      })
      .execute()
    service.clock.now = madeAt + 23 * HOUR
    assert.equal((await note('young')).status, 201)
    await runs('rows_expire')
    assert.deepEqual(await keys(), ['old', 'young'])
    service.clock.now = madeAt + 24 * HOUR + SECOND
    await runs('rows_expire')
    service.clock.now += HOUR
    await runs('rows_expire')
    assert.deepEqual(await keys(), ['young'])
    assert.equal(await isThere('events', 'evt_1'), true)
    service.clock.now = madeAt + 91 * 24 * HOUR
    await runs('rows_expire')
    assert.equal(await isThere('events', 'evt_1'), false)
  })
})
