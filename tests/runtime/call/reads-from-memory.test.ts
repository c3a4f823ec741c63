/** Reads that are answered from memory: they are current, and refuse as other reads do. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../../support/engines.ts'
import { makeSite, startService, type TestService, type World } from '../../support/world.ts'

onEachEngine('Reads from memory', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeSite(service)
  })
  after(() => service.close())

  const read = (site_id: string, token: string, id = 'sites_get') => {
    const operation = service.app.table.operations.get(id) ?? assert.fail(id)
    const header = (name: string) => (name === 'authorization' ? `Bearer ${token}` : undefined)
    return service.app.call({ operation, surface: 'http', header, ip: '127.0.0.1', id: 'r', path: { site_id }, input: () => ({}) })
  }

  test('a repeated read is answered in the same turn of the event loop on SQLite, and is never out of date', async () => {
    const [site, token] = [world.ids.site ?? '', world.token]
    // As just used: else a first read has that written, which is a change.
    await service.store.write.updateTable('api_tokens').set({ last_used_at: service.app.now() }).execute()
    const first = await read(site, token)
    assert.equal(first.status, 200)
    const again = read(site, token)
    const later = new Promise(resolve => setImmediate(resolve, 'later'))
    // Postgres is asked for the version of the data; SQLite has it in memory.
    if (engine.name === 'sqlite') assert.notEqual(await Promise.race([again, later]), 'later')
    assert.deepEqual((await again).body, first.body)
    await service.store.write.updateTable('sites').set({ name: 'Another' }).where('id', '=', site).execute()
    assert.match(JSON.stringify((await read(site, token)).body), /"name":"Another"/)
  })

  test('a refused read returns an answer instead of throwing an error', async () => {
    const [site, token] = [world.ids.site ?? '', world.token]
    await read(site, token)
    for (const [asked, status] of [
      [() => read('pa_00000000000000000000000000', token), 404],
      [() => read('', token), 404],
      [() => read(site, 'pat_nothing'), 401],
      [() => read(site, ''), 401],
    ] as const) {
      for (let times = 0; times < 2; times++) assert.equal((await asked()).status, status)
    }
  })
})
